"""Readings of a part of a text: what was put together of letters that stood apart, and what stands near a place that
reads otherwise."""

from abc import abstractmethod
from functools import cached_property
from typing import Self

import numpy as np

from interpose_sanitizer import knitting, spacing
from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import Places, united
from interpose_sanitizer.shadow import Shadow, Written

REACH = 600
"""How far from what was put together a phrase with it may reach, in characters."""
BESIDE = 2
"""A mark may also be what lets a word begin or end."""
_END = 0x241E
_LINK, FEWEST_LINKS, _BRIDGE = 2, 4, 8
"""Marks that are so close, in characters that are read, make a stretch, so many of them; and so much is between two
that are one. A disguise that begins with an attack goes on with it."""


def stretches(read: Places, places: Places) -> Places:
    """Where a text is disguised letter by letter, as spans of it: its marks are at these places of it, and of what is
    read."""
    begins = np.flatnonzero(np.diff(read, prepend=-_LINK - 1) > _LINK)
    lasts = np.append(begins[1:], read.size) - 1
    long = lasts - begins >= FEWEST_LINKS - 1
    begins, lasts = begins[long], lasts[long]
    apart = read[begins[1:]] - read[lasts[:-1]] > _BRIDGE
    first, last = begins[np.append(True, apart)[: begins.size]], lasts[np.append(apart, True)[: begins.size]]
    return np.stack([places[first], places[last] + 1], axis=1)


def widened(span: Span, by: Places) -> Span:
    """A span with the stretches that it touches."""
    first, last = by[:, 1].searchsorted(span[0] - BESIDE), by[:, 0].searchsorted(span[1] + BESIDE)
    if first >= last:
        return span
    return min(span[0], int(by[first, 0])), max(span[1], int(by[last - 1, 1]))


class Partial(Shadow):
    """A reading that tells what it reads otherwise than the text stands there, at its `marks`, and nothing else."""

    marks: Places
    _read: Places
    """The same places in what is read."""

    @classmethod
    def around(cls, marks: Places, read: Places, written: Written) -> Self:
        """The shadow that folded characters are, with these marks: in the text, and in what is read there."""
        partial = cls.of(written)
        partial.marks, partial._read = marks, read
        return partial

    def told(self, span: Span) -> Span | None:
        """A span of the text, with the stretch around it that is disguised in the same way."""
        found = self.origin(span)
        return widened(found, self._stretches) if self._is_read_otherwise(found) else None

    @property
    def disguises(self) -> Places | None:
        return self.marks

    @cached_property
    def _stretches(self) -> Places:
        return stretches(self._read, self.marks)

    @abstractmethod
    def _is_read_otherwise(self, span: Span) -> bool:
        """Whether this much of the text is what this reading is made for."""


class Pieced(Partial):
    """A reading in which letters are joined that stood apart in the text, at its `marks` or by something `hidden`."""

    hidden: Places

    @classmethod
    def joined(cls, written: Written, separated: Places, hidden: Places) -> Self:
        """The shadow that folded characters are, with what stood between them."""
        pieced = cls.around(separated, separated - np.arange(separated.size), written)
        pieced.hidden = hidden
        return pieced

    @cached_property
    def disguises(self) -> Places | None:
        return united(self.marks, self.hidden)

    def _is_read_otherwise(self, span: Span) -> bool:
        """Whether it was put together: anything that hid, or more than an initial."""
        return _count(self.hidden, span) > 0 or _count(self.marks, span) >= spacing.FEWEST


class Knit(Pieced):
    """One of words that are broken or run together. What could be a name is one unless it goes on behind a blank."""

    _knit: knitting.Knit

    @classmethod
    def knitted(cls, knit: knitting.Knit) -> Self:
        """The reading that this makes."""
        knitted = cls.joined(knit.written, knit.blanks[:0], knit.broken)
        knitted._knit = knit
        return knitted

    @property
    def disguises(self) -> None:
        return None

    def _is_read_otherwise(self, span: Span) -> bool:
        """Whether it is broken or run together, and is no name."""
        knit = self._knit
        of = (knit.broken, knit.joined, knit.named, knit.blanks, knit.marks)
        broken, joined, named, blanks, marks = (_count(places, span) for places in of)
        if span[1] - span[0] > REACH or _count(knit.inner, (span[0], span[0] + 1)):
            return False
        return broken > 0 or joined > 0 or (named > 0 and blanks > 0 and not marks)


class Near(Partial):
    """A reading of what stands near its `marks` alone, the places of the text at which it differs from the plain one.

    What holds none of them is found by the plain one, which knows what stands further around it.
    """

    def _is_read_otherwise(self, span: Span) -> bool:
        """Whether one of the marks is in it or beside it."""
        first, last = self.marks.searchsorted((span[0] - BESIDE, span[1] + BESIDE))
        return bool(first < last)


def _count(places: Places, span: Span) -> int:
    """How many of some places are in a span."""
    return int(np.diff(places.searchsorted(span))[0])


def in_reach(written: Written, marks: Places, without: Places | None = None) -> Written:
    """What is in reach of some places, in order; each piece of it ends with what a rule lets stand in no phrase."""
    apart = np.diff(marks) > 2 * REACH
    begins = np.maximum(marks[np.append(True, apart)] - REACH, 0)
    ends = np.minimum(marks[np.append(apart, True)] + REACH, written.points.size - 1) + 1
    lengths = ends - begins
    kept = np.repeat(begins - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))
    near = written.only(kept)
    near.points[np.cumsum(lengths)[ends < written.points.size] - 1] = _END
    if without is None:
        return near
    is_kept = np.ones(written.points.size, np.bool_)
    is_kept[without] = False
    return near.only(np.flatnonzero(is_kept.take(kept)))
