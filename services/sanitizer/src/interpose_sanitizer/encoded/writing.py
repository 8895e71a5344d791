"""Which signs people write with, and which Latin letter an accented one is: what tells a script from chance.

A font knows far more ideographs and syllables than anybody writes; signs that were drawn by chance are mostly such.
"""

import unicodedata
from collections.abc import Iterable
from functools import cache

import numpy as np

from interpose_sanitizer.encoded.rows import Mask
from interpose_sanitizer.encoded.source import Indexes
from interpose_sanitizer.points import Points

BEYOND = 0x10000
"""All signs from here on are told as one."""
ACCENTED = ((0xC0, 0x250), (0x1E00, 0x1F00))
_LATIN = (*ACCENTED, (0x80, 0xC0), (0x2000, 0x2070))
"""Judged by their letters, and signs between words."""
_TURNED = ((0x180, 0x250), (0x250, 0x300), (0x1D00, 0x1DC0))
"""Latin letters of phonetic alphabets, which are also what letters look like upside down."""
_VAST = ((0x2400, 0x2440), (0x3400, 0xA000), (0xAC00, 0xD7A4), (0xE000, 0xF900), (0xFFF0, BEYOND))
"""Pictures of controls, ideographs, syllables, and what means nothing at all."""
_IDEOGRAPHS = 0x30
"""From here on scripts take so many signs that all of them count as one."""
_COMMON = (("gb2312", 0xB0, 0xD7, 0xA1), ("euc_jp", 0xB0, 0xCF, 0xA1), ("euc_kr", 0xB0, 0xC8, 0xA1))
_FIRST_COMMON = 0x3000
_TRADITIONAL = ("big5", 0xA4, 0xC6, 0x40)
"""The rows of older character sets that hold what is written most, and their first column."""


def latin_letters() -> Iterable[tuple[int, str]]:
    """Each accented letter as a number, and what it is without its accents; some are letters of their own."""
    for number in (number for first, behind in ACCENTED for number in range(first, behind)):
        yield number, unicodedata.normalize("NFD", chr(number))[0]


def scripts(points: Points) -> Points:
    """A number for the script of each sign, alike for neighbours of one alphabet."""
    numbers = np.minimum(points, np.uint32(BEYOND)) >> np.uint32(8)
    numbers[numbers >= _IDEOGRAPHS] = _IDEOGRAPHS
    for first, behind in _TURNED:
        numbers[(points >= first) & (points < behind)] = _TURNED[0][0] >> 8
    return numbers


def are_written(points: Points) -> Mask:
    """Which signs beyond ASCII belong to some other script than Latin, and are written in it."""
    return _written().take(np.minimum(points, BEYOND))


@cache
def _written() -> Mask:
    table = np.ones(BEYOND + 1, np.bool_)
    for first, behind in (*_LATIN, *_VAST):
        table[first:behind] = False
    table[_common()] = True
    for first, behind in _TURNED:
        table[first:behind] = True
    return table


def _common() -> Indexes:
    signs = {sign for rows in (*_COMMON, _TRADITIONAL) for sign in _row(*rows)}
    return np.array(sorted(ord(sign) for sign in signs if ord(sign) >= _VAST[0][0]), np.intp)


def _row(charset: str, first: int, last: int, column: int) -> str:
    octets = bytes(octet for lead in range(first, last + 1) for trail in range(column, 0xFF) for octet in (lead, trail))
    return octets.decode(charset, "ignore")
