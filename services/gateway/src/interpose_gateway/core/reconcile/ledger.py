"""The calls that are open as far as the stream was read, in bounded memory. Pure.

Where there is no room for a further one, reading goes on only to learn which of those that are held were closed; the
place of the first that was not taken in is kept, and everything from there is read again when there is room.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from interpose.contracts.words import Phase
from interpose_gateway.core.reconcile.opening import Open, Terms, opened_by
from interpose_gateway.core.reconcile.ports import Seen

MOST_OPEN = 200_000
"""Some hundred bytes each."""
ROOM = 0.9
"""Reading again begins when no more than this part of it is held: not for each single call."""
SLACK_ENTRIES = 1024
"""So many more than needed may stand in the queue: most calls are closed long before they are due."""


@dataclass(slots=True)
class Ledger:
    """`ahead`: the place to read next."""

    terms: Terms
    ahead: int = 1
    most: int = MOST_OPEN
    _open: OrderedDict[str, Open] = field(default_factory=OrderedDict)
    _due: list[tuple[float, int, str]] = field(default_factory=list)
    _left_out: int | None = None

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, call_id: str) -> bool:
        return call_id in self._open

    @property
    def is_full(self) -> bool:
        """Whether calls are left out for want of room."""
        return self._left_out is not None

    @property
    def mark(self) -> int:
        """Everything before this place is closed."""
        held = next(iter(self._open.values())).sequence if self._open else self.ahead
        return min(held, self.ahead, self._left_out or self.ahead)

    def take_in(self, seen: Seen) -> None:
        """One record, in the stream's order."""
        if seen.phase is Phase.AFTER:
            self.forget(seen.call_id)
            return
        opened = opened_by(seen, self.terms)
        if opened is None or opened.call_id in self._open:
            return
        if self._left_out is not None or len(self._open) >= self.most:
            self._left_out = self._left_out or seen.sequence
            return
        self._open[opened.call_id] = opened
        self.postpone(opened, opened.due_s)

    def go_on(self, start: int) -> None:
        """Everything before this place was taken in."""
        self.ahead = start

    def go_back(self) -> None:
        """Read again what there was no room for, where there is some now."""
        if self._left_out is not None and len(self._open) <= self.most * ROOM:
            self.ahead, self._left_out = self._left_out, None

    def due(self, now_s: float, most: int) -> list[Open]:
        """Open calls whose time is over, taken out of the queue: each is forgotten or postponed by whoever asked."""
        found: list[Open] = []
        while self._due and self._due[0][0] <= now_s and len(found) < most:
            _, sequence, call_id = heappop(self._due)
            held = self._open.get(call_id)
            if held is not None and held.sequence == sequence:
                found.append(held)
        return found

    def next_due_s(self) -> float | None:
        """When the next one is due, as far as is known; None where none is held."""
        while self._due and self._due[0][2] not in self._open:
            heappop(self._due)
        return self._due[0][0] if self._due else None

    def postpone(self, held: Open, until_s: float) -> None:
        """Look at it again then."""
        heappush(self._due, (until_s, held.sequence, held.call_id))

    def forget(self, call_id: str) -> None:
        """It is closed."""
        self._open.pop(call_id, None)
        if len(self._due) > 2 * len(self._open) + SLACK_ENTRIES:
            self._due = [entry for entry in self._due if entry[2] in self._open]
            heapify(self._due)
