"""A text as the octets of its UTF-8, which is what all searches here look at, and the way back to its characters."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from interpose_sanitizer.findings import Span

Octets = NDArray[np.uint8]
Indexes = NDArray[np.intp]


def octets_of(data: bytes) -> Octets:
    """The same octets to calculate with."""
    return np.frombuffer(data, np.uint8)


def mapped(octets: Octets, table: bytes) -> Octets:
    """Each octet as a table of 256 says: several times faster than numpy's own look-up."""
    return octets_of(octets.tobytes().translate(table))


_LONGEST = 4
"""Octets of a character."""


class Source:
    """One text. `data` is its UTF-8; lone surrogates are none of a text's."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode()
        self._readings: dict[str, bytes] = {}

    @cached_property
    def octets(self) -> Octets:
        """`data` to calculate with."""
        return octets_of(self.data)

    def reading(self, name: str, make: Callable[[], bytes]) -> bytes:
        """Another form of `data`, made once."""
        if name not in self._readings:
            self._readings[name] = make()
        return self._readings[name]

    def characters(self, span: Span) -> Span:
        """A span of octets as one of characters."""
        if len(self.data) == len(self.text):
            return span
        first, last = (int(self._counted[place]) for place in span)
        return first, last

    def excerpt(self, begins: Indexes, ends: Indexes) -> "Source":
        """Stretches of octets, in order, as a source of their own, each with the character before and behind it."""
        octets = np.append(self.octets, np.uint8(0))
        begins = np.maximum(begins - 1, 0)
        for _ in range(_LONGEST - 1):
            begins, ends = begins - _is_further(octets[begins]), ends + _is_further(octets[ends])
        begins = np.maximum(begins, np.append(0, ends[:-1]))
        parts = map(self.data.__getitem__, map(slice, begins.tolist(), ends.tolist()))
        lengths = ends - begins
        places = np.arange(int(lengths.sum())) + np.repeat(begins - np.cumsum(lengths) + lengths, lengths)
        return _Excerpt(b"".join(parts).decode(), self, places[~_is_further(octets[places])])

    def rewritten(self, text: str) -> "Source":
        """Another text of as many characters, each in the place of one of this one."""
        return Source(text)

    @cached_property
    def _counted(self) -> NDArray[np.int32]:
        """How many characters begin before each octet."""
        counted = np.zeros(len(self.data) + 1, np.int32)
        np.cumsum(~_is_further(self.octets), out=counted[1:])
        return counted


class _Excerpt(Source):
    """A part of an `outer` source: which tells for each character at which octet of that it stands."""

    def __init__(self, text: str, outer: Source, places: Indexes) -> None:
        super().__init__(text)
        self._outer, self._places = outer, places

    def characters(self, span: Span) -> Span:
        """A span of octets as one of characters of the outer source."""
        first, last = super().characters(span)
        begin, end = int(self._places[first]), int(self._places[last - 1])
        return self._outer.characters((begin, begin))[0], self._outer.characters((end, end))[0] + 1

    def rewritten(self, text: str) -> Source:
        """The same with other characters."""
        return _Excerpt(text, self._outer, self._places)


def _is_further(octets: Octets) -> NDArray[np.bool_]:
    """Which octets go on with a character that began before them."""
    further: NDArray[np.bool_] = octets & 0xC0 == 0x80
    return further
