"""Tokens of chat templates that prose names without marks, in other languages than English, or with a role behind.

Its line says what such a thing is ("the marker …", "… appears"), and goes on behind the token as a sentence does: no
role follows, whose turn it would be. Where one does, the sentence says where that is written, and nobody is asked for
anything up to the end of the paragraph.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

from interpose_sanitizer import orders
from interpose_sanitizer.findings import Span
from interpose_sanitizer.shadow import fold_text

BEFORE, AFTER, BELOW = 240, 160, 600
"""How far is looked in the line of a token, and for orders behind it, in characters."""
_SIGN = r"(?:<\|[a-z_]{2,24}\|>|<[a-z]{3,6}_of_[a-z]{4,8}>|\[/?inst\]|<</?sys>>)"
_ROLE = r"(?:system|user|assistant|developer|model|human|tool)"
_SPACELESS = r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]"
_BEGINS = re.compile(rf"(?:[^\W\d_][,:]? |{_SPACELESS}|[、,][ ]?)$")
"""What stands right before a token in a sentence."""
_LIST = re.compile(rf"(?:(?:[ ]?[,、][ ]?|[ ]?[^\W\d_]{{1,3}} ){_SIGN}){{0,6}}")
"""Further tokens behind it, with a word between two of them at most."""
_USED = re.compile(rf"[^\n]{{0,24}}\b{_ROLE}\b")
"""The name of who speaks, near behind it."""
_FILLED, _CLOSES = re.compile(r"[^\n]{0,16}:"), re.compile(r"end(?!_header|_of_role)|eo[tms]|/")
"""A colon near behind it, which fills the turn that it opens; and a token that opens none."""
_COPIED = re.compile(
    r"\b(?:tokens?|tags?|markers?|delimiters?|strings?)"
    r"(?: such as| like|,? e\.g\.|,? for (?:example|instance),?)[ :]{1,2}$"
)
_INTO = re.compile(
    rf"{_ROLE} (?:into|in|inside|within|to) (?:an?|the|their|its|his|her|some|untrusted) [a-z]{{3,20}}[.,;)]"
    r"(?:[ ]|$)"
)
_ADDRESSES = re.compile(r"://|[@$]|\b(?:you|your|please|must|now|instead|obey|hereby|credentials?|passwords?|keys?)\b")
_PARTS = re.compile(r"(?<=[.!?;,])\s|\n")


def holds(text: str, span: Span) -> bool:
    """Whether a token of a shadow is only named so."""
    before = text[max(span[0] - BEFORE, 0) : span[0]].rpartition("\n")[2].rstrip("<")
    begin = span[1] + (text[span[1] : span[1] + 1] == ">")
    opens = _CLOSES.search(text[slice(*span)]) is None
    return _is_called(text, before, begin, opens) or _is_copied(text, before, begin)


def _is_called(text: str, before: str, begin: int, opens: bool) -> bool:
    """Whether a sentence of another language goes on around it, in a line that says what it is."""
    end = _LIST.match(text, begin).end()  # type: ignore[union-attr]
    after = text[end : end + AFTER].partition("\n")[0]
    if _BEGINS.search(before) is None or _words("after").match(after) is None or _USED.match(after):
        return False
    if opens and (_FILLED.match(after) or _orders(text[end : end + BELOW])):
        return False
    return _words("names").search(f"{before} {after}") is not None


def _is_copied(text: str, before: str, begin: int) -> bool:
    """Whether it is what somebody writes into something, with the role behind it, in a paragraph that asks nothing."""
    if _COPIED.search(before) is None or _INTO.match(text, begin) is None:
        return False
    below = text[begin : begin + BELOW].partition("\n\n")[0]
    return _ADDRESSES.search(below) is None and not _orders(below)


def names(said: str) -> bool:
    """Whether a text speaks of tokens, in another language than English."""
    return _words("names").search(said) is not None


def _orders(below: str) -> bool:
    """Whether a sentence orders that begins behind it in its paragraph."""
    return orders.begin_any(_PARTS.split(below.partition("\n\n")[0])[1:])


@cache
def _words(kind: str) -> re.Pattern[str]:
    known = tomllib.loads((files(__package__) / "called.toml").read_text("utf-8"))
    each = sorted(map(fold_text, known[kind]), key=len, reverse=True)
    if kind == "names":
        return re.compile("|".join(re.escape(one) for one in each))
    stuck = sorted(map(fold_text, known["after_stuck"]), key=len, reverse=True)
    return re.compile(
        rf"[.)][ ]?$|[ ](?:{'|'.join(map(re.escape, each))})(?=[ .,;!?]|$)|[ ]?(?:{'|'.join(map(re.escape, stuck))})"
    )


def prepare() -> None:
    """Compile the lists of words."""
    _words("names")
    _words("after")
