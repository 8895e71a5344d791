"""How much words say, by who else may be meant by them where they stand.

What hides from everybody speaks to nobody but a model. Comments and code speak to those who work on a page, and labels
and descriptions to those who point at something or search for it: rules that only guess whom an order is for need a
model to be named there. And a guess that reaches over half a page is chance.
"""

import re

from interpose_sanitizer.carried import Attack
from interpose_sanitizer.markup.places import Place

GUESSING = frozenset(
    {
        "add-server-en", "agent-files-hidden", "belongings-guess-hidden", "conceal-hidden-en",
        "covered-up-guess-hidden", "guard-down-guess-hidden", "judge-us-well-hidden", "nearly-an-order-hidden",
        "no-need-to-tell-hidden", "of-the-user-hidden", "orders-to-a-model-hidden", "run-this-en",
        "use-the-tool-hidden",
    }
)  # fmt: skip
"""Rules for what is hidden that look at what is asked and not at whom."""
BOASTING = frozenset({"judge-us-well-hidden"})
"""Those whose words honest descriptions are full of."""
OF_MANUALS = frozenset(
    {
        "guard-down-for-good-hidden", "install-and-run-hidden", "piped-to-shell-hidden", "role-in-json-hidden",
        "role-to-somebody-hidden", "talks-to-a-model-hidden", "two-guards-down-hidden",
    }
)  # fmt: skip
"""Those whose words manuals hold as well, in parts that unfold."""
LONGEST_GUESS = 240
_AROUND = 160
_UNSEEN = frozenset({"element", "declaration", "definition", "concealed"})
_ON_DEMAND = frozenset({"details", "dialog"})
_MODEL = re.compile(
    r"\b(?:AI|A\.I\.|LLM|GPT|KI|IA)s?\b"
    r"|(?i:\b(?:assistants?|agents?|bots?|chatbots?|crawlers?|language models?|copilot|claude|gemini|gpt|llms?"
    r"|reviewers?|mcp)\b)"
)
_INVITES = re.compile(
    r"(?:send|drop|write) (?:us|me) an? (?:quick |short )?(?:e-?mail|mail|message|note|line)\b"
    r"|e-?mail (?:us|me) (?:at|on|via)\b",
    re.IGNORECASE,
)
"""What every shop says of its own address."""
_TARGET = re.compile(r"https?:|[\w.]@[\w-]{1,63}\.\w|[$€£][0-9]")


def counts(place: Place, attack: Attack) -> bool:
    """Whether an attack that a rule sees in a place is one there."""
    if place.what in _ON_DEMAND and attack.rule in OF_MANUALS:
        return False
    if attack.rule not in GUESSING:
        return True
    start, end = attack.span
    is_invitation = _INVITES.match(place.text, start) is not None
    if is_invitation or end - start > LONGEST_GUESS or place.what in _ON_DEMAND:
        return False
    if place.what in _UNSEEN:
        return True
    if attack.rule in BOASTING and place.what != "comment":
        return False
    around = place.text[max(start - _AROUND, 0) : end + _AROUND]
    return _MODEL.search(around) is not None or _TARGET.search(place.text, start, end) is not None
