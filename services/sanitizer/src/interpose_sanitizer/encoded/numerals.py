"""Text as a list of numbers: code points in decimal, octal or binary; Morse, whose letters are numbers of two signs."""

import string
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.rows import Alphabets, bounds, dilated, eroded, spread
from interpose_sanitizer.encoded.source import Indexes, Octets, Source, mapped
from interpose_sanitizer.findings import Span

_BETWEEN, _OTHER = 0xFE, 0xFF
_END = 0x1E
_LONGEST_GAP = 10
_SHORTEST = 12
"""Numbers in a row."""
_LEAST_LETTERS = 0.7

Points = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Numerals:
    """How a text is written in numbers of `base`, with `least` to `most` digits. `points`: what each number means."""

    name: str
    base: int
    least: int
    most: int
    table: bytes
    points: Points
    has_gaps: bool = False
    """Whether words are told apart by a longer gap."""


def _table(digits: dict[str, int], between: str) -> bytes:
    table = bytearray([_OTHER]) * 256
    for sign in between:
        table[ord(sign)] = _BETWEEN
    for sign, digit in digits.items():
        table[ord(sign)] = digit
    return bytes(table)


def _numbers(name: str, base: int, least: int, most: int) -> Numerals:
    points = np.zeros(base**most if base != 10 else 0x110000, np.uint32)
    for low, high in (
        (9, 11),
        (13, 14),
        (32, 127),
        (0x80, 0x250),
        (0x370, 0x2070),
        (0x3000, 0xD7A4),
        (0xFF00, 0x20000),
    ):
        points[low:high] = np.arange(low, high, dtype=np.uint32)[: max(len(points) - low, 0)]
    digits = {str(digit): digit for digit in range(base)}
    return Numerals(name, base, least, most, _table(digits, " \t\r\n,;:|/-_'\".+()[]#*&"), points)


_SIGNS = """
.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..
----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----.
.-.-.- --..-- ..--.. -.-.-- .----. -..-. ---... -...- .--.-. -....-
"""
MORSE = dict(zip(string.ascii_lowercase + string.digits + ".,?!'/:=@-", _SIGNS.split(), strict=True))


def _morse() -> Numerals:
    points = np.zeros(3**6, np.uint32)
    digits = {".": 1, "-": 2, "_": 2}
    for letter, signs in MORSE.items():
        number = 0
        for sign in signs:
            number = number * 3 + digits[sign]
        points[number] = ord(letter)
    return Numerals("morse", 3, 1, 6, _table(digits, " \t\r\n/|#"), points, has_gaps=True)


KINDS = (_numbers("decimal", 10, 1, 6), _numbers("octal", 8, 2, 4), _numbers("binary", 2, 5, 8), _morse())
_ALIKE = {"-": "\u2212\u2013\u2014\u2012", ".": "\u00b7\u2022\u2219\u22c5"}
"""Signs that are written for the two of Morse."""
_MARKS = (
    *("UNICHAR(", "unichar(", "NCHAR(", "nchar(", "ChrW(", "CHAR(", "char(", "chr(", "Chr(", "CHR("),
    *("0b", "0o", "<br>", "<br/>", "\\n", "\\r", "\\t"),
)
_SETS = [bytes(octet for octet in range(256) if kind.table[octet] != _OTHER) for kind in KINDS]
_ALPHABETS = Alphabets([(octets, 2 * _SHORTEST - 1) for octets in _SETS])
_OTHERS = "".join([*_ALIKE.values(), *_MARKS]).encode()
_WRITTEN = Alphabets([(b"".join(_SETS) + _OTHERS, 2 * _SHORTEST - 1)])
"""All of them together, as they are written."""


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """Every list of numbers that makes words."""
    (stretches,) = _WRITTEN.stretches(source.octets)
    if len(stretches.begins) == 0:
        return
    source = _plain(source.excerpt(*stretches))
    for kind, is_present in zip(KINDS, _ALPHABETS.present(source.octets), strict=True):
        if is_present and (tokens := _Tokens.of(source, kind)) is not None:
            yield tokens.batch()


def _plain(source: Source) -> Source:
    """With other signs for Morse as the usual ones, and gaps for what programs and pages write beside a number.

    It is as long as the source, and so is each of its characters.
    """
    text = source.text
    if not text.isascii():
        for sign, others in _ALIKE.items():
            for other in others:
                text = text.replace(other, sign)
    for mark in _MARKS:
        if mark in text:
            text = text.replace(mark, " " * len(mark))
    return source if text == source.text else source.rewritten(text)


class _Tokens:
    """The numbers of a source, and the rows of them that could be text."""

    def __init__(self, source: Source, kind: Numerals, numbers: Octets, starts: Indexes, ends: Indexes) -> None:
        self._source, self._kind, self._starts, self._ends = source, kind, starts, ends
        self._points = self._meant(numbers)
        links = (self._points[:-1] > 0) & (self._points[1:] > 0) & self._linked(numbers)
        rows = eroded(links, _SHORTEST - 1, 1)
        first, end = bounds(rows)
        self._first, self._counts = first, end - first + _SHORTEST - 1
        self._only_words()

    @classmethod
    def of(cls, source: Source, kind: Numerals) -> "_Tokens | None":
        """None where there are too few."""
        numbers = mapped(source.octets, kind.table)
        rows = eroded(numbers != _OTHER, 2 * _SHORTEST - 1, 1)
        if not rows.any():
            return None
        is_kept = dilated(rows, 2 * _SHORTEST - 2)
        starts, ends = bounds((numbers < kind.base) & is_kept)
        if len(starts) < _SHORTEST:
            return None
        tokens = cls(source, kind, numbers, starts, ends)
        return tokens if len(tokens._first) else None

    def _meant(self, numbers: Octets) -> Points:
        """What each number stands for; 0 for nothing."""
        lengths = self._ends - self._starts
        value = np.zeros(len(lengths), np.intp)
        for index in range(self._kind.most):
            digit = numbers[np.maximum(self._ends - 1 - index, 0)].astype(np.intp)
            value += np.where(index < lengths, digit * self._kind.base**index, 0)
        edges = np.concatenate(([_BETWEEN], numbers, [_BETWEEN]))
        value[(edges[self._starts] == _OTHER) | (edges[self._ends + 1] == _OTHER)] = 0
        is_good = (lengths >= self._kind.least) & (lengths <= self._kind.most) & (value < len(self._kind.points))
        return np.where(is_good, self._kind.points[np.where(is_good, value, 0)], 0).astype(np.uint32)

    def _linked(self, numbers: Octets) -> NDArray[np.bool_]:
        """Whether nothing but a short gap stands between a number and the next."""
        gaps = self._starts[1:] - self._ends[:-1]
        is_linked = gaps <= _LONGEST_GAP
        for index in range(_LONGEST_GAP):
            place = np.minimum(self._ends[:-1] + index, len(numbers) - 1)
            is_linked &= (index >= gaps) | (numbers[place] == _BETWEEN)
        return is_linked

    def _only_words(self) -> None:
        """Tables of numbers look like lists of code points. Text is mostly letters and spaces."""
        if len(self._first) == 0:
            return
        points = self._points[spread(self._first, self._counts, 1)]
        is_letter = (points == 32) | ((points | 32 >= 97) & (points | 32 <= 122)) | (points >= 0x80)
        letters = np.add.reduceat(is_letter, np.cumsum(self._counts) - self._counts, dtype=np.intp)
        is_text = letters >= _LEAST_LETTERS * self._counts
        self._first, self._counts = self._first[is_text], self._counts[is_text]

    def batch(self) -> Batch:
        """The rows as text."""
        chosen = spread(self._first, self._counts, 1)
        signs = np.zeros((len(chosen), 2), np.uint32)
        signs[:, 0] = self._points[chosen]
        if self._kind.has_gaps:
            signs[:, 1] = np.where(self._ends_word(chosen), ord(" "), 0)
        signs[np.cumsum(self._counts) - 1, 1] = _END
        spelled = signs.ravel()[signs.ravel() > 0].astype("<u4").tobytes().decode("utf-32-le", "ignore")
        return Batch(self._kind.name, [_of_octets(part) for part in spelled.split(chr(_END))[:-1]], self._place)

    def _ends_word(self, chosen: Indexes) -> NDArray[np.bool_]:
        following = self._starts[np.minimum(chosen + 1, len(self._starts) - 1)]
        gap = self._source.octets[np.minimum(self._ends[chosen], len(self._source.data) - 1)]
        is_last: NDArray[np.bool_] = (
            (following - self._ends[chosen] > 1) | (gap == ord("/")) | (gap == ord("|")) | (gap == ord("\n"))
        )
        return is_last

    def _place(self, index: int, _: Span) -> Span:
        first = self._first[index]
        start, end = self._starts[first], self._ends[first + self._counts[index] - 1]
        return self._source.characters((int(start), int(end)))


def _of_octets(text: str) -> str:
    """The numbers may have been those of the octets."""
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text
