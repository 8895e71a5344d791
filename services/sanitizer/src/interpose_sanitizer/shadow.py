"""The shadow: what a text says once everything that hides it is gone. Rules are matched on it; it is never returned.

Each character by itself becomes its compatibility decomposition, case-folded, without accents and vowel points; what
has no width becomes nothing. Rules pass through the same folding, so that both sides agree on every letter. Escape
sequences of a terminal and our own markers have no shadow: an attack split by either is still whole.
"""

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, islice

from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.hidden.characters import ZERO_WIDTH

_CACHED = 1 << 14
"""More different characters than this are folded again each time: a text must not choose how much is remembered."""

_DROPPED_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]"
)
"""Accents (a letter written with one holds one, too), vowel points, stretching: with or without them is the same."""

_SPACES = {"\t": "\t", "\n": "\n", "\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"}
_DOTLESS_I = "\u0131"

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_NO_SHADOW = re.compile(rf"\[sanitizer: (?:{'|'.join(Family)})\]|\x1b\[[0-?]{{0,32}}[ -/]{{0,4}}[@-~]")


def marker(family: Family) -> str:
    """What stands in the place of an attack. It says nothing that a rule could match."""
    return f"[sanitizer: {family}]"


def fold(character: str) -> str:
    """The shadow of one character: nothing, one character, or several."""
    if character in _SPACES:
        return _SPACES[character]
    if character in ZERO_WIDTH:
        return ""
    category = unicodedata.category(character)
    if category == "Zs":
        return " "
    if category == "Cc":
        return ""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return _DROPPED_MARKS.sub("", folded).replace(_DOTLESS_I, "i")


class _Folding(dict[int, str]):
    """`fold` for str.translate."""

    def __missing__(self, point: int) -> str:
        folded = fold(chr(point))
        if len(self) < _CACHED:
            self[point] = folded
        return folded


_FOLDING = _Folding()


def fold_text(text: str) -> str:
    """The shadow of every character of a text."""
    if text.isascii() and not _CONTROL.search(text):
        return text.lower()
    return text.translate(_FOLDING)


class Shadow:
    """The shadow of one text, and the way back."""

    def __init__(self, text: str) -> None:
        self._source = text
        self._pieces: Sequence[Span] = list(_between(_NO_SHADOW.finditer(text), len(text)))
        self.text = "".join(fold_text(text[start:end]) for start, end in self._pieces)

    def origin(self, span: Span) -> Span:
        """The span of the text itself whose shadow `span`, which is not empty, is."""
        return bisect_right(self._ends, span[0]), bisect_right(self._ends, span[1] - 1) + 1

    @cached_property
    def _ends(self) -> Sequence[int]:
        """For each character of the text, where its shadow ends. Only attacks are worth the counting."""
        ends, length = array("L"), 0
        for start, end in self._pieces:
            ends.extend([length] * (start - len(ends)))
            piece = self._source[start:end]
            if piece.isascii() and not _CONTROL.search(piece):
                ends.extend(range(length + 1, length + len(piece) + 1))
            else:
                widths = map(len, map(_FOLDING.__getitem__, map(ord, piece)))
                ends.extend(islice(accumulate(widths, initial=length), 1, None))
            length = ends[-1] if ends else 0
        return ends


def _between(found: Iterable[re.Match[str]], end: int) -> Iterable[Span]:
    position = 0
    for match in found:
        yield position, match.start()
        position = match.end()
    yield position, end
