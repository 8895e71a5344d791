"""Scripts that write no spaces. Where a word of them ends only a dictionary tells, so that each syllable is one: a
character of Chinese and Japanese, and in the south-east of Asia a letter with the signs that belong to it."""

import unicodedata
from functools import cache

import numpy as np

from interpose_sanitizer.points import Mask, Points, preceding

SPACELESS = ((0x0E00, 0x10A0), (0x1780, 0x1800), (0x2E80, 0xA000), (0xF900, 0xFB00), (0x20000, 0x32000))
"""Where their characters stand."""
_SIGNED = 0x3100
"""Those of China have none."""
_BEHIND = "\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3"
"""Vowels of Thai and Lao that Unicode counts as letters, though they stand behind the one that they belong to …"""
_BEFORE = "\u0e40\u0e41\u0e42\u0e43\u0e44\u0ec0\u0ec1\u0ec2\u0ec3\u0ec4"
"""… or before it."""
_JOINING = "\u1039\u17d2"
"""Signs that put the next letter under the last one (Burmese, Khmer)."""


def is_spaceless(points: Points) -> Mask:
    """Which characters are of a script that writes no spaces."""
    found = np.zeros(points.size, np.bool_)
    if points.max(initial=0) < SPACELESS[0][0]:
        return found
    for begin, end in SPACELESS:
        found |= (points >= begin) & (points < end)
    return found


def is_joined(points: Points) -> Mask:
    """Which characters of these scripts are of the same syllable as the one before."""
    joined, joining = (_signs()[number].take(points, mode="clip") for number in (0, 1))
    return np.asarray(joined | preceding(joining))


@cache
def _signs() -> tuple[Mask, Mask]:
    """The signs that belong to the character before, and those to which the next one belongs; the last place is for
    all characters beyond."""
    joined = np.array([unicodedata.category(chr(point)) in {"Mn", "Mc"} for point in range(_SIGNED)])
    joining = np.zeros(_SIGNED, np.bool_)
    joined[[ord(sign) for sign in _BEHIND]] = True
    joining[[ord(sign) for sign in _BEFORE + _JOINING]] = True
    return joined, joining
