"""What was decoded, depth by depth: all texts of one depth stand one after the other and are searched as one."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from interpose_sanitizer.carried import SEPARATOR
from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.source import Source
from interpose_sanitizer.findings import Span


class Where(NamedTuple):
    """A place in the text itself, the encodings from the outside in, and whether some of it may be written plainly."""

    span: Span
    encoding: str
    is_prose: bool


class Layer:
    """The text itself, or all that was decoded from the layer `above`, in `batches`."""

    def __init__(self, text: str, above: "Layer | None" = None, batches: Sequence[Batch] = ()) -> None:
        self.source = Source(text)
        self._above, self._batches = above, batches
        self._numbers = [*accumulate((len(batch.parts) for batch in batches), initial=0)]
        self._lengths = [len(part) for batch in batches for part in batch.parts]
        self._starts = [*accumulate((length + len(SEPARATOR) for length in self._lengths), initial=0)]

    def below(self, batches: Sequence[Batch]) -> "Layer":
        """What was decoded from this one."""
        return Layer(SEPARATOR.join(part for batch in batches for part in batch.parts), self, batches)

    def placed(self, batch: Batch, index: int, span: Span) -> "Where | None":
        """Where in the text itself a span of a part stands; None where nothing there is encoded."""
        place, name = batch.place(index, span), batch.encoding
        if place is None or self._above is None:
            return place and Where(place, name, batch.is_prose)
        number = bisect_right(self._starts, place[0]) - 1
        start, length = self._starts[number], self._lengths[number]
        inside = min(place[0] - start, length - 1), min(place[1] - start, length)
        outer = bisect_right(self._numbers, number) - 1
        told = self._above.placed(self._batches[outer], number - self._numbers[outer], inside)
        return told and Where(told.span, f"{told.encoding}/{name}", told.is_prose or batch.is_prose)


class Part(NamedTuple):
    """One decoded text: the part of a batch with that number, decoded from a layer."""

    layer: Layer
    batch: Batch
    number: int

    @property
    def text(self) -> str:
        """What it says."""
        return self.batch.parts[self.number]

    def placed(self, span: Span) -> Where | None:
        """As its layer tells."""
        return self.layer.placed(self.batch, self.number, span)


class Decoded:
    """All that was decoded, as `texts`; each is told by its number."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.cut: list[int] = []
        """Those that go on beyond what was unpacked."""
        self._from: list[tuple[Layer, Batch]] = []
        self._starts: list[int] = []

    def add(self, layer: Layer, batches: Iterable[Batch]) -> None:
        """What was decoded from a layer."""
        for batch in batches:
            self._from.append((layer, batch))
            self._starts.append(len(self.texts))
            self.cut += [len(self.texts) + index for index in sorted(batch.cut) if index < len(batch.parts)]
            self.texts += batch.parts

    def of(self, encoding: str) -> Iterator[int]:
        """The numbers of the texts that were decoded from an encoding."""
        for start, (_, batch) in zip(self._starts, self._from, strict=True):
            if batch.encoding == encoding:
                yield from range(start, start + len(batch.parts))

    def part(self, number: int) -> Part:
        """The text with that number, and where it was decoded from."""
        place = bisect_right(self._starts, number) - 1
        return Part(*self._from[place], number - self._starts[place])
