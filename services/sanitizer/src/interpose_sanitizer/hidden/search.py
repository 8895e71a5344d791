"""Finding what hides in a text, as places to be removed."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.findings import Family, Hit
from interpose_sanitizer.hidden import blanks, padding
from interpose_sanitizer.hidden.direction import unbalanced
from interpose_sanitizer.hidden.runs import unneeded
from interpose_sanitizer.hidden.tables import RULES, tables
from interpose_sanitizer.points import Places, Points


@dataclass(frozen=True, slots=True)
class Hidden:
    """The places of a text, in order, of what has no width and is not needed; and by which of RULES each must go."""

    places: Places
    rules: npt.NDArray[np.uint8]

    def of(self, families: frozenset[Family]) -> "Hidden":
        """What is of these families."""
        wanted = np.array([family in families for family, _ in RULES])
        if bool(wanted.all()):
            return self
        kept = wanted.take(self.rules)
        return Hidden(self.places[kept], self.rules[kept])

    def first(self) -> Hit:
        """The first of them."""
        place = int(self.places[0])
        return (place, place + 1), *RULES[int(self.rules[0])]

    def hits(self) -> list[Hit]:
        """Everything as a list; neighbours of one kind are one."""
        if not self.places.size:
            return []
        apart = (np.diff(self.places, prepend=-2) != 1) | (np.diff(self.rules.astype(np.int16), prepend=-1) != 0)
        begins = np.flatnonzero(apart)
        ends = np.append(begins[1:], self.places.size) - 1
        starts, lasts = self.places[begins].tolist(), self.places[ends].tolist()
        kinds = self.rules[begins].tolist()
        return [((start, last + 1), *RULES[kind]) for start, last, kind in zip(starts, lasts, kinds, strict=True)]


NOTHING = Hidden(np.zeros(0, np.int64), np.zeros(0, np.uint8))


def search(points: Points) -> Hidden:
    """Everything in a text that has no width and that the text does not need."""
    table = tables()
    hidden = np.flatnonzero(table.is_hidden.take(points))
    blank = blanks.misplaced(points)
    if not (hidden.size or blank.size):
        return NOTHING
    gone = np.zeros(points.size, np.bool_)
    gone[blank] = True
    if hidden.size:
        gone[unneeded(points, hidden)] = True
        gone[unbalanced(points, hidden[table.is_turn.take(points.take(hidden))])] = True
    row = padding.padding(points) if hidden.size and gone.any() else None
    if row is not None:
        gone[slice(*row)] = False
    places = np.flatnonzero(gone)
    return Hidden(places, table.rule.take(points.take(places)))
