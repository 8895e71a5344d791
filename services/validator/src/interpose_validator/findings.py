"""What a rule finds, before it is a fault: the place as steps, so that findings can be put in the document's order.

Order: by the place in the document as it was written (a missing key stands behind its object's other keys), then by
keyword, then by message. The same value and settings therefore always give the same list.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from interpose.contracts.paths import Path, json_path
from interpose.errors import Fault

LISTED = 200
"""More faults than this are counted, not listed: a person mends the first ones first."""

_Rank = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong at `path`. `keyword` names the rule; `below` is a place in a string that holds JSON."""

    path: Path
    keyword: str
    message: str
    limit: int | None = None
    given: int | None = None
    below: str = ""

    def at(self, base: Path) -> "Finding":
        """The same finding, its path continued from `base`."""
        return Finding((*base, *self.path), self.keyword, self.message, self.limit, self.given, self.below)

    def fault(self) -> Fault:
        """The fault as the rest of Interpose knows it."""
        return Fault(json_path(self.path) + self.below, self.message, limit=self.limit, given=self.given)


def in_order(findings: Iterable[Finding], document: Any) -> list[Fault]:
    """The findings as faults in the document's order; beyond `LISTED` one last fault tells how many more there are."""
    ranks = _Ranks(document)
    ordered = sorted(set(findings), key=lambda found: (ranks.of(found.path), found.keyword, found.message))
    faults = [found.fault() for found in ordered[:LISTED]]
    if len(ordered) > LISTED:
        faults.append(Fault("$", f"and {len(ordered) - LISTED} more faults"))
    return faults


class _Ranks:
    """Where the places of one document stand; each object is counted through once."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._positions: dict[int, dict[str, int]] = {}

    def of(self, path: Path) -> _Rank:
        value = self._document
        rank: list[tuple[int, str]] = []
        for step in path:
            rank.append(self._rank(value, step))
            value = _child(value, step)
        return tuple(rank)

    def _rank(self, value: Any, step: str | int) -> tuple[int, str]:
        if isinstance(step, int):
            return step, ""
        if not isinstance(value, dict):
            return 0, step
        if id(value) not in self._positions:
            self._positions[id(value)] = {key: index for index, key in enumerate(value)}
        return self._positions[id(value)].get(step, len(value)), step


def _child(value: Any, step: str | int) -> Any:
    if isinstance(step, int):
        return value[step] if isinstance(value, list) and 0 <= step < len(value) else None
    return value.get(step) if isinstance(value, dict) else None
