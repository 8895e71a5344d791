"""Texts as arrays of code points, so that every step on them is one pass outside the interpreter."""

from typing import Any

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.uint32]
"""A text: one code point for each character."""
Places = npt.NDArray[np.int64]
"""Indexes in a text, in characters."""
Mask = npt.NDArray[np.bool_]

EVERY = 0x110000
"""Code points that there are: the length of a table over all of them."""

FEW_PLACES, APART = 1_000, 500


def most_places(size: int) -> int:
    """How many places of a text of so many bytes are told one by one. Of more all that lies between is meant: as many
    as there may be by chance must not make a long text slower than two of half its length."""
    return max(FEW_PLACES, size // APART)


def points_of(text: str) -> Points:
    """The code points of a text. Raises UnicodeEncodeError for half a character (a lone surrogate)."""
    return np.frombuffer(text.encode("utf-32-le"), "<u4")


def text_of(points: Points) -> str:
    """The text that these code points are."""
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le")


def united(*some: Places) -> Places:
    """All of some places, each once, in order. NumPy's own hashes them, which takes far longer."""
    places = np.sort(np.concatenate(some))
    first: Mask = np.append(True, places[1:] != places[:-1])[: places.size]
    return places[first]


def blanked(points: Points, begins: Places, ends: Places) -> Points:
    """A text with a space for each character of some spans, none of which begins or ends where another does."""
    edges = np.zeros(points.size + 1, np.int8)
    edges[begins] += 1
    edges[ends] -= 1
    return np.where(np.cumsum(edges[:-1], dtype=np.int8) > 0, np.uint32(ord(" ")), points)


def spanned(size: int, begins: Places, ends: Places) -> Mask:
    """Which of so many places are in some spans, in whatever order and however they overlap."""
    edges = np.zeros(size + 1, np.int64)
    np.add.at(edges, begins, 1)
    np.add.at(edges, ends, -1)
    return np.cumsum(edges[:-1]) > 0


def is_digit(points: Points) -> Mask:
    """Which characters are digits of ASCII."""
    return np.asarray((points >= ord("0")) & (points <= ord("9")))


def summed(some: npt.NDArray[Any]) -> Places:
    """The sum of some whole numbers, or how many of some are so, before each place; and of all."""
    sums = np.zeros(some.size + 1, np.int64)
    np.cumsum(some, out=sums[1:])
    return sums


def following(mask: Mask, distance: int = 1) -> Mask:
    """For each place whether the one so far behind it is in `mask`."""
    moved = np.zeros_like(mask)
    moved[:-distance] = mask[distance:]
    return moved


def preceding(mask: Mask, distance: int = 1) -> Mask:
    """For each place whether the one so far before it is in `mask`."""
    moved = np.zeros_like(mask)
    moved[distance:] = mask[:-distance]
    return moved
