"""The frame of an attack: the heading in brackets right above it, and the mark of its end right below.

"[SYSTEM NOTICE FOR THE AI]" heads what was recognised and says nothing itself; "[ENDE SYSTEMNACHRICHT]" is left behind
it. Neither gives anything away alone, for notices among people are framed as well: only what touches an attack goes.
"""

import re
import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

from interpose_sanitizer.covering import covered
from interpose_sanitizer.findings import Family, Hit, Span
from interpose_sanitizer.shadow import fold_text

FAMILY, RULE_ID = Family.FAKE_TURN, "frame-of-an-attack"
"""What its findings are called."""
_MARKS = " \t\r\n.!?\u2026\u3002\uff01\uff1f\"'\u201d\u00bb)"
"""What may stand between an attack and the end of its frame."""
_CLOSING = re.compile(
    r"[ \t]?([\[({]{1,2}/[^\n<>()\[\]{}]{2,40}[\])}]{1,2}|([=#*~_-])\2{1,9}+(?!\2) ?[^\n=#*~_]{2,40}?\2{2,10}+)"
)
"""Such an end right behind an attack, in its line."""
LONGEST = 100
"""Characters between the two."""
_OPENS, _CLOSES = r"[\[<({\u300a\u3010\u3014\u3016]{1,3}", r"[\]>)}\u300b\u3011\u3015\u3017]{1,3}"
_FRAME = re.compile(
    rf"(?m)^[ \t>]{{0,12}}(?:{_OPENS}[^\n<>]{{2,80}}{_CLOSES}|([=#*~_-])\1{{1,39}}+(?!\1)[^\n]{{2,80}}?\1{{2,40}}+)"
    r"[ \t:\uff1a]{0,4}$"
)
"""A line of which all stands in brackets, or between strokes."""
_SLASHED = re.compile(r"[ \t>]{0,12}[^\w\s]{1,3}\s?/")
"""How the end of something in brackets may begin."""

_TAG = re.compile(
    r"(?m)(?:^|(?<=\\[nr])|(?<=[\"'\u201c\xab]))[ \t>]{0,12}"
    r"(?P<tag><(?P<end>/?)(?P<name>[A-ZÀ-ÞΑ-ΩА-Я][A-ZÀ-ÞΑ-ΩА-Я_ -]{1,40})>)"
    r"[ \t]{0,4}(?=$|\\{1,4}[nr]|\\?[\"'\u201d\xbb])"
)
"""A line, or what of it begins or ends a string, of which all is a tag in capitals; also where programs print line
breaks as escapes."""
_LONG_BLOCK = 1200
"""Characters between two such tags that are one notice; more is a document."""


def search(text: str, attacks: Sequence[Span]) -> list[Hit]:
    """What frames some attacks, as far as none of them takes it already."""
    if not attacks:
        return []
    frames = [found.span() for found in _FRAME.finditer(text)]
    begins, ends = (sorted(edge) for edge in zip(*attacks, strict=True))
    taken = covered(len(text), attacks)
    found = [one for one in frames if _heads(text, one, begins) or _closes(text, one, ends)]
    found += [two for one, two in pairwise(frames) if _goes_back(text, one, two, taken, ends)]
    behind = (_CLOSING.match(text, end) for end in ends)
    found += [one.span(1) for one in behind if one and _is_end(fold_text(one[1]))]
    found += _blocks(text, begins)
    return [((begin, end), FAMILY, RULE_ID) for begin, end in found if taken[end] - taken[begin] < end - begin]


def _heads(text: str, frame: Span, begins: Sequence[int]) -> bool:
    """Whether an attack begins in the line below, and this is its heading."""
    behind = bisect_left(begins, frame[1])
    if behind == len(begins) or not _is_break(text, (frame[1], begins[behind]), " \t\r\n"):
        return False
    said = fold_text(text[slice(*frame)])
    return bool(named("readers").search(said) and named("notices").search(said))


def _closes(text: str, frame: Span, ends: Sequence[int]) -> bool:
    """Whether an attack ends in the line above, and this is its end."""
    return _is_behind(text, frame, ends) and _is_end(fold_text(text[slice(*frame)]))


def _is_end(said: str) -> bool:
    """Whether that says, folded, that something ends, and what or for whom."""
    return bool(named("ends").search(said) or _SLASHED.match(said)) and _names_reader(said)


def _names_reader(said: str) -> bool:
    """Whether it says, folded, who is spoken to, or that something is announced."""
    return bool(named("readers").search(said) or named("notices").search(said))


def _goes_back(text: str, one: Span, two: Span, taken: Sequence[int], ends: Sequence[int]) -> bool:
    """Whether an attack pretends that a document ends, and the line behind it that the document goes on."""
    if taken[one[1]] == taken[one[0]] or not _is_behind(text, two, ends, lines=2):
        return False
    said = (fold_text(text[slice(*span)]) for span in (one, two))
    return all(named(which).search(each) for which, each in zip(("ends", "beginnings"), said, strict=True))


def _blocks(text: str, begins: Sequence[int]) -> list[Span]:
    """The blocks between tags in capitals that name a notice and hold an attack, whatever else they say."""
    found: list[Span] = []
    last: dict[str, re.Match[str]] = {}
    """The last opening of each name: other tags may stand within a notice."""
    for tag in _TAG.finditer(text):
        opened = last.get(tag["name"])
        if not tag["end"]:
            last[tag["name"]] = tag
        elif opened and tag.start() - opened.end() <= _LONG_BLOCK:
            said, first = fold_text(tag["name"]), bisect_left(begins, opened.start())
            if begins[first : first + 1] and begins[first] < tag.start() and named("blocks").search(said):
                found.append((opened.start("tag"), tag.end("tag")))
    return found


def _is_behind(text: str, frame: Span, ends: Sequence[int], lines: int = 1) -> bool:
    """Whether an attack ends right before it."""
    before = bisect_right(ends, frame[0]) - 1
    return before >= 0 and _is_break(text, (ends[before], frame[0]), _MARKS, lines)


def _is_break(text: str, span: Span, marks: str, lines: int = 1) -> bool:
    """Whether all that stands there are such marks and no more than so many line breaks."""
    between = text[slice(*span)] if span[1] - span[0] <= LONGEST else "?"
    return not between.strip(marks) and between.count("\n") <= lines


@cache
def named(which: str) -> "re.Pattern[str]":
    """Any of the words of a list, folded as texts are; those of other scripts than Latin wherever they stand."""
    words = tomllib.loads((files(__package__) / "frames.toml").read_text("utf-8"))[which]
    folded = sorted({fold_text(word) for word in words}, key=len, reverse=True)
    return re.compile("|".join(rf"(?<![a-z]){word}" if word.isascii() else word for word in folded))
