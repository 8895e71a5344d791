"""The keys below `hooks`: ours, or a mistake. A mistake never switches a rule off: it refuses the file."""

import difflib

from interpose.config.openclaw import FILE_NAME, OWN_KEYS
from interpose.contracts.keys import Key
from interpose.contracts.paths import SHOWN_CHARACTERS
from interpose.contracts.words import Phase


def objection(text: str) -> str | None:
    """What is wrong with this key, as a sentence with the remedy; None for a good one."""
    if text in OWN_KEYS:
        return f"a setting of OpenClaw's own is only left to it in a file named {FILE_NAME}: take it out of this one"
    try:
        Key.parse(text)
    except ValueError as error:
        return f"{_guess(text)}{error}"
    return None


def _guess(text: str) -> str:
    head, colon, pattern = text.partition(":")
    close = difflib.get_close_matches(head[:SHOWN_CHARACTERS].strip().lower(), list(Phase), n=1)
    return (
        f"did you mean {close[0]}:{pattern[:SHOWN_CHARACTERS].strip()}? "
        if colon and close and head != close[0]
        else ""
    )
