"""The n-grams of sentences as numbers: feature hashing (Weinberger et al. 2009), by one pass of array operations."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from interpose_sanitizer.classifier import concepts, hashing
from interpose_sanitizer.classifier.hashing import Hashes, Numbers
from interpose_sanitizer.classifier.sentences import Cut
from interpose_sanitizer.points import Places, summed, united

CHARACTERS = (3, 5)
"""Lengths of the rows of characters that are counted; of words it is one and two, of classes one to four."""
LEAST = (4, 3, 10, 12, 6, 5, 10)
"""Words, rows of classes, pairs of classes, rows of characters, pairs of beginnings, rows of concepts and pairs of
concepts that a shorter sentence counts as."""
BEGUN = 4
"""Characters that a word begins with, by which it is one of a pair whatever its ending."""
MOST_APART = 14
"""Of the classes in a sentence, each once and in their order, how far apart two are that are still a pair; and so of
the concepts."""

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
_ROWS_OF_CONCEPTS = (_ROWS[0], _ROWS[3])
"""The same for concepts, of which there are many more."""

_LIKES = ((_OVER, _TWO), (_THREE, _OVER, _CLASS))
"""The same for rows of words of which some are of a class."""
_WORDS = ((_ONE, _TWO), (_THREE, _FOUR))
"""The same for pairs of words, next to each other and with one between."""
_BEGINNINGS = ((_LAST, _ONE), (_FIRST, _THREE))
"""The same for pairs of beginnings."""
_MOST_CLASSES, _MOST = 1 << 6, 1 << 10
"""No class has this number, and no concept that stands behind all classes."""


class Features(NamedTuple):
    """Features, and of which sentence each is one."""

    number: Numbers
    sentence: Numbers


Parts = tuple[Sequence[Hashes], Sequence[Numbers]]
"""Hashes of features of several sorts, and of which sentence each is one."""


class Piece(NamedTuple):
    """Whole sentences, as what features are made of: the sentence of each character, sums that say what stands between
    two of them, where words begin and end, and the class and the concept that begins at each character; 0 is none."""

    sentence: Numbers
    sums: Hashes
    starts: Places
    stops: Places
    classes: Numbers
    concepts: Numbers


def pieces(cut: Cut) -> Iterator[tuple[int, int]]:
    """All characters in pieces of whole sentences; of one that is too long for a piece, as much as fits."""
    begin, size = 0, cut.number.size
    while begin < size:
        end = min(begin + hashing.MOST, size)
        if end < size and cut.number[end] == cut.number[end - 1]:
            whole = int(np.searchsorted(cut.number, cut.number[end]))
            end = whole if whole > begin else end
        yield begin, end
        begin = int(np.searchsorted(cut.number, cut.number[end - 1], "right"))


def piece(cut: Cut, begin: int, end: int) -> Piece:
    """The whole sentences between two places of what was cut."""
    points, sentence, sums = cut.points[begin:end], cut.number[begin:end], hashing.sums(cut.points[begin:end])
    first, last = np.searchsorted(cut.words, (begin, end)).tolist()
    starts, stops = cut.words[first:last] - begin, np.minimum(cut.stops[first:last], end) - begin
    known = concepts.known().within(points, sentence, sums, starts, stops)
    return Piece(sentence, sums, starts, stops, *known)


def kinds(some: Piece) -> Iterator[Features]:
    """The features of a piece, kind by kind, as LEAST counts them."""
    sums, starts, stops = some.sums, some.starts, some.stops
    words, sentence = hashing.between(sums, starts, stops), some.sentence.take(starts)
    (plain, of), (likes, also) = _of_words(words, sentence), _of_likes(words, some.classes.take(starts), sentence)
    yield _joined([*plain, *likes], [*of, *also])
    known = np.flatnonzero(some.classes)
    numbers, in_sentence = some.classes[known], some.sentence[known]
    yield _of_rows(numbers, in_sentence, _ROWS)
    yield _of_pairs(numbers, in_sentence)
    yield _of_characters(sums, some.sentence)
    yield _of_beginnings(hashing.between(sums, starts, np.minimum(stops, starts + BEGUN)), sentence)
    known = np.flatnonzero(some.concepts)
    numbers, in_sentence = some.concepts[known] + _MOST_CLASSES, some.sentence[known]
    yield _of_rows(numbers, in_sentence, _ROWS_OF_CONCEPTS)
    yield _of_pairs(numbers, in_sentence)


def _of_words(words: Hashes, sentence: Numbers) -> Parts:
    """Words, pairs of words, those with one between, and the first and the last word of each sentence."""
    same = sentence[1:] == sentence[:-1]
    opens, closes = np.append(True, ~same)[: words.size], np.append(~same, True)[: words.size]
    pairs, of_pairs = _pairs(words, sentence, _WORDS)
    found = [words * _ONE, *pairs, words[opens] * _FIRST, words[closes] * _LAST]
    return found, [sentence, *of_pairs, sentence[opens], sentence[closes]]


def _pairs(hashes: Hashes, sentence: Numbers, factors: Sequence[tuple[np.uint64, np.uint64]]) -> Parts:
    """Pairs of these in a sentence: of two that follow each other, of two with one between, and so on, by factors that
    tell them apart."""
    found: list[Hashes] = []
    of: list[Numbers] = []
    for apart, (first, second) in enumerate(factors, start=1):
        same = sentence[apart:] == sentence[:-apart]
        found.append((hashes[:-apart] * first + hashes[apart:] * second)[same])
        of.append(sentence[:-apart][same])
    return found, of


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


def _of_rows(numbers: Numbers, sentence: Numbers, rows: Sequence[Sequence[tuple[int, np.uint64]]]) -> Features:
    """Classes, and rows of them, whatever words stand between; or concepts."""
    hashes = _hashed(numbers)
    found, of = [hashes], [sentence]
    for row in rows:
        count = max(hashes.size - row[-1][0], 0)
        sums = np.zeros(count, np.uint64)
        for place, factor in row:
            sums += hashes[place : place + count] * factor
        same = sentence[:count] == sentence[row[-1][0] : row[-1][0] + count]
        found.append(sums[same])
        of.append(sentence[:count][same])
    return _joined(found, of)


def _of_pairs(numbers: Numbers, sentence: Numbers) -> Features:
    """Any two classes or concepts of a sentence, however often and in whatever order: languages differ in that."""
    once = united(sentence * _MOST + numbers)
    sentence, hashes = once // _MOST, _hashed(once % _MOST)
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
    return _joined(*_pairs(words ^ (words >> np.uint64(31)), sentence, _BEGINNINGS))


def _joined(hashes: Sequence[Hashes], sentence: Sequence[Numbers]) -> Features:
    return Features(hashing.numbers(np.concatenate(hashes)), np.concatenate(sentence))
