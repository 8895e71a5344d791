"""What a character beside a run without width is, as far as that gives any of the run a purpose: a few bits.

Whoever decides from them sees nothing else of a character, so that one answer holds for all characters alike.
"""

import unicodedata

from interpose_sanitizer.hidden import characters as of

LETTER, RIGHT_TO_LEFT, JOINING, WITHOUT_SPACES, IDEOGRAPH, PICTURE, KEYCAP = (1 << bit for bit in range(7))
FLAG, COMBINING, ZERO, BEYOND_ASCII = (1 << bit for bit in range(7, 11))
NEIGHBOUR = 1 << 11
"""Of the first kind in `characters.NEIGHBOURS`; the bits above stand for the others."""

_KINDS = (
    (of.LETTER, LETTER),
    (of.RIGHT_TO_LEFT, RIGHT_TO_LEFT),
    (of.JOINING, JOINING),
    (of.WITHOUT_SPACES, WITHOUT_SPACES),
    (of.IDEOGRAPH, IDEOGRAPH),
    (of.PICTURE, PICTURE),
    (of.KEYCAP, KEYCAP),
    *((neighbour, NEIGHBOUR << bit) for bit, neighbour in enumerate(of.NEIGHBOURS.values())),
)
_REMEMBERED = 1 << 14
"""More different characters than this are looked up again each time: a text must not choose how much is remembered."""


class _Traits(dict[str, int]):
    def __missing__(self, character: str) -> int:
        found = _traits(character)
        if len(self) < _REMEMBERED:
            self[character] = found
        return found


def _traits(character: str) -> int:
    found = sum(bit for kind, bit in _KINDS if kind.match(character))
    found |= FLAG if character == of.FLAG else 0
    found |= COMBINING if unicodedata.combining(character) else 0
    found |= ZERO if character == "0" else 0
    return found | (0 if character.isascii() else BEYOND_ASCII)


TRAITS = _Traits({"": 0})
"""The bits of a character; none where there is none."""
