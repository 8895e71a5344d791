"""Text in digits that stand for groups of bits: base64, base32, hexadecimal, binary, base85.

All groups of a text are decoded at once, at each place one could begin, and rows of them that make plausible text are
kept: no matter what stands before a payload, how it is wrapped, or in what blob it lies. A key, a hash or an image has
no such rows but by chance, and then too short ones.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from interpose_sanitizer.encoded.batch import Batch, Place
from interpose_sanitizer.encoded.readings import by_words
from interpose_sanitizer.encoded.rows import Mask, Stretches, bounds, dilated, eroded, spread
from interpose_sanitizer.encoded.source import Indexes, Octets, Source, mapped, octets_of
from interpose_sanitizer.findings import Span

OTHER = 0xFF
"""What is no digit."""
_ADDRESS = re.compile(rb"data:[a-z0-9;=/+. -]{0,80}base64,", re.IGNORECASE)
_LONGEST_ADDRESS = 100
_WORD_BEHIND = re.compile(rb"(?:\s{1,80}|,)(?:[A-Z]?[a-z]{0,15}|[A-Z]{1,15})\Z")
_WORD_BEFORE = re.compile(rb"(?:[a-z]{1,15}|[A-Z]{1,15})(?:\s{1,80}|,)")
_BEGUN_BEHIND = re.compile(rb"[\"'`][^\"'`]{1,80}\Z")
_BEGUN_IN_LINE = 8
"""Digits at the beginning of a line that goes on with more of them, and says nothing: those of a date in a log."""
_END = 0x1E
"""Behind each decoded row; no text holds it."""

Planes = Callable[[Octets, int], list[Octets]]


@dataclass(frozen=True, slots=True)
class Radix:
    """An encoding: `digits` of them make `octets`. `table` gives each octet of a text its digit, or OTHER.

    `skipped` may stand between digits. `planes` decodes the groups that begin at each of so many places, an array for
    each octet of a group. `needs` tells for each octet how many digits it takes when a group is cut short. `shortest`
    is the least number of groups in a row. `reading` is how the source is read for it, place by place.
    `is_also_reversed`: it is looked for from the end, too.
    """

    name: str
    base: int
    digits: int
    octets: int
    table: bytes
    skipped: bytes
    planes: Planes
    needs: tuple[int, ...]
    shortest: int
    reading: Callable[[Source], bytes]
    is_also_reversed: bool = False


def spelled(source: Source, radix: Radix, stretches: Stretches) -> Iterator[Batch]:
    """Everything that such digits spell in some parts of a source, among which are all long rows of them."""
    data = radix.reading(source)
    digits = octets_of(stretches.of(data).translate(radix.table, radix.skipped))
    ends = eroded(digits < radix.base, radix.shortest * radix.digits, 1)
    if not ends.any():
        return
    kept = np.flatnonzero(dilated(ends, radix.shortest * radix.digits)[: len(digits)])
    digits, places = digits[kept], _Places(source, data, radix, stretches, kept)
    rows = _Rows(digits, radix)
    if len(rows.first):
        yield rows.batch(radix.name, places.of(rows.first, rows.last))
    if radix.is_also_reversed:
        rows = _Rows(digits[::-1], radix)
        if len(rows.first):
            yield rows.batch(f"reversed/{radix.name}", places.of_reversed(rows.first, rows.last))


# What an octet can be (lower half), and what may follow it (upper half): a sign of text, the first octet of a longer
# sign, a further octet of it, the zero that fills UTF-16.
_TEXT, _LEAD, _MORE, _ZERO = 1, 2, 4, 8


def _class(octet: int) -> int:
    if octet in (9, 10, 13) or 32 <= octet < 127:
        return _TEXT | (_TEXT | _LEAD | _ZERO) << 4
    if 0xC2 <= octet < 0xF5:
        return _LEAD | _MORE << 4
    if 0x80 <= octet < 0xC0:
        return _MORE | (_MORE | _TEXT | _LEAD) << 4
    return _ZERO | _TEXT << 4 if octet == 0 else 0


_CLASSES = bytes(map(_class, range(256)))


def _follows(before: Octets, after: Octets) -> Mask:
    follows: Mask = (before >> 4) & after != 0
    return follows


def follows(before: Octets, after: Octets) -> Mask:
    """Which octets may stand before which others in a text."""
    return _follows(mapped(before, _CLASSES), mapped(after, _CLASSES))


class _Rows:
    """Rows of groups that make plausible text: the places of the first and the last group of each."""

    def __init__(self, digits: Octets, radix: Radix) -> None:
        self._radix = radix
        self._digits = np.concatenate((digits, np.full(3 * radix.digits, OTHER, np.uint8)))
        places = len(digits) + radix.digits
        self._planes = radix.planes(np.minimum(self._digits, radix.base - 1), places)
        self._classes = [mapped(plane, _CLASSES) for plane in self._planes]
        self.first, self.last = self._bounds(self._links(places))

    def _links(self, places: int) -> Mask:
        """Where a whole plausible group stands and another is right behind it."""
        radix, classes = self._radix, self._classes
        highest = self._digits[:places]
        for offset in range(1, radix.digits):
            highest = np.maximum(highest, self._digits[offset : offset + places])
        good = highest < radix.base
        for before, after in pairwise(classes):
            good &= _follows(before, after)
        step = radix.digits
        return good[:-step] & good[step:] & _follows(classes[-1][:-step], classes[0][step:])

    def _bounds(self, links: Mask) -> tuple[Indexes, Indexes]:
        step = self._radix.digits
        rows = eroded(links, self._radix.shortest - 1, step)
        if not rows.any():
            return np.zeros(0, np.intp), np.zeros(0, np.intp)
        found = [bounds(rows[phase::step]) for phase in range(step)]
        first = np.concatenate([start * step + phase for phase, (start, _) in enumerate(found)])
        last = np.concatenate([(end - 1) * step + phase for phase, (_, end) in enumerate(found)])
        order = np.argsort(first, kind="stable")
        return first[order], last[order] + (self._radix.shortest - 1) * step

    def batch(self, name: str, place: Place) -> Batch:
        """What the rows spell."""
        counts = (self.last - self.first) // self._radix.digits + 1
        groups = spread(self.first, counts, self._radix.digits)
        width = counts * self._radix.octets
        tails = self._tails(self.last + self._radix.digits)
        base = np.cumsum(width + tails.shape[1]) - (width + tails.shape[1])
        out = np.zeros(int((width + tails.shape[1]).sum()), np.uint8)
        out[spread(base, width, 1)] = np.stack([plane[groups] for plane in self._planes], 1).ravel()
        for column in range(tails.shape[1]):
            out[base + width + column] = tails[:, column]
        spelled = out.tobytes().translate(None, b"\0").decode("utf-8", "ignore")
        return Batch(name, spelled.split(chr(_END))[:-1], place)

    def _tails(self, place: Indexes) -> Octets:
        """What a last group that is cut short still spells, zeros, and the end."""
        radix = self._radix
        tails = np.zeros((len(place), radix.octets), np.uint8)
        is_good = np.ones(len(place), np.bool_)
        before = self._classes[-1][place - radix.digits]
        for index in range(radix.octets - 1):
            for digit in range(radix.needs[index]):
                is_good &= self._digits[place + digit] < radix.base
            after = self._classes[index][place]
            is_good &= _follows(before, after)
            tails[:, index] = np.where(is_good, self._planes[index][place], 0)
            before = after
        tails[:, -1] = _END
        return tails


class _Places:
    """Where the digits of rows stand in their source."""

    def __init__(self, source: Source, data: bytes, radix: Radix, stretches: Stretches, kept: Indexes) -> None:
        self._source, self._data, self._radix = source, octets_of(data), radix
        self._stretches, self._kept = stretches, kept

    def of(self, first: Indexes, last: Indexes) -> Place:
        """The whole payload of a row, with the digits that it begins and ends with and what pads it."""
        return lambda index, _: self._place(int(first[index]), int(last[index]) + self._radix.digits)

    def of_reversed(self, first: Indexes, last: Indexes) -> Place:
        """The same for rows that were read from the end."""

        def place(index: int, _: Span) -> Span:
            count = len(self._at)
            return self._place(count - int(last[index]) - self._radix.digits, count - 1 - int(first[index]))

        return place

    def _place(self, first: int, last: int) -> Span:
        is_digit = self._digits[self._at[max(first, 0) : last]] < self._radix.base
        inside = self._at[max(first, 0) : last][is_digit]
        inside = self._without_next_line(inside)
        start, end = int(inside[0]), int(inside[-1]) + 1
        end = _without_beginning(self._source.data, start, end)
        if self._radix.reading is by_words:
            start, end = without_words(self._source.data, start, end)
        return self._source.characters(self._widened(start, end))

    def _without_next_line(self, inside: Indexes) -> Indexes:
        """The places of digits without the few that begin a line behind them in which others follow."""
        last = int(inside[-1])
        behind = self._data[last + 1 : last + 1 + _LONGEST_ADDRESS].tobytes().translate(None, self._radix.skipped)
        if not behind or self._radix.table[behind[0]] >= self._radix.base:
            return inside
        begin = int(inside[max(len(inside) - _BEGUN_IN_LINE - 1, 0)])
        lines = np.flatnonzero(self._data[begin:last] == ord("\n"))
        return inside[: inside.searchsorted(begin + lines[-1])] if lines.size else inside

    @cached_property
    def _at(self) -> Indexes:
        """Only a hit is worth it."""
        places = self._stretches.places()
        is_kept = bytes(octet not in self._radix.skipped for octet in range(256))
        return places[mapped(self._data[places], is_kept).view(np.bool_)][self._kept]

    @cached_property
    def _digits(self) -> Octets:
        return mapped(self._data, self._radix.table)

    @cached_property
    def _breaks(self) -> Indexes:
        return np.flatnonzero(self._digits >= self._radix.base)

    def _widened(self, start: int, end: int) -> Span:
        index = int(np.searchsorted(self._breaks, start))
        start = int(self._breaks[index - 1]) + 1 if index else 0
        index = int(np.searchsorted(self._breaks, end))
        end = int(self._breaks[index]) if index < len(self._breaks) else len(self._data)
        while end < len(self._data) and self._data[end] == ord("="):
            end += 1
        while start and self._data[start - 1] == ord("=") and self._radix.is_also_reversed:
            start -= 1
        base = max(start - _LONGEST_ADDRESS, 0)
        address = _ADDRESS.search(self._source.data[base : start + len("base64,")])
        return base + address.start() if address else start, end


def _without_beginning(data: bytes, start: int, end: int) -> int:
    """The end of a payload without the digits that a word begins with behind its string, as "echo" does."""
    base = max(start, end - _LONGEST_ADDRESS)
    begun = _BEGUN_BEHIND.search(data[base:end]) if data[end : end + 1].isalpha() else None
    return base + begun.start() if begun else end


def without_words(data: bytes, start: int, end: int) -> Span:
    """Without a word of a language in the line or cell before or behind, which happens to be in the same alphabet."""
    if found := _WORD_BEHIND.search(data[max(start, end - _LONGEST_ADDRESS) : end]):
        end -= len(found[0])
    if found := _WORD_BEFORE.match(data[start : min(end, start + _LONGEST_ADDRESS)]):
        start += len(found[0])
    return start, end
