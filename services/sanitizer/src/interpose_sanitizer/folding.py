"""Folding: what a character says, whatever it looks like.

Each character by itself becomes its compatibility decomposition, case-folded, without accents and vowel points; what
has no width becomes nothing, and what is blank a space. Rules pass through the same folding, so that both sides agree
on every letter. Texts are folded by a table over all code points, which is made once from the same few lines.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.hidden.characters import ZERO_WIDTH
from interpose_sanitizer.points import EVERY, Places, Points

MOST_WIDTH = 6
"""What one character may become: a ligature of eighteen letters is cut, or a text of them would swell thirtyfold."""

_DROPPED_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
"""Accents (a letter written with one holds one, too), vowel points, stretching: with or without them is the same."""

_LINES = dict.fromkeys("\n\r\x0b\x0c\x85\u2028\u2029", "\n")
_BLANKS = "\u1680\u2800"
_DOTLESS_I = "\u0131"
_REPLACED = "\ufffd"
"""What stands for octets that are no text: amid letters it hides them from whoever looks for words."""
# Planes in which nothing folds, and which the table leaves as they are, would only make it slower to build.
_FOLDING_PLANES = ((1, 0xD800), (0xE000, 0x20000), (0x2F800, 0x2FA20), (0xE0000, 0xE1000))


@dataclass(frozen=True, slots=True)
class Table:
    """The shadow of every character: `first` is it, where `width` is 1; else where in `more` it begins."""

    first: Points
    width: npt.NDArray[np.uint8]
    more: Points

    def fold(self, points: Points) -> tuple[Points, Places | None]:
        """The shadow of a text, and for each character of it the place of its source; None where that is its own."""
        widths = self.width.take(points)
        if bool((widths == 1).all()):
            return self.first.take(points), None
        if int(widths.max()) == 1:
            kept = np.flatnonzero(widths)
            return self.first.take(points.take(kept)), kept
        return self._swollen(points, widths)

    def _swollen(self, points: Points, widths: npt.NDArray[np.uint8]) -> tuple[Points, Places]:
        """What becomes several is looked at by itself: most texts hold few such characters."""
        kept = np.flatnonzero(widths)
        folded, widths = self.first.take(points.take(kept)), widths.take(kept)
        many = np.flatnonzero(widths > 1)
        begins, further = folded[many].astype(np.int64), widths[many].astype(np.int64) - 1
        folded[many] = self.more.take(begins)
        behind = np.repeat(many + 1, further)
        rank = np.arange(behind.size) - np.repeat(np.cumsum(further) - further, further)
        rest = self.more.take(np.repeat(begins, further) + 1 + rank)
        return np.insert(folded, behind, rest), np.insert(kept, behind, kept.take(behind - 1))


def fold(character: str) -> str:
    """The shadow of one character: nothing, one character, or several."""
    return _special(character, _decomposed(character))


@cache
def table() -> Table:
    """`fold` for all characters: a tenth of a second, once."""
    characters = [chr(point) for start, end in _FOLDING_PLANES for point in range(start, end)]
    first, width = np.arange(EVERY, dtype=np.uint32), np.ones(EVERY, np.uint8)
    more: list[str] = []
    begins = 0
    for character, decomposed in zip(characters, _decomposed("\0".join(characters)).split("\0"), strict=True):
        shadow = decomposed if decomposed == character > "\xff" else _special(character, decomposed)
        if shadow != character:
            width[ord(character)] = len(shadow)
            first[ord(character)] = ord(shadow) if len(shadow) == 1 else begins
        if len(shadow) > 1:
            more.append(shadow)
            begins += len(shadow)
    # What decomposes to itself can still have no width, or be blank.
    for character in ("\0", _REPLACED, *ZERO_WIDTH, *_BLANKS, *_LINES):
        width[ord(character)] = len(fold(character))
        first[ord(character)] = ord(fold(character) or "\0")
    return Table(first, width, np.frombuffer("".join(more).encode("utf-32-le"), "<u4"))


def _decomposed(text: str) -> str:
    """Many characters at once where a NUL stands between them: nothing composes or moves across it."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return _DROPPED_MARKS.sub("", folded).replace(_DOTLESS_I, "i")


def _special(character: str, folded: str) -> str:
    if character == "\t":
        return character
    if character in _LINES:
        return "\n"
    if character in ZERO_WIDTH or character == _REPLACED:
        return ""
    if character in _BLANKS:
        return " "
    category = unicodedata.category(character)
    if category in ("Zs", "Cc"):
        return " " if category == "Zs" else ""
    return folded[:MOST_WIDTH]
