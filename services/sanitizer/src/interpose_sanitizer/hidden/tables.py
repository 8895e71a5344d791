"""What each character is where characters without width are judged: a few bits for those that are seen, which give
others a purpose, and for those that are not seen the bits of which one must be beside them.

Whoever decides from the bits sees nothing else of a character, so that one answer holds for all characters alike.
"""

import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.findings import Family
from interpose_sanitizer.hidden import characters as of
from interpose_sanitizer.points import EVERY

LETTER, RIGHT_TO_LEFT, JOINING, WITHOUT_SPACES, IDEOGRAPH, PICTURE, KEYCAP = (1 << bit for bit in range(7))
FLAG, COMBINING, VARIES = (1 << bit for bit in range(7, 10))
_NEIGHBOUR = 1 << 10
"""Of the first kind in `characters.NEIGHBOURS`; the bits above stand for the others."""
HYPHENATES, OUTSIDE, FIRST = (1 << bit for bit in range(16, 19))
"""Of a run, not of a character: a word could be broken there; it is in no word; the text begins with it."""
BLANK, MATHEMATICS, FACTORS = (1 << bit for bit in range(19, 22))
"""The last is of a run: it stands between two letters of which each is a word of its own."""

_LETTERS_BY_CATEGORY = (0, 0x20000)
_LETTERS: of.Ranges = ((0x20000, 0x323AF),)
_KINDS = (
    (of.RIGHT_TO_LEFT, RIGHT_TO_LEFT),
    (of.JOINING, JOINING),
    (of.WITHOUT_SPACES, WITHOUT_SPACES),
    (of.IDEOGRAPH, IDEOGRAPH),
    (of.PICTURE, PICTURE),
    (of.KEYCAP, KEYCAP),
    (of.BLACK_FLAG, FLAG),
    (of.BLANK, BLANK),
    (of.MATHEMATICS, MATHEMATICS),
    (_LETTERS, LETTER),
    *((neighbours, _NEIGHBOUR << bit) for bit, (_, neighbours) in enumerate(of.NEIGHBOURS)),
)

RULES = (
    (Family.INVISIBLE, "no-width"),
    (Family.INVISIBLE, "tag-characters"),
    (Family.INVISIBLE, "variation-selectors"),
    (Family.BIDI, "direction-unclosed"),
    (Family.BIDI, "direction-override"),
)
NO_WIDTH, TAG, SELECTOR, UNCLOSED, OVERRIDE = range(len(RULES))


@dataclass(frozen=True, slots=True)
class Tables:
    """By code point. `beside`, `around` and `before` hold the bits of which one lets a character without width stay."""

    is_hidden: npt.NDArray[np.bool_]
    is_mark: npt.NDArray[np.bool_]
    is_turn: npt.NDArray[np.bool_]
    traits: npt.NDArray[np.uint32]
    beside: npt.NDArray[np.uint32]
    """Of one neighbour or of the run."""
    around: npt.NDArray[np.uint32]
    """Of both neighbours."""
    before: npt.NDArray[np.uint32]
    """Of the one before it, of which it chooses a form."""
    rule: npt.NDArray[np.uint8]
    """The index in RULES of what such a character is where it must go."""


@cache
def tables() -> Tables:
    """The tables, made once."""
    return Tables(
        is_hidden=_marked(of.WITHOUT_WIDTH),
        is_mark=_marked(of.DIRECTION_MARKS),
        is_turn=_marked(tuple((ord(one), ord(one)) for one in of.DIRECTION)),
        traits=_traits(),
        beside=_bits(
            (of.NON_JOINER, JOINING),
            (of.JOINER, JOINING),
            (of.ZERO_WIDTH_SPACE, WITHOUT_SPACES),
            (of.GRAPHEME_JOINER, COMBINING | RIGHT_TO_LEFT),
            (of.SOFT_HYPHEN, HYPHENATES),
            (of.WORD_JOINERS, OUTSIDE),
            (of.OPERATORS, FACTORS),
            (of.OBJECT_REPLACEMENT, OUTSIDE),
            (of.BYTE_ORDER_MARK, FIRST),
            *((ranges, _NEIGHBOUR << bit) for bit, (ranges, _) in enumerate(of.NEIGHBOURS)),
        ),
        around=_bits((of.JOINER, PICTURE), (of.SOFT_HYPHEN, BLANK), (of.OPERATORS, MATHEMATICS)),
        before=_bits(
            (of.EMOJI_SELECTORS, PICTURE | KEYCAP), (of.SELECTORS, VARIES), (of.IDEOGRAPH_SELECTORS, IDEOGRAPH)
        ),
        rule=_rules(),
    )


def _marked(ranges: of.Ranges) -> npt.NDArray[np.bool_]:
    return _bits((ranges, 1)).astype(np.bool_)


def _bits(*kinds: tuple[of.Ranges, int]) -> npt.NDArray[np.uint32]:
    table = np.zeros(EVERY, np.uint32)
    for ranges, bits in kinds:
        for first, last in ranges:
            table[first : last + 1] |= np.uint32(bits)
    return table


def _traits() -> npt.NDArray[np.uint32]:
    table = _bits(*_KINDS)
    for point in range(*_LETTERS_BY_CATEGORY):
        category = unicodedata.category(chr(point))
        if category[0] == "L":
            table[point] |= LETTER
        elif category == "Mn" and unicodedata.combining(chr(point)):
            table[point] |= COMBINING
    table[0x80:][table[0x80:] & PICTURE == 0] |= VARIES
    table[ord("0")] |= VARIES
    return table


def _rules() -> npt.NDArray[np.uint8]:
    table = np.full(EVERY, NO_WIDTH, np.uint8)
    for ranges, rule in ((of.TAGS, TAG), (of.SELECTORS, SELECTOR), (of.EMOJI_SELECTORS, SELECTOR)):
        for first, last in ranges:
            table[first : last + 1] = rule
    for first, last in of.IDEOGRAPH_SELECTORS:
        table[first : last + 1] = SELECTOR
    table[[ord(one) for one in of.DIRECTION]] = UNCLOSED
    table[[ord(one) for one in of.OVERRIDES]] = OVERRIDE
    return table
