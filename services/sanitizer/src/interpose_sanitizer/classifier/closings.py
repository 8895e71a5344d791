"""How mails and tickets close: thanks and regards, and whose. Beside an attack they are no part of it."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from interpose_sanitizer import orders

LONGEST = 70
"""Characters of a closing at most."""
_NAME = r"[A-Z\xc0-\xde\u0391-\u03a9\u0410-\u042f][a-z\xdf-\xff\u03ac-\u03ce\u0430-\u045f'\u2019]{0,14}\.?"
"""One word with a capital: more, or in a script without any, could say something."""


def is_closing(said: str) -> bool:
    """Whether a sentence is nothing but that; a name that orders is none."""
    found = _closing().fullmatch(said) if len(said) <= LONGEST else None
    return found is not None and not (found[1] and orders.begins(found[1].lower(), (0, len(found[1]))))


@cache
def _closing() -> "re.Pattern[str]":
    known = tomllib.loads((files(__package__) / "closings.toml").read_text("utf-8"))
    dash = r"[\u2013\u2014-]"
    return re.compile(
        rf"(?i:{'|'.join(known['regards'])})(?:[,.!]|{dash}){{0,2}}(?:\s{{1,4}}{dash}?\s?({_NAME}))?[.!]?"
    )
