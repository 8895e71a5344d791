"""When to look at what: evaluations all the time, what gateways left open after a start, when due, and now and then."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from interpose_gateway.core.ports import Clock
from interpose_gateway.core.reconcile.closer import Closer
from interpose_gateway.core.reconcile.following import Follower
from interpose_gateway.core.reconcile.ports import Closings

BATCHES_A_LOOK = 16
"""So that what is due is closed also while there is no end to the reading."""
CHECK_S = 60.0
"""So often the leader is asked for the stream's end also where nothing is due: it may have been made anew."""
SWEEP_S = 3600.0
LEAST_BETWEEN_SWEEPS_S = 1.0
FULL = "reconciler-full"

StartsSeen = Callable[[], Awaitable[int]]
"""A number that is another one as soon as any gateway has started. Raises Unavailable."""


@dataclass(slots=True)
class Expiry:
    """Closes evaluations that nobody reported."""

    follower: Follower
    closer: Closer
    clock: Clock
    closings: Closings
    _check_at_s: float = 0.0
    _was_full: bool = False

    async def look(self) -> None:
        """Read on, and close what is due. Raises Unavailable."""
        await self.follower.follow(BATCHES_A_LOOK)
        self._tell_full()
        await self.closer.close_due()
        if self.clock.monotonic() >= self._check_at_s:
            self._check_at_s = self.clock.monotonic() + CHECK_S
            await self.follower.to_the_end()

    def _tell_full(self) -> None:
        is_full, ledger = self.follower.ledger.is_full, self.follower.ledger
        if is_full and not self._was_full:
            self.closings.alarm(FULL, f"{len(ledger)} evaluations are open; further ones are closed late, as these end")
        self._was_full = is_full


@dataclass(slots=True)
class Sweep:
    """Finds what gateways left open when they were killed, and closes it when no call could still be under way."""

    follower: Follower
    closer: Closer
    clock: Clock
    starts: StartsSeen
    _starts_swept: int | None = None
    _next_s: float = float("-inf")

    async def look(self) -> None:
        """Read on and close what is due, where it is time to. Raises Unavailable."""
        starts, now_s = await self.starts(), self.clock.wall_time()
        if starts == self._starts_swept and now_s < self._next_s:
            return
        self.follower.ledger.go_back()
        await self.follower.to_the_end()
        await self.closer.close_due()
        next_due_s = self.follower.ledger.next_due_s()
        hourly_s = now_s + SWEEP_S
        self._next_s = max(
            now_s + LEAST_BETWEEN_SWEEPS_S, hourly_s if next_due_s is None else min(hourly_s, next_due_s)
        )
        self._starts_swept = starts
