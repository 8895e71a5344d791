"""A shadow in blocks of some words each, and what stands in them: a set of blocks is a number, with a bit for each."""

import re
from typing import NamedTuple, Self

import numpy as np

from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import Mask, Places

WORDS, MOST = 8, 16_384
"""Words in a block, and how many blocks a text has: of a longer one each holds more."""
LONGEST = 1 << 12
"""Bytes after which a word begins anew, wherever it is: where nothing is blank all would be near all. No match is
longer (`matching`), so that one counts as one word more at the most."""
_FEW = 12
"""Bits that are told one by one: an array for them takes longer."""
_SPACE = ord(" ")
_LETTERS = bytes(octet if octet < 0x80 and chr(octet).isalnum() else _SPACE for octet in range(0x100))
_FOREIGN = bytes(octet if octet >= 0x80 or chr(octet).isalnum() else _SPACE for octet in range(0x100))
_SIGN = re.compile(rb"\xe2\x80[\x80-\xbf]|\xc2[\x80-\xbf]")
"""Signs and blanks beyond ASCII that may be between words."""
_IS_BLANK = np.isin(np.arange(0x100), list(b" \t\n\r\f"))


class Blocks(NamedTuple):
    """Where words begin, in bytes (`breadth` says what counts as one), and how many make a block.

    `written` are the words of ASCII, whatever stands between them, and where these begin.
    """

    begins: Places
    step: int
    written: list[bytes]
    at: Places

    @classmethod
    def of(cls, data: bytes) -> Self:
        """Those of a shadow."""
        spelled = data.translate(_LETTERS)
        written = _starts(spelled)
        every = written if data.isascii() else _starts(_SIGN.sub(_blanked, data).translate(_FOREIGN))
        blanks = _IS_BLANK.take(np.frombuffer(data, np.uint8)).cumsum(dtype=np.int32)
        begins = every[np.flatnonzero(np.diff(blanks.take(every) + every // LONGEST, prepend=-1))]
        step = WORDS
        while begins.size > step * MOST:
            step *= 2
        return cls(begins, step, spelled.split(), written)

    @property
    def number(self) -> int:
        """How many there are."""
        return -(-max(self.begins.size, 1) // self.step)

    def holding(self, places: Places) -> Places:
        """The blocks that some bytes are in."""
        return np.maximum(self.begins[:: self.step].searchsorted(places, "right") - 1, 0)

    def reach(self, words: int) -> int:
        """How many blocks further something may be that is so many words away."""
        return (words + 1) // self.step + 1

    def around(self, found: int, before: int, behind: int) -> int:
        """The blocks that are so many words around some, and maybe more."""
        before, behind = self.reach(before), self.reach(behind) + 1
        return spread(found, before + behind) >> before & ((1 << self.number) - 1)


class Borders:
    """Where blocks begin and end in a shadow, in bytes: what stands between two words belongs to both."""

    def __init__(self, blocks: Blocks, size: int) -> None:
        firsts = blocks.begins[:: blocks.step]
        before = blocks.begins.take(np.arange(firsts.size) * blocks.step - 1) if firsts.size else firsts
        self._starts = [0, *before[1:].tolist(), size]
        self._ends = [*firsts.tolist(), size]

    def spans(self, found: int) -> list[Span]:
        """What some blocks hold; those together that follow each other."""
        edges = ones(found ^ found << 1)
        return [(self._starts[first], self._ends[last]) for first, last in zip(edges[::2], edges[1::2], strict=True)]


def spread(found: int, further: int) -> int:
    """Some blocks, and so many behind each."""
    width = 1
    while width <= further:
        step = min(width, further + 1 - width)
        found |= found << step
        width += step
    return found


def ones(number: int) -> list[int]:
    """The bits of a number that are set, the lowest first."""
    if number.bit_count() > _FEW:
        octets = number.to_bytes(number.bit_length() // 8 + 1, "little")
        return np.flatnonzero(np.unpackbits(np.frombuffer(octets, np.uint8), bitorder="little")).tolist()
    found = []
    while number:
        found.append((number & -number).bit_length() - 1)
        number &= number - 1
    return found


def bits(rows: Mask) -> list[int]:
    """Each row of a table of blocks as a number."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(rows, axis=1, bitorder="little")]


def _blanked(sign: re.Match[bytes]) -> bytes:
    return b" " * len(sign[0])


def _starts(spelled: bytes) -> Places:
    is_letter = np.frombuffer(spelled, np.uint8) != _SPACE
    is_start = is_letter.copy()
    is_start[1:] &= ~is_letter[:-1]
    return np.flatnonzero(is_start)
