"""Where a text holds what leads to a sentence that is worth a look. A long text is searched piece by piece: most pieces
hold no lead, or none of the clues that it leads to.
"""

import re
from collections.abc import Iterator, Sequence

from interpose_sanitizer import pattern
from interpose_sanitizer.findings import Span
from interpose_sanitizer.unmarked import sentences
from interpose_sanitizer.unmarked.clues import Clue

PIECE, ACROSS, FURTHEST = 1 << 13, 1 << 9, 1 << 12
"""Bytes that are searched at once, and how far a lead may reach into the next piece: so many bytes of which enough are
letters, and so many where they are none."""
_FEWEST_LETTERS = 300
_SIGNS = bytes(octet for octet in range(0x80) if not chr(octet).isalnum())
_KEPT_OR_EDGE = re.compile(r"(\\.|\[(?:\\.|[^\]\\])*\])|[\^$]", re.DOTALL)


class Leads:
    """The leads of some clues. Safe to use from several threads at once."""

    def __init__(self, some: Sequence[Clue]) -> None:
        leading = [clue for clue in some if clue.lead]
        self._patterns = [pattern.compiled(clue.lead, pattern.MOST_MEMORY) for clue in leading]
        # They hardly wait for anything: one pass for all of them is a third of three.
        self._all = pattern.automaton([pattern.expanded(clue.lead) for clue in leading])
        self._apart = frozenset(number for number, clue in enumerate(leading) if clue.lead != clue.pattern)
        self._led_to = pattern.together(_anywhere(leading[number].pattern) for number in sorted(self._apart))

    def found(self, data: bytes) -> Sequence[Span]:
        """Where leads are, in order."""
        return sorted({lead for piece in _pieces(data) for lead in self._within(data, piece)})

    def _within(self, data: bytes, piece: Span) -> Iterator[Span]:
        """Those in a piece of a text; of those that are no clues themselves none, where no clue stands near that has
        such."""
        begin, stop = piece
        led = [number for number in self._all.Match(data[begin:stop]) or () if number < len(self._patterns)]
        if not self._apart.isdisjoint(led):
            near = data[max(begin - sentences.BEFORE, 0) : stop + sentences.AFTER]
            led = led if self._led_to.Match(near) else [number for number in led if number not in self._apart]
        for number in led:
            yield from (lead.span() for lead in self._patterns[number].finditer(data, begin, stop))


def _pieces(data: bytes) -> Iterator[Span]:
    """All of a text in pieces, of which each reaches into the next as far as a lead may that stands in both."""
    for begin in range(0, len(data), PIECE):
        behind, across = begin + PIECE, ACROSS
        while across < FURTHEST and len(data[behind : behind + across].translate(None, _SIGNS)) < _FEWEST_LETTERS:
            across *= 2
        yield begin, min(behind + across, len(data))


def _anywhere(written: str) -> str:
    """A pattern that takes every place for the edge of a text: a sentence is a text by itself."""
    return _KEPT_OR_EDGE.sub(lambda sign: sign[1] or "", written)
