"""Several shadows one behind the other, so that what is asked of all of them is asked once."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, Self

from interpose_sanitizer.findings import Span
from interpose_sanitizer.shadow import Shadow

BORDER = b"\n\n\n"
"""Between two of them: no phrase reaches across, and a word and a line end there."""
MOST = 1 << 19
"""Bytes that are gathered: in more of them, places are told less exactly (`wordblocks`)."""


class Gathered(NamedTuple):
    """Some shadows as one, and where each begins in it, in bytes."""

    shadows: Sequence[Shadow]
    data: bytes
    begins: Sequence[int]

    @classmethod
    def of(cls, shadows: Iterable[Shadow]) -> Iterator[Self]:
        """All of these, in order; so many at once as are no more than MOST bytes, or one."""
        some: list[Shadow] = []
        size = 0
        for shadow in shadows:
            size += len(shadow.data)
            if some and size > MOST:
                yield cls._joined(some)
                some, size = [], len(shadow.data)
            some.append(shadow)
        if some:
            yield cls._joined(some)

    @classmethod
    def _joined(cls, some: Sequence[Shadow]) -> Self:
        begins = accumulate((len(shadow.data) + len(BORDER) for shadow in some), initial=0)
        return cls(some, BORDER.join([shadow.data for shadow in some]), list(begins)[:-1])

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
