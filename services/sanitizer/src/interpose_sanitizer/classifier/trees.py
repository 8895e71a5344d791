"""Boosted decision trees at work (Friedman 2001), as arrays.

Every inner node of a tree is asked at once: one whose answer leads higher rules out the leaves below it on its lower
side. Of the leaves that are left the lowest is the one that a walk from the root would come to (Lucchese et al. 2015).
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Self

import numpy as np
import numpy.typing as npt

AT_ONCE = 128
"""Rows that are asked about together: more take memory and no less time."""
MOST_LEAVES = 16
"""Of a tree: a bit for each."""
Rows = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """A row for each tree, with a place for each of its inner nodes, in any order, or of its leaves from the lowest on.
    A place that is none rules out nothing."""

    width: int
    """How many signs there are to ask about."""
    signs: npt.NDArray[np.int16]
    """About which of them a node asks …"""
    limits: Rows
    """… and above which value it leads higher."""
    lower: npt.NDArray[np.uint16]
    """Then these leaves, a bit each, are ruled out."""
    values: Rows
    """What a leaf adds."""
    bias: float

    @classmethod
    def none(cls) -> Self:
        """What knows nothing: whatever it is asked about counts less than anything."""
        signs, lower = np.zeros((0, 1), np.int16), np.zeros((0, 1), np.uint16)
        return cls(0, signs, np.zeros((0, 1)), lower, np.zeros((0, 1)), -np.inf)

    @classmethod
    def of(cls, kept: Mapping[str, Any], name: str) -> Self:
        """Those that were kept under a name."""
        signs, limits, lower, values = (kept[f"{name}_{part}"] for part in ("signs", "limits", "lower", "values"))
        return cls(int(kept[f"{name}_width"]), signs, limits, lower, values, float(kept[f"{name}_bias"]))

    def named(self, name: str) -> dict[str, Any]:
        """What is to be kept under a name."""
        return {f"{name}_{part}": value for part, value in asdict(self).items()}

    def sums(self, rows: Rows) -> Rows:
        """What the trees say together of each row of signs. Raises ValueError if those are not the ones they know."""
        if not len(self.signs):
            return np.full(len(rows), self.bias)
        if rows.shape[1] != self.width:
            raise ValueError(f"{rows.shape[1]} signs, and these trees ask about {self.width}")
        parts = [self._sums(rows[begin : begin + AT_ONCE]) for begin in range(0, len(rows), AT_ONCE)]
        return np.concatenate([np.zeros(0), *parts]) + self.bias

    def _sums(self, rows: Rows) -> Rows:
        is_higher = rows[:, self.signs] > self.limits
        ruled_out = np.bitwise_or.reduce(np.where(is_higher, self.lower, np.uint16(0)), axis=2)
        leaves = _lowest_left().take(ruled_out)
        return np.asarray(self.values[np.arange(len(self.signs)), leaves].sum(axis=1))


@cache
def _lowest_left() -> npt.NDArray[np.uint8]:
    """For all that can be ruled out the lowest leaf that is not: of all of them nothing is ever ruled out."""
    table = np.zeros(1 << MOST_LEAVES, np.uint8)
    for leaf in range(MOST_LEAVES):
        table[(1 << leaf) - 1 :: 1 << (leaf + 1)] = leaf
    return table
