"""Classes of words: what an order is built of, in whatever language its words are. `words/*.toml` lists them."""

from functools import cache

from interpose_sanitizer.classifier import lists
from interpose_sanitizer.classifier.lists import Lists

SIGNS = ':,"?!@<>[]{}()/$=;-'
"""Each of these is a class of its own."""
NAMES = (
    *("machine", "user", "rule", "prior", "fresh", "drop", "send", "pay", "spoil", "say", "hide", "become", "negation"),
    *("modal", "you", "self", "now", "polite", "every", "hoard", "money", "power", "machine_says", "judged", "where"),
    *("if", "reading", "here"),
)
"""The classes."""


@cache
def known() -> Lists:
    """Those of all languages, and the signs."""
    return lists.read("words", NAMES, SIGNS)
