"""Conversations that a text plays: where one turn is an attack, those before and behind it are its setting.

A turn is what stands behind the name of who speaks and a colon, up to the next name or the end of its line or field.
Turns that follow each other are a conversation if both a model and somebody else speak in it.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from interpose_sanitizer.findings import Hit, Span

LONGEST = 1_200
"""Characters of a turn."""
_BETWEEN = re.compile(r"(?:\s|\\[nrt]|[#*>/|_-]){0,16}")
_ENDS = re.compile(r"(?=\n)|(?=\\[nr])|(?=\\?[\"'][ \t]{0,8}[,}\]])|(?=-->)|(?=\*/)|(?=<(?:/|!|[A-Za-z]))|$")


class Turn(NamedTuple):
    """What one speaker says, with the name."""

    span: Span
    is_of_model: bool


def with_their_settings(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """The same attacks, and the other turns of conversations that one of them stands in."""
    found = list(hits)
    for turns in _conversations(text) if hits and ":" in text.replace("\uff1a", ":") else ():
        of = next((hit for hit in hits if any(_touch(hit[0], turn.span) for turn in turns)), None)
        if of is not None:
            found += ((turn.span, *of[1:]) for turn in turns if not any(_holds(hit[0], turn.span) for hit in hits))
    return found


def _touch(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _holds(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _conversations(text: str) -> Iterator[Sequence[Turn]]:
    """Turns that follow each other, if they are of two."""
    turns = list(_turns(text))
    apart = [place for place, (one, other) in enumerate(pairwise(turns), 1) if not _follow(text, one, other)]
    for first, last in pairwise([0, *apart, len(turns)]):
        if len({turn.is_of_model for turn in turns[first:last]}) > 1:
            yield turns[first:last]


def _turns(text: str) -> Iterator[Turn]:
    for label, following in pairwise([*_label().finditer(text), None]):
        if label is not None:
            limit = min(label.end() + LONGEST, following.start() if following else len(text))
            end = _ENDS.search(text, label.end(), limit)
            said = text[label.start() : end.start() if end else limit].rstrip()
            yield Turn((label.start(), label.start() + len(said)), label[1] is not None)


def _follow(text: str, one: Turn, other: Turn) -> bool:
    return _BETWEEN.fullmatch(text, one.span[1], other.span[0]) is not None


@cache
def _label() -> "re.Pattern[str]":
    known = tomllib.loads((files(__package__) / "dialogues.toml").read_text("utf-8"))
    model, others = ("|".join(map(re.escape, some)) for some in (known["model"], known["person"] + known["system"]))
    return re.compile(
        rf"(?:(?<!\w)|(?<=\\[nrt]))(?:({model})|{others})[ ]?(?:\([^()\n]{{1,24}}\)[ ]?)?[:\uff1a](?!/)", re.IGNORECASE
    )
