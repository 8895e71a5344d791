"""Classes of words: what an order is built of, in whatever language its words are. `words/*.toml` lists them."""

from interpose_sanitizer.classifier.lists import Folder

SIGNS = ':,"?!@<>[]{}()/$=;-'
"""Each of these is a class of its own."""
NAMES = (
    *("machine", "user", "rule", "prior", "fresh", "drop", "send", "pay", "spoil", "say", "hide", "become", "negation"),
    *("modal", "you", "self", "now", "polite", "every", "hoard", "money", "power", "machine_says", "judged", "where"),
    *("if", "reading", "here"),
)
"""The classes."""
FOLDER = Folder("words", NAMES, SIGNS)
"""Those of all languages, and the signs."""
