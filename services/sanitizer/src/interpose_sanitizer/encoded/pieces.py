"""Pieces of lines: strings, cells, what a tag holds, found for all lines at once by array operations."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from interpose_sanitizer.encoded.rows import Mask
from interpose_sanitizer.encoded.source import Indexes, Octets, Source, mapped, octets_of

LONGEST = 48
"""Octets of a piece."""
_COLUMNS = 6
"""Strings, tags or cells of a line that are looked at, from its last one on: others may stand behind the one that
counts."""
_COMMIT = re.compile(rb"(?m)^[ \t]{0,8}+[0-9a-f]{7,40}+ (?=[^\n]{1,48}+$)")
_IS_BORDER = bytes(octet in b",;|\t" for octet in range(256))
_ALIKE = bytes(ord("0") if chr(octet).isdigit() else octet for octet in range(128)) + bytes(range(128, 256))
_IS_RETURN, _CLOSES_ROW = (bytes(octet in signs for octet in range(256)) for signs in (b"\r", b" \t,;|"))
_IS_LETTER = bytes(octet >= 0x80 or chr(octet).isalpha() for octet in range(256))
_OPENS_LINE = bytes(octet >= 0x80 or chr(octet).isalpha() or octet in b"+-*>" for octet in range(256))
_LONGEST_LINE = 26


class Kind(StrEnum):
    """What a piece is in its line: a string, what a tag holds, what stands behind a commit's id, a cell, or all."""

    STRING = "string"
    TAGGED = "tagged"
    COMMIT = "commit"
    CELL = "cell"
    LINE = "line"


Lines = tuple[Indexes, Indexes]
"""Where lines begin, and where they end."""


class Pieces(NamedTuple):
    """The numbers of lines, where in them a piece begins and ends, and what makes two of them alike."""

    numbers: Indexes
    starts: Indexes
    ends: Indexes
    alike: Indexes

    def of_size(self) -> "Pieces":
        """Those that are no longer than a piece is."""
        sizes = self.ends - self.starts
        return self.chosen((sizes > 0) & (sizes <= LONGEST))

    def chosen(self, kept: Mask) -> "Pieces":
        """Some of them."""
        return Pieces(*(some[kept] for some in self))

    def last(self, kind: Kind) -> "Pieces":
        """Of those that are enclosed the last few of each line."""
        # Of quotation marks every other one closes what the one before opens.
        apart = 2 if kind is Kind.STRING else 1
        return self.chosen((self.alike % apart == 0) & (self.alike < apart * _COLUMNS))


_NOTHING = Pieces(*[np.zeros(0, np.intp)] * 4)


def lines_of(octets: Octets) -> Lines:
    """All lines, without what returns at their ends."""
    breaks = np.flatnonzero(octets == ord("\n"))
    lines = np.append(0, breaks + 1), np.append(breaks, octets.size)
    return lines[0], _without_ends(octets, lines, _IS_RETURN)


def enclosed(octets: Octets, lines: Lines) -> Iterator[tuple[Kind, Pieces]]:
    """What stands between two quotation marks, whichever of them opens a string, and what tags hold, each with how many
    marks or tags stand behind it in its line."""
    for quote in b"\"'":
        quotes = np.flatnonzero(octets == quote)
        yield Kind.STRING, _enclosed(lines, quotes, quotes).of_size()
    opening, closing = np.flatnonzero(octets == ord(">")), np.flatnonzero(octets[:-1] == ord("<"))
    # Of tags that close one behind the other the first holds what is said.
    closing = closing[(octets[closing + 1] == ord("/")) & (octets[closing - 1] != ord(">"))]
    yield Kind.TAGGED, _enclosed(lines, opening, closing).of_size()


def others(source: Source, lines: Lines) -> Iterator[tuple[Kind, Pieces]]:
    """Cells, what stands behind the id of a commit, and short lines."""
    octets = source.octets
    yield Kind.CELL, _cells(octets, (lines[0], _without_ends(octets, lines, _CLOSES_ROW))).of_size()
    yield Kind.COMMIT, _commits(source.data, lines).of_size()
    yield Kind.LINE, _short(octets, lines).of_size()


def _without_ends(octets: Octets, lines: Lines, table: bytes) -> Indexes:
    """Where lines end without up to four signs of a table."""
    ends = lines[1]
    for _ in range(4):
        ends = ends - ((ends > lines[0]) & (mapped(octets[np.maximum(ends - 1, 0)], table) > 0))
    return ends


def _enclosed(lines: Lines, opening: Indexes, closing: Indexes) -> Pieces:
    """What stands between a sign that closes something in a line and the one before that opens it."""
    if not (opening.size and closing.size):
        return _NOTHING
    numbers = lines[0].searchsorted(closing, "right") - 1
    behind = closing.searchsorted(lines[1])[numbers] - 1 - np.arange(closing.size)
    first = opening.searchsorted(closing) - 1
    before = opening.take(np.maximum(first, 0))
    kept = np.flatnonzero((behind >= 0) & (first >= 0) & (before >= lines[0][numbers]))
    return Pieces(numbers[kept], before[kept] + 1, closing[kept], behind[kept])


def _cells(octets: Octets, lines: Lines) -> Pieces:
    """The cells of rows that have as many."""
    borders = np.flatnonzero(mapped(octets, _IS_BORDER))
    first, last = borders.searchsorted(lines[0]), borders.searchsorted(lines[1])
    every = [_NOTHING]
    for column in range(_COLUMNS if borders.size else 0):
        numbers = np.flatnonzero((last > first) & (last - first >= column))
        closing, begins = last[numbers] - column, first[numbers]
        ends = borders.take(closing, mode="clip") if column else lines[1][numbers]
        is_first, before = closing == begins, borders.take(closing - 1, mode="clip")
        starts = np.where(is_first, lines[0][numbers], before + 1)
        beside = octets[np.where(is_first, ends, before)]
        alike = ((last[numbers] - begins) * 256 + beside) * _COLUMNS + column
        every.append(Pieces(numbers, starts, ends, alike))
    return Pieces(*map(np.concatenate, zip(*every, strict=True)))


def _commits(data: bytes, lines: Lines) -> Pieces:
    found = np.array([one.span() for one in _COMMIT.finditer(data)], np.intp).reshape(-1, 2)
    numbers = lines[0].searchsorted(found[:, 0])
    return Pieces(numbers, found[:, 1], lines[1][numbers], np.zeros(numbers.size, np.intp))


def _short(octets: Octets, lines: Lines) -> Pieces:
    sizes = lines[1] - lines[0]
    numbers = np.flatnonzero((sizes > 0) & (sizes <= _LONGEST_LINE))
    numbers = numbers[mapped(octets[lines[0][numbers]], _OPENS_LINE) > 0]
    first = octets[lines[0][numbers]]
    is_marked = mapped(first, _IS_LETTER) == 0
    marks = np.where(is_marked, first, 0).astype(np.intp)
    return Pieces(numbers, lines[0][numbers] + is_marked, lines[1][numbers], marks)


def alike(octets: Octets, lines: Lines, some: Pieces, most: int) -> Pieces:
    """With what stands right before each piece in its line, so many octets, whatever its numbers."""
    if not some.numbers.size:
        return some
    begins, told = lines[0][some.numbers], some.alike
    for far in range(1, most + 1):
        places = some.starts - far
        before = octets_of(octets[np.maximum(places, 0)].tobytes().translate(_ALIKE))
        told = told * 256 + np.where(places >= begins, before, 0)
    return some._replace(alike=told)
