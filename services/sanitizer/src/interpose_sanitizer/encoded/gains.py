"""Whether what stands around a word is likelier to be language in a cipher than as it is written.

Many a word of honest text is another one in some shift of the alphabet. Where it really is enciphered, so is what it
goes on with, before it or behind it.
"""

import numpy as np

from interpose_sanitizer.encoded.cues import NONE, NUMBERS, Cipher, pairs
from interpose_sanitizer.encoded.rows import Mask
from interpose_sanitizer.encoded.source import Indexes, Octets, mapped

_BESIDE, _WORD = 18, 5
"""So many octets are looked at on each side of the letters by which a word was known."""
_LETTERS = 26
_MOST_SHARE = 200
"""A text with a word for so many octets is made of such words: all of them count."""


def likely(octets: Octets, places: Indexes, cipher: Cipher, shift: int) -> Indexes:
    """Of the places of words in a cipher those around which it makes better words than are written there."""
    if len(places) * _MOST_SHARE > len(octets) + _MOST_SHARE**2:
        return places
    around = places[:, None] + np.arange(-_BESIDE, _WORD + _BESIDE)
    inside = np.clip(around, 0, len(octets) - 1)
    numbers = mapped(octets[inside.ravel()], NUMBERS).reshape(inside.shape)
    numbers = np.where(inside == around, numbers, NONE)
    written = np.where(numbers == NONE, 0, numbers + 1).astype(np.intp)
    meant = np.where(numbers == NONE, 0, _deciphered(numbers, cipher, shift) + 1).astype(np.intp)
    table = pairs()
    said = (table.T if cipher is Cipher.BACKWARDS else table)[meant[:, :-1], meant[:, 1:]]
    gains = said - table[written[:, :-1], written[:, 1:]]
    before, behind = gains[:, : _BESIDE + _WORD], gains[:, _BESIDE:]
    is_better: Mask = (before.sum(1) > 0) | (behind.sum(1) > 0)
    return places[is_better]


def _deciphered(numbers: Octets, cipher: Cipher, shift: int) -> Octets:
    moved = (numbers.astype(np.intp) - shift) % _LETTERS
    return (_LETTERS - 1 - moved if cipher is Cipher.MIRRORED else moved).astype(np.uint8)
