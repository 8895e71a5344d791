"""What reconciling needs from outside. What it reads of the stream is small: the whole of a record only to close it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from interpose.contracts.record import Runner
from interpose.contracts.words import Decision, Outcome, Phase

Pause = Callable[[], Awaitable[None]]
"""Waits a moment between two batches, so that whoever else uses the process and the broker is served."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What of one record says whether its call is open. Times are seconds since the epoch."""

    sequence: int
    call_id: str
    phase: Phase
    decision: Decision
    runner: Runner
    at_s: float
    open_until_s: float | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Records in the stream's order, and where the next batch begins; `start` again where there is nothing yet.

    What is no record of a call is passed over.
    """

    records: tuple[Seen, ...]
    next_start: int


class RecordStream(Protocol):
    """The records of one kind of call, in their order. All raise Unavailable."""

    async def last(self) -> int:
        """The place of the latest, as the leader knows it; 0 where there is none."""
        ...

    async def batch(self, start: int) -> Batch:
        """Some from this place on. A replica that lags behind may answer."""
        ...

    async def one(self, start: int) -> Batch:
        """The first from this place on, as the leader knows it."""
        ...


class Lease(Protocol):
    """The right to reconcile, which one gateway has at a time. It ends by itself."""

    def left_s(self) -> float:
        """How long it lasts in any case, by the monotonic clock; nothing may be written when that is over."""
        ...

    def connected_s(self) -> float:
        """How long the broker has been there without a break."""
        ...


class Marks(Protocol):
    """How far everything is closed, for whoever reconciles next. An older mark only costs time."""

    async def read(self) -> int:
        """The first place that may still matter. Raises Unavailable."""
        ...

    async def write(self, start: int) -> None:
        """Keep it. Raises Unavailable."""
        ...


class Closings(Protocol):
    """Counts what was closed, and is told what an operator must look at; must never raise."""

    def closed(self, outcome: Outcome) -> None:
        """One call was closed."""
        ...

    def alarm(self, kind: str, message: str) -> None:
        """Something that an operator must look at."""
        ...
