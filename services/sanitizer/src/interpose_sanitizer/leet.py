"""Digits and signs that stand for letters, as in 1gn0r3: a one is an i or an l, so that there are three readings."""

import string
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from interpose_sanitizer.encoded.cues import pairs
from interpose_sanitizer.points import Mask, Places, Points, following, preceding

_LETTERS = {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "6": "g", "7": "t", "8": "b", "9": "g"}
_SIGNS = {"@": "a", "$": "s", "!": "i", "|": "l", "+": "t"}
_ENDLESS = "@$+"
"""Signs that end no sentence."""
_ONE, _SMALL_L, _AT, _OPENING, _SMALL_D = (ord(sign) for sign in "1l@<d")


_WORDS = frozenset(string.ascii_lowercase + string.digits)
SHORTEST, LONGEST = 3, 80
_SHORT_WORDS = ("n0", "t0", "d0", "0f", "0n", "0r", "1f", "1n", "1s", "1t")
"""Letters of a word; these are words as well."""
BESIDE, BESIDE_LETTERS = 60, 2
"""Characters of a phrase beside a disguised word, and of a word beside a letter."""
LEAST_PLAIN, LEAST_AT_ALL, FOR_EACH_UNLIKELY = 2, 3, 6
"""Every second character of a disguised word is the letter it is meant to be, or every third where the word is known;
and of six letters in a row one may be where it is in no English word. A number in hexadecimal looks otherwise."""


def _table(pairs: dict[str, str]) -> Points:
    table = np.arange(0x81, dtype=np.uint32)
    for sign, letter in pairs.items():
        table[ord(sign)] = ord(letter)
    return table


def _those(signs: Iterable[str]) -> Mask:
    return np.isin(np.arange(0x81), [ord(sign) for sign in signs])


_WITH_DIGITS, _WITH_SIGNS = _table(_LETTERS), _table(_LETTERS | _SIGNS)
_IS_WORD, _IS_ENDLESS = _those(_WORDS), _those(_ENDLESS)
_IS_DIGIT, _IS_OTHER = _those(_LETTERS), _those(_SIGNS)
_IS_NUMERAL = _those(string.digits)
_NUMBERS = np.cumsum(_those(string.ascii_lowercase)) * _those(string.ascii_lowercase)
_IS_SHORT = np.isin(np.arange(0x81 * 0x80), [ord(word[0]) * 0x80 + ord(word[1]) for word in _SHORT_WORDS])
_IS_BLANK = _those(" \t\n")
_IS_SIGN, _IS_LETTER = _those(_WORDS | _SIGNS.keys()), _those(string.ascii_lowercase)


def spelled(points: Points) -> tuple[Points, Points, Points]:
    """A folded text with letters for what stands for them: with most ones as i, with most as l, and with those beside
    an l as i as well: a1l is all, and f1l3 a file."""
    first, second = points.copy(), points.copy()
    small = np.minimum(points, 0x80).astype(np.uint8)
    digits, signs = np.flatnonzero(_IS_DIGIT.take(small)), np.flatnonzero(_IS_OTHER.take(small))
    # A sign is a letter only within a word or before it: behind one it ends a sentence. Every page begins with <!d.
    small = np.append(small, np.uint8(0x80))
    signs = signs[(small[signs - 1] != _OPENING) | (small[signs + 1] != _SMALL_D)]
    signs = signs[_IS_ENDLESS.take(small[signs]) | (_IS_WORD | _IS_ENDLESS).take(small[signs + 1])]
    for read in (first, second):
        read[digits], read[signs] = _WITH_DIGITS.take(small[digits]), _WITH_SIGNS.take(small[signs])
    ones = digits[small[digits] == _ONE]
    before, behind = small[ones - 1], small[ones + 1]
    doubled = (before == _ONE) | (before == _SMALL_L) | (behind == _ONE) | (behind == _SMALL_L)
    third = first.copy()
    first[ones[doubled]] = _SMALL_L
    third[ones[(before == _ONE) | (behind == _ONE)]] = _SMALL_L
    second[ones[_IS_WORD.take(before)]] = _SMALL_L
    return first, second, third


def words(points: Points, reads: Sequence[Points]) -> tuple[Places, Places]:
    """What stands for a letter in something that may be a word then; and what does in something that is one only if it
    is known, so few of its letters are left."""
    small = np.minimum(points, 0x80).astype(np.uint8)
    # All of them put a letter at the same places.
    changed, letters = reads[0] != points, _IS_LETTER.take(small)
    # In a word that is half plain some letter stands beside what is none: numbers are not looked at.
    beside_letters = np.flatnonzero(changed & (preceding(letters) | following(letters)))
    if not beside_letters.size:
        return beside_letters, beside_letters
    edges = np.flatnonzero(np.diff(_IS_SIGN.take(small), prepend=False, append=False))
    tokens = np.unique(np.searchsorted(edges, beside_letters, side="right") // 2)
    begins, lengths = edges[2 * tokens], edges[2 * tokens + 1] - edges[2 * tokens]
    starts = np.cumsum(lengths) - lengths
    inside = np.repeat(begins - starts, lengths) + np.arange(int(lengths.sum()))
    plain = np.add.reduceat(letters[inside], starts, dtype=np.int64)
    is_amount = _are_amounts(_IS_NUMERAL.take(small[inside]), starts)
    likely = np.logical_or.reduce([_is_word(read[inside], starts, lengths) for read in reads])
    likely &= ~is_amount & ((lengths >= SHORTEST) | ((lengths == SHORTEST - 1) & _are_short(small, begins)))
    is_told = LEAST_PLAIN * plain >= lengths
    found = (likely & is_told, likely & ~is_told & (LEAST_AT_ALL * plain >= lengths))
    told, known = (inside[np.repeat(some, lengths) & changed[inside]] for some in found)
    return told, known


def beside(points: Points, read: Points, marks: Places) -> Places:
    """What stands for a letter beside these marks, where letters stand beside it as well: the rest of a phrase may be
    disguised so thoroughly that hardly a letter is left."""
    if not marks.size:
        return marks
    apart = np.diff(marks) > 2 * BESIDE
    begins = np.maximum(marks[np.append(True, apart)] - BESIDE, 0)
    lengths = np.minimum(marks[np.append(apart, True)] + BESIDE, points.size) - begins
    near = np.repeat(begins - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))
    changed = near[read.take(near) != points.take(near)]
    has_letter = np.zeros(changed.size, np.bool_)
    for distance in range(-BESIDE_LETTERS, BESIDE_LETTERS + 1):
        has_letter |= _IS_LETTER.take(np.minimum(points.take(changed + distance, mode="clip"), 0x80))
    found: Places = changed[has_letter]
    return found


def addresses(points: Points, marks: Places) -> Places:
    """The marks in addresses of mail: a rule reads one as any word, if it is one, and goes on behind it."""
    some = marks[(points.take(marks) == _AT) & (marks > 0)]
    before, behind = (points.take(some + beside, mode="clip") for beside in (-1, 1))
    found: Places = some[_IS_WORD.take(np.minimum(before, 0x80)) & _IS_WORD.take(np.minimum(behind, 0x80))]
    return found


def _are_amounts(numerals: Mask, starts: Places) -> Mask:
    """Whether texts are a number of several digits and what it counts, as in 20ms: behind its letters is no digit."""
    begun = numerals.copy()
    begun[1:] &= ~numerals[:-1]
    begun[starts] = False
    again = np.logical_or.reduceat(begun, starts)
    found: Mask = numerals[starts] & numerals[np.minimum(starts + 1, numerals.size - 1)] & ~again
    return found


def _are_short(small: Any, begins: Places) -> Mask:
    """Whether texts are words of two letters that are told: between blanks, for paths of pictures hold such, too."""
    first, second = (small.take(begins + place, mode="clip") for place in (0, 1))
    is_known = _IS_SHORT.take(first * np.uint16(0x80) + np.minimum(second, 0x7F))
    found: Mask = is_known & ((begins == 0) | _IS_BLANK.take(small[begins - 1]))
    return found


def _is_word(points: Points, starts: Places, lengths: Places) -> Mask:
    """Whether texts could be words: nothing but letters, hardly any of which never stand beside each other."""
    letters = _NUMBERS.take(np.minimum(points, 0x80))
    unlikely = pairs()[letters, np.append(letters[1:], 0)] == 0
    unlikely[np.append(starts[1:], points.size) - 1] = False
    counts = np.add.reduceat(unlikely, starts, dtype=np.int64)
    is_other = letters == 0
    is_other[np.append(starts[1:], points.size) - 1] = False  # what ends a sentence
    others = np.logical_or.reduceat(is_other, starts)
    found: Mask = (counts * FOR_EACH_UNLIKELY <= lengths) & ~others & (lengths <= LONGEST)
    return found
