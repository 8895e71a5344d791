"""How a source is read for digits: with other octets at some places, and every place where it was."""

import numpy as np

from interpose_sanitizer.encoded.rows import Mask, dilated, eroded
from interpose_sanitizer.encoded.source import Octets, Source, mapped, octets_of

SKIPPED = 0x01
"""What may stand between two digits."""
_WRAPPING = b" \t\r\n\"'>\\,\x01"
_IS_WRAPPING = bytes(octet in _WRAPPING for octet in range(256))
_IS_PLAIN = bytes(octet < 0x80 and chr(octet).isalnum() for octet in range(256))
_KINDS = bytes(
    1 if 97 <= octet <= 122 else 2 if 65 <= octet <= 90 else 3 if 48 <= octet <= 57 else 0 for octet in range(256)
)
"""Small letters, capitals, digits: in no word of a language does one stand before a later one."""
MARKS = b"\\nrtxXU+0"
"""What line breaks of JSON and the marks of numbers are written with."""
_IS_BREAK = bytes(octet in b"nrt" for octet in range(256))
_LONGEST_PLAIN = 48
"""So many letters and digits in a row are in no alphabet in which every fourth sign is neither."""


def unwrapped(source: Source) -> bytes:
    """The line breaks of JSON as something to skip."""

    def make() -> bytes:
        octets = octets_of(source.data)
        if b"\\" not in source.data:
            return source.data
        slashes = np.flatnonzero(octets[:-1] == ord("\\"))
        marks = slashes[mapped(octets[slashes + 1], _IS_BREAK).view(np.bool_)]
        octets = octets.copy()
        octets[marks], octets[marks + 1] = SKIPPED, SKIPPED
        return octets.tobytes()

    return source.reading("unwrapped", make)


def unmarked(source: Source) -> bytes:
    """The same for the marks `0x` and `U+00` of numbers. To an alphabet of all letters `0x` is two digits."""

    def make() -> bytes:
        data = unwrapped(source)
        octets = octets_of(data)
        follows = octets[1:] & 0xDF  # capitals; of a plus what it has in common with them
        for first, second, marks in ((b"0", b"X", (b"0x", b"0X")), (b"U", b"\x0b", (b"U+00",))):
            if ((octets[:-1] == first[0]) & (follows == second[0])).any():
                for mark in marks:
                    data = data.replace(mark, bytes([SKIPPED]) * len(mark))
        return data

    return source.reading("unmarked", make)


def by_words(source: Source) -> bytes:
    """The same, and a single space between two words is no digit.

    One at the end of a line, or one of several, is skipped, and so is one beside a word that no language has: with a
    capital or a digit behind a small letter.
    """

    def make() -> bytes:
        octets = octets_of(unwrapped(source))
        is_wrapping = np.ones(len(octets) + 2, np.bool_)
        is_wrapping[1:-1] = mapped(octets, _IS_WRAPPING).view(np.bool_)
        is_gap = (octets == ord(" ")) & ~(is_wrapping[:-2] | is_wrapping[2:])
        return without(octets, _apart(octets, is_gap, is_wrapping[1:-1])).tobytes()

    return source.reading("by words", make)


def without(octets: Octets, mask: Mask) -> Octets:
    """The same with zeros where a mask holds: several times faster than numpy's own choice."""
    left: Octets = octets & (mask.view(np.uint8) - np.uint8(1))
    return left


def _apart(octets: Octets, is_gap: Mask, is_wrapping: Mask) -> Mask:
    """The gaps between two words of a language: those at whose ends no odd word is."""
    kinds = mapped(octets, _KINDS)
    odd = np.flatnonzero((kinds[:-1] > 0) & (kinds[1:] > kinds[:-1]))
    if len(odd) == 0:
        return is_gap
    ends = np.concatenate(([0], np.flatnonzero(is_wrapping), [len(octets) - 1]))
    behind = np.searchsorted(ends[1:], odd) + 1
    apart = is_gap.copy()
    apart[ends[behind]] = apart[ends[behind - 1]] = False
    return apart


def by_signs(source: Source) -> bytes:
    """The same, without long rows of letters and digits, which are in some other alphabet."""

    def make() -> bytes:
        octets = octets_of(unwrapped(source))
        rows = eroded(mapped(octets, _IS_PLAIN).view(np.bool_), _LONGEST_PLAIN, 1)
        if not rows.any():
            return unwrapped(source)
        return without(octets, dilated(rows, _LONGEST_PLAIN - 1)).tobytes()

    return source.reading("by signs", make)
