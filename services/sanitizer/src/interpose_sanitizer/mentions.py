"""Telling an attack that is mentioned from one that is made: an article about injections is no injection.

An attack is mentioned where it stands in quotation marks, in one line, and the text around them says that it speaks of
attacks. Where the quotation is nothing but the attack, a word that something is being named is enough: what could
follow such a phrase stands outside the marks. A token of a chat template is only mentioned in the latter way.

All of it looks at the shadow of a text, and at no more than a few hundred characters around each match.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.shadow import fold_text

BEFORE, INSIDE, AFTER = 240, 240, 160
"""How far is looked, in characters: before and behind the quotation, and from the attack to its marks."""

_OPENS = re.compile(r"(?:^|[\s(\[{,:;-]|[^\x00-\x7f])$")
_CLOSES = re.compile(r"[\s)\]}.,;:!?-]|$|[^\x00-\x7f]")
_PADDING = " .,!?\u2026:;`*"


def is_mentioned(text: str, span: Span, family: Family) -> bool:
    """Whether the attack at `span` of this shadow is only spoken of."""
    quotation = _quotation(text, span)
    if quotation is None:
        return False
    start, end = quotation
    inside = text[start + 1 : span[0]] + text[span[1] : end - 1]
    is_bare = not inside.strip(_PADDING)
    if family is Family.CHAT_TEMPLATE and not is_bare:
        return False
    around = _paragraph(text, start, end)
    return _words("attack").search(around) is not None or (is_bare and _words("mention").search(around) is not None)


def _quotation(text: str, span: Span) -> Span | None:
    """The nearest quotation marks around a span, with themselves; None when there are none in its line."""
    pairs = _known()["quotes"]
    left = text[max(span[0] - INSIDE, 0) : span[0]].rpartition("\n")[2]
    right = text[span[1] : span[1] + INSIDE].partition("\n")[0]
    for found in reversed(list(_marks().finditer(left))):
        mark, place = found[0], span[0] - len(left) + found.start()
        if mark in pairs and _OPENS.search(text[max(place - 1, 0) : place]):
            end = _closing(text, right, span[1], pairs[mark])
            return None if end is None else (place, end)
        if mark not in pairs:
            return None
    return None


def _closing(text: str, right: str, base: int, marks: str) -> int | None:
    for found in _marks().finditer(right):
        place = base + found.end()
        if found[0] in marks and _CLOSES.match(text[place : place + 1]):
            return place
    return None


def _paragraph(text: str, start: int, end: int) -> str:
    """What stands around a quotation in its own paragraph, without it."""
    before = text[max(start - BEFORE, 0) : start].rpartition("\n\n")[2]
    after = text[end : end + AFTER].partition("\n\n")[0]
    return f"{before}\n{after}"


@cache
def _words(kind: str) -> "re2._Regexp":
    return re2.compile("|".join(re2.escape(fold_text(word)) for word in _known()[kind]))


@cache
def _marks() -> "re.Pattern[str]":
    """Everything that opens a quotation or closes one."""
    pairs = _known()["quotes"]
    return re.compile(f"[{re.escape(''.join({*pairs, *''.join(pairs.values())}))}]")


@cache
def _known() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "mentions.toml").read_text("utf-8"))
