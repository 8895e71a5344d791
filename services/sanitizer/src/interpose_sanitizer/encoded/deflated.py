"""Whether octets could be deflated text, by how they begin: of others nothing is tried (RFC 1951).

What zlib refuses at its first look is told here for all beginnings at once; nothing that it would take is missed.
"""

import numpy as np

from interpose_sanitizer.encoded.rows import Mask
from interpose_sanitizer.encoded.source import Indexes, Octets

_FIXED, _DYNAMIC = 1, 2
_MOST_LITERALS, _MOST_DISTANCES = 29, 29
_MOST_LENGTHS, _WHOLE = 19, 128
"""Lengths of codes for lengths; and the sum of what their codes take, in which there may be no gap."""
_OCTETS = 10
"""All that is looked at."""
_BEGINS_TEXT = np.array(
    [octet in b"\t\n\x0b\x0c\r" or 0x1C <= octet < 0x7F or 0xC2 <= octet < 0xF5 for octet in range(256)]
)


def may_be_deflated(heads: Octets) -> Mask:
    """Which rows of at least ten octets begin a block that holds text."""
    bits = np.unpackbits(heads[:, :_OCTETS], axis=1, bitorder="little")
    kind = _number(bits, 1, 2)
    found: Mask = np.where(kind == _FIXED, _begins_with_text(bits), (kind == _DYNAMIC) & _has_whole_code(bits))
    return found


def _number(bits: Octets, start: int, count: int) -> Indexes:
    """So many bits as a number, the first the least."""
    number = np.zeros(len(bits), np.intp)
    for place in range(count):
        number |= bits[:, start + place].astype(np.intp) << place
    return number


def _code(bits: Octets, count: int) -> Indexes:
    """The first bits of what is compressed as a code, the first the highest."""
    code = np.zeros(len(bits), np.intp)
    for place in range(3, 3 + count):
        code = code << 1 | bits[:, place]
    return code


def _begins_with_text(bits: Octets) -> Mask:
    """Whether what is compressed with the usual codes begins with a sign, or another block follows at once."""
    seven, eight, nine = (_code(bits, count) for count in (7, 8, 9))
    is_low = (eight >= 0x30) & (eight < 0xC0)
    is_high = nine >= 0x190
    sign = np.select([is_low, is_high], [eight - 0x30, nine - 0x190 + 144], 0)
    found: Mask = (seven == 0) | ((is_low | is_high) & _BEGINS_TEXT[sign])
    return found


def _has_whole_code(bits: Octets) -> Mask:
    """Whether the codes that a block brings along are some."""
    count, taken = _number(bits, 13, 4) + 4, np.zeros(len(bits), np.intp)
    for place in range(_MOST_LENGTHS):
        length = _number(bits, 17 + 3 * place, 3)
        taken += np.where((place < count) & (length > 0), _WHOLE >> length, 0)
    few: Mask = (_number(bits, 3, 5) <= _MOST_LITERALS) & (_number(bits, 8, 5) <= _MOST_DISTANCES)
    few &= taken == _WHOLE
    return few
