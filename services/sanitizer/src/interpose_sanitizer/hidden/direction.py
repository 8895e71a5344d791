"""Characters that change the direction of text: overrides always go, others where their line does not close them.

An override shows text in another order than it is read by a program. An embedding or isolate that is closed only sets
a piece of the other direction apart, which honest text in Arabic or Hebrew needs.
"""

import re
from collections.abc import Iterator

from interpose_sanitizer.hidden.characters import (
    DIRECTION,
    EMBEDDINGS,
    END_OF_EMBEDDING,
    END_OF_ISOLATE,
    ISOLATES,
    OVERRIDES,
)

_STEP = re.compile(f"[{''.join(sorted(DIRECTION))}\n\u2029]")
_OPENINGS = ISOLATES | EMBEDDINGS | OVERRIDES


def unbalanced(text: str) -> frozenset[int]:
    """The positions of all that must go."""
    wrong: set[int] = set()
    line = _Line()
    for found in _STEP.finditer(text):
        character, place = found[0], found.start()
        if character in _OPENINGS:
            line.open(character, place)
        elif character == END_OF_EMBEDDING:
            wrong.update(line.end_embedding(place))
        elif character == END_OF_ISOLATE:
            wrong.update(line.end_isolate(place))
        else:
            wrong.update(line.left_open())
            line = _Line()
    return frozenset(wrong.union(line.left_open()))


class _Line:
    """What stands open in one line (UAX 9, BD9 and BD11: nothing is closed beyond its paragraph)."""

    def __init__(self) -> None:
        self._open: list[tuple[str, int]] = []
        self._isolates = 0

    def open(self, character: str, place: int) -> None:
        self._open.append((character, place))
        self._isolates += character in ISOLATES

    def end_embedding(self, place: int) -> Iterator[int]:
        """What must go with this end: itself where it closes nothing, both where it closes an override."""
        if not self._open or self._open[-1][0] in ISOLATES:
            yield place
            return
        character, opened = self._open.pop()
        if character in OVERRIDES:
            yield from (opened, place)

    def end_isolate(self, place: int) -> Iterator[int]:
        """What must go with this end: itself where it closes nothing, else what was left open within."""
        if not self._isolates:
            yield place
            return
        while self._open[-1][0] not in ISOLATES:
            yield self._open.pop()[1]
        self._open.pop()
        self._isolates -= 1

    def left_open(self) -> Iterator[int]:
        return (place for _, place in self._open)
