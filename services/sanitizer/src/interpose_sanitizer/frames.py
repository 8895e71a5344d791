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

from interpose_sanitizer.covering import covered
from interpose_sanitizer.findings import Family, Hit, Span
from interpose_sanitizer.shadow import fold_text

FAMILY, RULE_ID = Family.FAKE_TURN, "frame-of-an-attack"
"""What its findings are called."""
_MARKS = " \t\r\n.!?\u2026\u3002\uff01\uff1f\"'\u201d\u00bb)"
"""What may stand between an attack and the end of its frame."""
_CLOSING = re.compile(r"[ \t]?([\[({]{1,2}/[^\n<>()\[\]{}]{2,40}[\])}]{1,2})")
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


def search(text: str, attacks: Sequence[Span]) -> list[Hit]:
    """What frames some attacks, as far as none of them takes it already."""
    if not attacks:
        return []
    begins, ends = (sorted(edge) for edge in zip(*attacks, strict=True))
    frames = [found.span() for found in _FRAME.finditer(text)]
    found = [one for one in frames if _heads(text, one, begins) or _closes(text, one, ends)]
    behind = (_CLOSING.match(text, end) for end in ends)
    found += [one.span(1) for one in behind if one and _names_reader(one[1])]
    taken = covered(len(text), attacks)
    return [((begin, end), FAMILY, RULE_ID) for begin, end in found if taken[end] - taken[begin] < end - begin]


def _heads(text: str, frame: Span, begins: Sequence[int]) -> bool:
    """Whether an attack begins in the line below, and this is its heading."""
    behind = bisect_left(begins, frame[1])
    if behind == len(begins) or not _is_break(text, (frame[1], begins[behind]), " \t\r\n"):
        return False
    said = fold_text(text[slice(*frame)])
    return bool(_named("readers").search(said) and _named("notices").search(said))


def _closes(text: str, frame: Span, ends: Sequence[int]) -> bool:
    """Whether an attack ends in the line above, and this is its end."""
    before = bisect_right(ends, frame[0]) - 1
    if before < 0 or not _is_break(text, (ends[before], frame[0]), _MARKS):
        return False
    said = fold_text(text[slice(*frame)])
    return bool(_named("ends").search(said) or _SLASHED.match(said)) and _names_reader(said)


def _names_reader(said: str) -> bool:
    """Whether it says who is spoken to, or that something is announced."""
    folded = fold_text(said)
    return bool(_named("readers").search(folded) or _named("notices").search(folded))


def _is_break(text: str, span: Span, marks: str) -> bool:
    """Whether all that stands there are such marks and no more than one line break."""
    between = text[slice(*span)] if span[1] - span[0] <= LONGEST else "?"
    return not between.strip(marks) and between.count("\n") <= 1


@cache
def _named(which: str) -> "re.Pattern[str]":
    """Any of the words of a list, folded as texts are; those of other scripts than Latin wherever they stand."""
    words = tomllib.loads((files(__package__) / "frames.toml").read_text("utf-8"))[which]
    folded = sorted({fold_text(word) for word in words}, key=len, reverse=True)
    return re.compile("|".join(rf"(?<![a-z]){word}" if word.isascii() else word for word in folded))
