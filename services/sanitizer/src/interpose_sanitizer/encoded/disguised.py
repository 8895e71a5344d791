"""Sentences that are disguised word after word: letters that stand apart, are drawn otherwise, or are digits.

Single words of that kind are read elsewhere (`readings`), by the rules for every text. A row of them is a payload: who
writes a whole sentence so means it to be read by a machine, and not by a filter.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import re2  # type: ignore[import-untyped]

from interpose_sanitizer import leet, lookalikes
from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.extent import STRING_ENDS
from interpose_sanitizer.encoded.likeness import likelihoods
from interpose_sanitizer.encoded.source import Source
from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import EVERY, points_of, text_of
from interpose_sanitizer.shadow import fold_text

APART = "apart"
"""What letters that stand apart are called as an encoding."""
MOST_ROWS = 1_000
"""Of one kind in one text. What is left is refused."""
FEWEST_GAPLESS, FEWEST_DIFFERENT, LIKELY = 30, 10, 19
"""Letters of a sentence that has no gaps between its words, how many of them differ, and four times how likely two of
them stand side by side."""
_KINDS = {
    "a": [(0x41, 0x5A), (0x61, 0x7A)],
    "f": [(0x370, 0x3FF), (0x400, 0x52F), (0x1F00, 0x1FFF)],
    "u": [(0xAD, 0xAD), (0x34F, 0x34F), (0x180E, 0x180E), (0x200B, 0x200D), (0x2060, 0x2060), (0xFEFF, 0xFEFF)],
    "x": [
        *[(0x300, 0x34E), (0x350, 0x36F), (0x1AB0, 0x1AFF), (0x20D0, 0x20FF), (0x1D00, 0x1D7F), (0x1E00, 0x1E9F)],
        *[(0x2460, 0x24FF), (0xA730, 0xA7FF), (0x1D400, 0x1D7FF), (0x1F110, 0x1F189), (0xFF21, 0xFF5A)],
        *[(one, one) for one in (0x262, 0x26A, 0x274, 0x280, 0x28F, 0x299, 0x29C, 0x29F)],
    ],
    "e": [(0x21, 0x21), (0x2E, 0x2E), (0x3F, 0x3F)],
    "n": [
        *[(0x23, 0x2D), (0x2F, 0x3B), (0x40, 0x40), (0x5F, 0x5F), (0x7E, 0x7E), (0xC0, 0x24F), (0x1EA0, 0x1EFF)],
        (0x2019, 0x2019),
    ],
    " ": [(0x09, 0x09), (0x20, 0x20), (0x22, 0x22)],
}
"""Letters of ASCII; of Greek and Cyrillic; what nobody sees; letters that are drawn otherwise: with marks that they do
not need, small capitals, in circles and squares, those of mathematics, wide ones; what ends sentences; what else stands
in words; gaps."""
_SIGNS = r"\-|._*~/·•"
_PICTURES = (0x1F000, 0x1FC00)
_ENCLOSED = ((0x249C, 0x24EA), (0x1F110, 0x1F200))
_ENCLOSED_LETTERS = re.compile(f"[{''.join(f'{chr(begin)}-{chr(end - 1)}' for begin, end in _ENCLOSED)}]")
"""Letters in circles, squares and brackets, and those that flags are made of."""
_NARROW = ((0xA0, 0xA1), (0x2002, 0x200B), (0x202F, 0x2030), (0x205F, 0x2060))
_NARROW_BLANKS = re.compile(f"[{''.join(f'{chr(begin)}-{chr(end - 1)}' for begin, end in _NARROW)}]")
"""Blanks of other widths than that between words: they are put between letters."""
FEWEST_LONG = 2
"""Words with digits for letters of three characters and more, in a row that says something."""
_LONG_WORD = re.compile(r"[\w'@$]{3,}+")
_WIDE = re.compile(r"([,.;:!?]?)(?: {2,8}| (?=[/|]))(?:[/|] {0,4})?")
_SEPARATOR = rf"(?:[{_SIGNS}]|[\u2190-\u2bff\U0001f000-\U0001fbff])"
_BETWEEN_LETTERS = re.compile(rf"(?<=[^\W_]){_SEPARATOR}(?=[^\W_])|(?<=[^\W_])-(?=[:,.])")
_BETWEEN_WORDS = re.compile(rf"{_SEPARATOR} {_SEPARATOR}")
_ALPHABETS = [
    *[(0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x24F), (0x370, 0x52F), (0x531, 0x587), (0x5D0, 0x5EA), (0x620, 0x6D3)],
    *[(0x900, 0xD7F), (0x10A0, 0x10FF), (0x1200, 0x137F), (0x1E00, 0x1FFF)],
]
"""Letters beyond ASCII that words are written with in scripts that put spaces between words."""


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """Every kind."""
    found: list[tuple[str, Any, Callable[[str], str]]] = [(APART, _apart(), _joined), ("leet", _leet(), _of_digits)]
    if not source.text.isascii():
        found.append(("drawn", _drawn(), _redrawn))
    for name, rows, read in found:
        some = [match.span() for match in islice(rows.finditer(source.text), MOST_ROWS + 1)]
        if some:
            yield _payloads(name, source.text, some, read)


def _payloads(name: str, text: str, rows: list[Span], read: Callable[[str], str]) -> Batch:
    """Each row as what it says. One more than is read goes on to the end of the text, and nobody judges it."""
    cut = range(MOST_ROWS, len(rows))
    if cut:
        rows[-1] = rows[-1][0], len(text)
    return Batch.of_payloads(name, [(span, read(text[slice(*span)])) for span in rows], cut)


class _Apart:
    """Words of which each letter stands by itself, four and more in a row: behind signs, or with wide gaps between. Or
    a whole sentence of such letters with no gaps between its words, as long as a sentence is."""

    def __init__(self) -> None:
        signs = _SIGNS.replace("·•", "")
        rest = rf"(?:[{signs}:']{{1,8}}[A-Za-z0-9])+\b[{signs}]?"
        word, other = rf"[A-Za-z]{rest}", rf"[A-Za-z0-9]{rest}"
        gap = r"[,.;:!?]?(?: {2,6}| {1,4}[/|] {1,4})"
        spaced, wide = (rf"\b[A-Za-z0-9](?:{space}[A-Za-z0-9])+\b" for space in (" ", " {2}"))
        lone = r"(?: ?[,.;:!?]){0,2} "
        self._rows = re2.compile(
            rf"\b{word}(?:[ \t,.;:!?\"'()\-]{{1,5}}[{signs}]?(?:{other}|\b[A-Za-z0-9]\b)){{3,}}"
            rf"|{spaced}(?:{gap}(?:{spaced}|\b[A-Za-z0-9]\b)){{3,}}"
            rf"|{wide}(?:[,.;:!?]? {{3,8}}(?:{wide}|\b[A-Za-z0-9]\b)){{3,}}"
            rf"|\b(?P<gapless>[A-Za-z](?:(?:{lone}[0-9]){{0,4}}{lone}[A-Za-z]\b){{{FEWEST_GAPLESS - 1},}}(?: ?[.!?])?)"
        )

    def finditer(self, text: str) -> Iterator[Any]:
        """Where such words stand in a row, in any alphabet: the pattern is of ASCII, as the ends of its words are."""
        rows = self._rows.finditer(text if text.isascii() else _in_ascii(text))
        return (row for row in rows if row["gapless"] is None or _says_something(text[slice(*row.span())]))


_apart = cache(_Apart)


def _says_something(row: str) -> bool:
    """Whether letters without gaps between words are those of a sentence: of many kinds, and beside each other as in
    words. Bases, notes, classes and the alphabet stand in rows, too. Of other scripts nobody knows what is likely."""
    letters = "".join(sign for sign in row.lower() if sign.isalpha())
    if len({*letters}) < FEWEST_DIFFERENT:
        return False
    if not letters.isascii() and sum(map(str.isascii, letters)) * 2 < len(letters):
        in_order = sum(ord(after) - ord(before) in (0, 1) for before, after in pairwise(letters))
        return in_order * 2 < len(letters)
    steps = len(letters) - 1
    return bool(likelihoods(points_of(letters))[-1] >= steps * LIKELY)


def _in_ascii(text: str) -> str:
    """A text with the same letter for all letters of other alphabets, and one sign for its dots and pictures."""
    points = points_of(text)
    is_picture = (points >= _PICTURES[0]) & (points < _PICTURES[1])
    points = np.where(is_picture, np.where(_enclosed().take(points) > 0, ord("a"), ord("*")), points)
    return _ASCII.take(np.minimum(points, 0x2FFF)).tobytes().decode("ascii")


@cache
def _enclosed() -> npt.NDArray[np.uint8]:
    """For each code point the letter that it is in a circle, in a square, or as half of a flag; 0 for none."""
    letters = np.zeros(EVERY, np.uint8)
    for begin, end in _ENCLOSED:
        letters[begin:end] = lookalikes.latin()[begin:end]
        for point in range(begin, end):
            plain = unicodedata.normalize("NFKD", chr(point)).strip("()").lower()
            letters[point] = ord(plain) if plain.isascii() and plain.isalpha() and len(plain) == 1 else letters[point]
    return letters


def _table_of_ascii() -> npt.NDArray[np.uint8]:
    table = np.zeros(0x3000, np.uint8)
    table[:0x80] = np.arange(0x80)
    for begin, end in _ALPHABETS:
        table[begin : end + 1] = ord("a")
    table[[ord("·"), ord("•")]] = ord("*")
    table[0x2190:0x2C00] = ord("*")
    table[0x249C:0x24EA] = ord("a")
    for begin, end in _NARROW:
        table[begin:end] = ord("_")
    return table


_ASCII = _table_of_ascii()


def _joined(row: str) -> str:
    if not row.isascii():
        row = _NARROW_BLANKS.sub("_", _ENCLOSED_LETTERS.sub(lambda one: chr(_enclosed()[ord(one[0])] or ord("*")), row))
    if row[1] != " ":
        return _BETWEEN_LETTERS.sub("", _BETWEEN_WORDS.sub(" ", row))
    row = row if row[2] != " " else row.replace("  ", " ")
    return _WIDE.sub(r"\1\t", row).replace(" ", "").replace("\t", " ")


class _Leet:
    """Words of letters and of digits that could be letters, among no more than a plain one for each."""

    def __init__(self) -> None:
        word = r"(?:\b[A-Za-z][A-Za-z']{0,11}[013-57@$][\w@$']{0,11}|\b[013-57@$]{1,4}[A-Za-z][\w@$']{0,11})\b"
        gap = r"[ \t,.;:!?\"'()]{1,4}"
        self._rows = re2.compile(rf"{word}(?:{gap}(?:[\w'@$]{{1,12}}{gap}){{0,2}}?{word}){{3,}}")

    def finditer(self, text: str) -> Iterator[Any]:
        """Where such words stand in a row that says something."""
        return (row for row in self._rows.finditer(text) if self._says_something(row[0]))

    @staticmethod
    def _says_something(row: str) -> bool:
        """Whether a row is none of keys, sizes of paper or escapes: some of its words with digits are long."""
        words = (word for word in _LONG_WORD.findall(row) if not (word.isalpha() or word.isdigit()))
        return sum(1 for _ in words) >= FEWEST_LONG


_leet = cache(_Leet)


def _of_digits(row: str) -> str:
    return text_of(leet.spelled(points_of(row.lower()))[0])


_STRING_ENDS = re.compile(STRING_ENDS)


class _Drawn:
    """Words with letters that are drawn otherwise, of two scripts at once, or with something between that nobody sees;
    and the few that the sentence ends with."""

    def __init__(self) -> None:
        self._kinds = np.full(EVERY, ord("."), np.uint8)
        for kind, ranges in _KINDS.items():
            for begin, end in ranges:
                self._kinds[begin : end + 1] = ord(kind)
        odd, gap = "[aefnux]*(?:x|af|fa|aua)", " {1,4}"
        between = f"{gap}(?:[aefnux]{{1,16}}{gap}){{0,2}}?"
        last = f"(?:{odd}(?:[aefnux]*[afnux])?(?:{gap}[afnux]{{1,40}}){{1,4}}|{odd}[aefnux]*)"
        self._rows = re2.compile(f"{odd}[aefnux]*(?:{between}{odd}[aefnux]*)+{between}{last}")

    def finditer(self, text: str) -> Iterator[Any]:
        """Where such words stand in a row. The pattern is of kinds of signs: of all letters it would be huge."""
        kinds = self._kinds.take(points_of(text))
        kinds[[found.start() for found in _STRING_ENDS.finditer(text)]] = ord(".")
        found: Iterator[Any] = self._rows.finditer(kinds.tobytes().decode("ascii"))
        return found


_drawn = cache(_Drawn)


def _redrawn(row: str) -> str:
    folded = fold_text(row)
    read = lookalikes.as_latin(points_of(folded))
    return folded if read is None else text_of(read)
