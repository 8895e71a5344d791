"""Hashes of all parts of a row of characters at once.

A sum of what a row of characters says, each times a power of one odd number, is a hash of every part of it at the cost
of a subtraction and a product (Karp and Rabin 1987). All arithmetic is modulo 2^64.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.points import Places, Points

BITS = 22
"""Of the number of a feature."""
MOST = 1 << 15
"""Characters that are hashed at once."""

Numbers = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

_BASE, _MIX = 0x9E3779B97F4A7C15, np.uint64(0xD6E8FEB86659FD93)


def sums(points: Points) -> Hashes:
    """What the characters before each place say, and all of them."""
    said = points.astype(np.uint64) + np.uint64(1)
    return np.concatenate([np.zeros(1, np.uint64), np.cumsum(said * _powers(_BASE)[: points.size])])


def between(of: Hashes, starts: Places, stops: Places) -> Hashes:
    """The hashes of parts that begin and end there, by the sums of the whole."""
    return (of[stops] - of[starts]) * _inverse()[starts]


def rows(of: Hashes, length: int) -> Hashes:
    """The hash of each row of so many characters."""
    count = max(of.size - length, 0)
    return (of[of.size - count :] - of[:count]) * _inverse()[:count] + np.uint64(length)


def of_whole(points: Points) -> np.uint64:
    """The hash of a word by itself."""
    return np.uint64(sums(points)[-1])


def of_words(points: Points, starts: Places, stops: Places) -> Hashes:
    """Of each word a number by which it is known, however long the text is: no hash of a part of it."""
    lengths = stops - starts
    first = np.cumsum(lengths) - lengths
    place = np.arange(int(lengths.sum())) - np.repeat(first, lengths)
    said = points.take(place + np.repeat(starts, lengths)).astype(np.uint64)
    mixed = (said * np.uint64(_BASE) + place.astype(np.uint64)) * _MIX
    return np.asarray(np.add.reduceat((mixed ^ (mixed >> np.uint64(32))) * _MIX, first))


def numbers(hashes: Hashes) -> Numbers:
    """The numbers of features that hash so."""
    return (((hashes ^ (hashes >> np.uint64(32))) * _MIX) >> np.uint64(64 - BITS)).astype(np.int64)


@cache
def _powers(base: int) -> Hashes:
    factors = np.full(MOST + 1, base, np.uint64)
    factors[0] = 1
    return np.cumprod(factors)


@cache
def _inverse() -> Hashes:
    return _powers(pow(_BASE, -1, 1 << 64))
