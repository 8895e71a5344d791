"""The n-grams of sentences as numbers: feature hashing (Weinberger et al. 2009), by one pass of array operations."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from interpose_sanitizer.classifier import classes, hashing
from interpose_sanitizer.classifier.hashing import Hashes, Numbers
from interpose_sanitizer.classifier.sentences import Cut
from interpose_sanitizer.points import Places, summed

CHARACTERS = (3, 5)
"""Lengths of the rows of characters that are counted; of words it is one and two, of classes one to four."""
LEAST = (4, 3, 10, 12, 6)
"""Words, rows of classes, pairs of classes, rows of characters and pairs of beginnings that a shorter sentence counts
as."""
BEGUN = 4
"""Characters that a word begins with, by which it is one of a pair whatever its ending."""
MOST_APART = 14
"""Of the classes in a sentence, each once and in their order, how far apart two are that are still a pair."""

_ONE, _TWO, _FIRST, _LAST, _CLASS, _THREE, _FOUR, _OVER = (
    np.uint64(factor)
    for factor in (
        0x8CB92BA72F3D8DD7,
        0xA24BAED4963EE407,
        0x9FB21C651E98DF25,
        0xC2B2AE3D27D4EB4F,
        0x165667B19E3779F9,
        0x27D4EB2F165667C5,
        0x85EBCA77C2B2AE63,
        0xFF51AFD7ED558CCD,
    )
)


_ROWS = (
    ((0, _ONE), (1, _TWO)),
    ((0, _ONE), (1, _TWO), (2, _THREE)),
    ((0, _ONE), (1, _TWO), (2, _THREE), (3, _FOUR)),
    ((0, _OVER), (2, _FOUR)),
    ((0, _OVER), (3, _TWO)),
)
"""Which of the classes that follow each other are a feature, and by what factors they are told apart."""

_LIKES = ((_OVER, _TWO), (_THREE, _OVER, _CLASS))
"""The same for rows of words of which some are of a class."""
_BEGINNINGS = ((_LAST, _ONE), (_FIRST, _THREE))
"""The same for pairs of beginnings, next to each other and with one between."""
_MOST_CLASSES = 64


class Features(NamedTuple):
    """Features, and of which sentence each is one."""

    number: Numbers
    sentence: Numbers


Parts = tuple[Sequence[Hashes], Sequence[Numbers]]
"""Hashes of features of several sorts, and of which sentence each is one."""


def kinds(cut: Cut, begin: int, end: int) -> Iterator[Features]:
    """The features of whole sentences between two places of what was cut, kind by kind, as LEAST counts them."""
    sums, starts, stops = _hashable(cut, begin, end)
    words, sentence = hashing.between(sums, starts, stops), cut.number.take(starts + begin)
    numbers = classes.known().within(cut.points[begin:end], sums, starts, stops)
    (plain, of), (likes, also) = _of_words(words, sentence), _of_likes(words, numbers.take(starts), sentence)
    yield _joined([*plain, *likes], [*of, *also])
    known = np.flatnonzero(numbers)
    numbers, in_sentence = numbers[known], cut.number[begin:end][known]
    yield _of_classes(numbers, in_sentence)
    yield _of_pairs(numbers, in_sentence)
    yield _of_characters(sums, cut.number[begin:end])
    yield _of_beginnings(hashing.between(sums, starts, np.minimum(stops, starts + BEGUN)), sentence)


def classed(cut: Cut, begin: int, end: int) -> Numbers:
    """The class of the word that begins at each of these characters of whole sentences; 0 is none."""
    return classes.known().within(cut.points[begin:end], *_hashable(cut, begin, end))


def _hashable(cut: Cut, begin: int, end: int) -> tuple[Hashes, Places, Places]:
    """Sums of characters, and where the words begin and end between which they are told apart."""
    first, last = np.searchsorted(cut.words, (begin, end)).tolist()
    starts, stops = cut.words[first:last] - begin, np.minimum(cut.stops[first:last], end) - begin
    return hashing.sums(cut.points[begin:end]), starts, stops


def _of_words(words: Hashes, sentence: Numbers) -> Parts:
    """Words, pairs of words, those with one between, and the first and the last word of each sentence."""
    same, far = sentence[1:] == sentence[:-1], sentence[2:] == sentence[:-2]
    opens, closes = np.append(True, ~same)[: words.size], np.append(~same, True)[: words.size]
    pairs = (words[:-1] * _ONE + words[1:] * _TWO)[same]
    apart = (words[:-2] * _THREE + words[2:] * _FOUR)[far]
    found = [words * _ONE, pairs, apart, words[opens] * _FIRST, words[closes] * _LAST]
    return found, [sentence, sentence[:-1][same], sentence[:-2][far], sentence[opens], sentence[closes]]


def _of_likes(words: Hashes, numbers: Numbers, sentence: Numbers) -> Parts:
    """Rows of words of which some are of a class, and not all: by that class, in which all words are alike."""
    likes, known = np.where(numbers > 0, _hashed(numbers), words), summed(numbers > 0)
    found: list[Hashes] = []
    of: list[Numbers] = []
    for factors in _LIKES:
        size = len(factors)
        count = max(words.size - size + 1, 0)
        sums = np.zeros(count, np.uint64)
        for place, factor in enumerate(factors):
            sums += likes[place : place + count] * factor
        some = known[size : size + count] - known[:count]
        kept = (sentence[:count] == sentence[size - 1 : size - 1 + count]) & (some > 0) & (some < size)
        found.append(sums[kept])
        of.append(sentence[:count][kept])
    return found, of


def _of_classes(numbers: Numbers, sentence: Numbers) -> Features:
    """Rows of one to four classes, whatever stands between them, and pairs with one or two between."""
    hashes = _hashed(numbers)
    found, of = [hashes], [sentence]
    for row in _ROWS:
        count = max(hashes.size - row[-1][0], 0)
        sums = np.zeros(count, np.uint64)
        for place, factor in row:
            sums += hashes[place : place + count] * factor
        same = sentence[:count] == sentence[row[-1][0] : row[-1][0] + count]
        found.append(sums[same])
        of.append(sentence[:count][same])
    return _joined(found, of)


def _of_pairs(numbers: Numbers, sentence: Numbers) -> Features:
    """Any two classes of a sentence, however often and in whatever order they come: languages differ in that."""
    once = np.unique(sentence * _MOST_CLASSES + numbers)
    sentence, hashes = once // _MOST_CLASSES, _hashed(once % _MOST_CLASSES)
    found: list[Hashes] = [hashes[:0]]
    of: list[Numbers] = [sentence[:0]]
    for apart in range(1, min(MOST_APART, hashes.size)):
        same = sentence[:-apart] == sentence[apart:]
        found.append((hashes[:-apart] * _FIRST + hashes[apart:] * _LAST)[same])
        of.append(sentence[:-apart][same])
    return _joined(found, of)


def _hashed(numbers: Numbers) -> Hashes:
    hashes = (numbers.astype(np.uint64) + np.uint64(1)) * _CLASS
    return np.asarray(hashes ^ (hashes >> np.uint64(29)))


def _of_characters(sums: Hashes, sentence: Numbers) -> Features:
    """Rows of characters, none across two sentences."""
    found: list[Hashes] = []
    of: list[Numbers] = []
    for length in CHARACTERS:
        rows = hashing.rows(sums, length)
        same = sentence[: rows.size] == sentence[sentence.size - rows.size :]
        found.append(rows[same] * _CLASS)
        of.append(sentence[: rows.size][same])
    return _joined(found, of)


def _of_beginnings(words: Hashes, sentence: Numbers) -> Features:
    """Pairs of what words begin with, and those with one between: what is said alike ends otherwise in many languages,
    by who is spoken to and what is spoken of."""
    words = words ^ (words >> np.uint64(31))
    found: list[Hashes] = []
    of: list[Numbers] = []
    for apart, (first, second) in enumerate(_BEGINNINGS, start=1):
        same = sentence[apart:] == sentence[:-apart]
        found.append((words[:-apart] * first + words[apart:] * second)[same])
        of.append(sentence[:-apart][same])
    return _joined(found, of)


def _joined(hashes: Sequence[Hashes], sentence: Sequence[Numbers]) -> Features:
    return Features(hashing.numbers(np.concatenate(hashes)), np.concatenate(sentence))
