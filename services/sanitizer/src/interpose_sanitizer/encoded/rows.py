"""Rows: places in an array that hold something one after the other, found without looking at each by itself."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from interpose_sanitizer.encoded.source import Indexes, Octets, mapped

Mask = NDArray[np.bool_]


def eroded(mask: Mask, count: int, step: int) -> Mask:
    """Where a mask holds `count` times in a row, at every `step`th place from there on."""
    have = 1
    while have < count:
        more = min(have, count - have)
        if len(mask) <= more * step:
            return mask[:0]
        mask = mask[: -more * step] & mask[more * step :]
        have += more
    return mask


def dilated(mask: Mask, count: int) -> Mask:
    """The mask, longer by `count`: also where it holds no more than so many places before."""
    have, rows = 0, np.zeros(len(mask) + count, np.bool_)
    rows[: len(mask)] = mask
    while have < count:
        more = min(have + 1, count - have)
        rows[more:] |= rows[:-more].copy()
        have += more
    return rows


def spread(first: Indexes, counts: Indexes, step: int) -> Indexes:
    """`counts` indexes from each of `first` on, `step` apart, all in one array."""
    before = np.cumsum(counts) - counts
    return np.repeat(first - before * step, counts) + np.arange(int(counts.sum())) * step


def bounds(mask: Mask) -> tuple[Indexes, Indexes]:
    """Where each row of a mask begins and ends; the end is not part of it."""
    if len(mask) == 0:
        return _NONE, _NONE
    edges = np.flatnonzero(mask[1:] != mask[:-1]) + 1
    if mask[0] or mask[-1]:
        edges = np.concatenate(([0] if mask[0] else _NONE, edges, [len(mask)] if mask[-1] else _NONE))
    return edges[::2], edges[1::2]


_NONE = np.zeros(0, np.intp)


class Stretches(NamedTuple):
    """Parts of some octets, in order, none touching another."""

    begins: Indexes = _NONE
    ends: Indexes = _NONE

    def of(self, data: bytes) -> bytes:
        """Their octets, one after the other."""
        return b"".join(map(data.__getitem__, map(slice, self.begins.tolist(), self.ends.tolist())))

    def places(self) -> Indexes:
        """Where each of these octets stands."""
        return spread(self.begins, self.ends - self.begins, 1)


class Alphabets:
    """Up to eight sets of octets, each with the length of a row that is worth looking for; one look is for all."""

    def __init__(self, sets: Sequence[tuple[bytes, int]]) -> None:
        bits = [0] * 256
        for number, (octets, _) in enumerate(sets):
            for octet in set(octets):
                bits[octet] |= 1 << number
        self._bits = bytes(bits)
        self._lengths = [length for _, length in sets]

    def present(self, octets: Octets) -> list[bool]:
        """For each set whether there is such a row of it."""
        rows, have = mapped(octets, self._bits), 1
        found = 0
        for length in sorted(set(self._lengths)):
            rows, have = _all_of(rows, length - have), length
            found |= self._of_length(length) & (int(np.bitwise_or.reduce(rows)) if len(rows) else 0)
        return [bool(found >> number & 1) for number in range(len(self._lengths))]

    def stretches(self, octets: Octets) -> list[Stretches]:
        """For each set where such rows begin, and where they end, with one octet behind each."""
        rows, have = mapped(octets, self._bits), 1
        found = [Stretches()] * len(self._lengths)
        for length in sorted(set(self._lengths)):
            rows, have = _all_of(rows, length - have), length
            present = self._of_length(length) & (int(np.bitwise_or.reduce(rows)) if len(rows) else 0)
            for number in range(len(self._lengths)):
                if present >> number & 1:
                    begins, ends = bounds(rows & np.uint8(1 << number) != 0)
                    found[number] = Stretches(begins, np.minimum(ends + length, len(octets)))
        return found

    def _of_length(self, length: int) -> int:
        return sum(1 << number for number, one in enumerate(self._lengths) if one == length)


def _all_of(rows: Octets, more: int) -> Octets:
    """The bits that each octet and so many behind it have in common."""
    have = 1
    left = rows
    while have <= more:
        step = min(have, more + 1 - have)
        if len(left) <= step:
            return left[:0]
        left = left[:-step] & left[step:]
        have += step
    return left
