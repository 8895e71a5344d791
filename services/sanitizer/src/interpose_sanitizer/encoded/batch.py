"""What one encoding yields: many short texts at once, so that all of them are judged in one go."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.source import Source
from interpose_sanitizer.findings import Span

Place = Callable[[int, Span], Span | None]


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts decoded from one source by one encoding.

    `place` tells which characters of the source a span of the part with that number comes from;
    None where nothing there is encoded. A payload goes whole, of prose with something in it only that.
    `is_plain`: it hides nothing, and only what is an attack in plain text is one there.
    `is_prose`: it is prose, of which some may stand in the source plainly. `is_final`: nothing in it is decoded again.
    `cut` numbers the parts that go on beyond what was unpacked.
    """

    encoding: str
    parts: Sequence[str]
    place: Place
    is_prose: bool = False
    is_plain: bool = False
    is_final: bool = False
    cut: frozenset[int] = frozenset()

    @classmethod
    def of_payloads(cls, encoding: str, found: Sequence[tuple[Span, str]], cut: Iterable[int] = ()) -> "Batch":
        """Payloads with their places."""
        return cls(encoding, [text for _, text in found], lambda index, _: found[index][0], cut=frozenset(cut))

    def until(self, number: int) -> "Batch":
        """The first so many of its parts."""
        return self if number == len(self.parts) else replace(self, parts=self.parts[:number])

    def since(self, number: int) -> "Batch":
        """Its parts from that number on."""

        def place(index: int, span: Span) -> Span | None:
            return self.place(index + number, span)

        return Batch(self.encoding, self.parts[number:], place)


Finder = Callable[[Source, Budget], Iterator[Batch]]
"""What a source may hold in some encoding. Finding is linear in the source; what a finder unpacks, it has afforded."""
