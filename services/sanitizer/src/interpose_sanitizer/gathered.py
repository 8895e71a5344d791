"""Several shadows one behind the other, so that what is asked of all of them is asked once."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, Self

from interpose_sanitizer.findings import Span
from interpose_sanitizer.shadow import Shadow

BORDER = b"\n\n\n"
"""Between two of them: no phrase reaches across, and a word and a line end there."""
ENOUGH = 1 << 17
"""Bytes that are gathered. Readings of a long text are made one by one: one that is full of attacks needs no other."""


def together(shadows: Iterable[Shadow]) -> Iterator[list[Shadow]]:
    """All of these, in order, some at once; a shadow is not asked for before those that came before it were enough."""
    some: list[Shadow] = []
    for shadow in shadows:
        some.append(shadow)
        if sum(len(one.data) for one in some) >= ENOUGH:
            yield some
            some = []
    if some:
        yield some


class Gathered(NamedTuple):
    """Some shadows as one, and where each begins in it, in bytes."""

    shadows: Sequence[Shadow]
    data: bytes
    begins: Sequence[int]

    @classmethod
    def of(cls, shadows: Sequence[Shadow]) -> Self:
        """These, in their order."""
        begins = accumulate((len(shadow.data) + len(BORDER) for shadow in shadows), initial=0)
        return cls(shadows, BORDER.join([shadow.data for shadow in shadows]), list(begins)[:-1])

    def apart(self, spans: Sequence[Span]) -> Iterator[tuple[int, Sequence[Span]]]:
        """The numbers of the shadows that some spans touch, in order, and the spans in bytes of each."""
        if len(self.shadows) == 1:
            yield 0, spans
            return
        parts: dict[int, list[Span]] = {}
        for start, stop in spans:
            for number in range(bisect_right(self.begins, start) - 1, bisect_right(self.begins, stop - 1)):
                begin = self.begins[number]
                first, last = max(start - begin, 0), min(stop - begin, len(self.shadows[number].data))
                if first < last:
                    parts.setdefault(number, []).append((first, last))
        yield from parts.items()
