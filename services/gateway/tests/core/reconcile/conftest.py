"""A stream, claims, answers and a lease in memory, as strict as the broker's own, on a clock that waits."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from interpose.contracts.ask import Context
from interpose.contracts.ids import call_id as new_id
from interpose.contracts.record import Producer, Record, RecordedNative, Runner
from interpose.contracts.words import Decision, Outcome, Phase
from interpose_gateway.core.evaluated.ports import Answered, Claim, Held, Unavailable
from interpose_gateway.core.ports import RecordImpossible
from interpose_gateway.core.reconcile.closer import Closer, Means
from interpose_gateway.core.reconcile.following import Follower
from interpose_gateway.core.reconcile.ledger import MOST_OPEN, Ledger
from interpose_gateway.core.reconcile.opening import Terms
from interpose_gateway.core.reconcile.ports import Batch, Seen
from interpose_gateway.core.records import RecordMaker

EPOCH_S = 1_795_000_000.0
A_LONG_TIME_S = 1e9
Gate = Callable[..., Awaitable[None]]


async def open_gate(_what: str, _latest_s: float | None = None) -> None:
    """Whatever is asked for happens at once."""


@dataclass
class Clock:
    """Stands still until somebody takes time."""

    now_s: float = 1000.0

    def monotonic(self) -> float:
        """Seconds."""
        return self.now_s

    def wall_time(self) -> float:
        """A moment in 2026."""
        return EPOCH_S + self.now_s


@dataclass
class Stream:
    """Records by their number from 1 on. `remembers`: a repeated id is told, for good. `lags`: so many of the last
    records a replica does not know yet. `gate` is waited for before anything happens and before it is told."""

    clock: Clock
    remembers: bool = True
    lags: int = 0
    per_batch: int = 3
    gate: Gate = open_gate
    stored: list[Record | None] = field(default_factory=list)
    is_away: bool = False

    def put(self, record: Record | None) -> int:
        """Store it; its number."""
        self.stored.append(record)
        return len(self.stored)

    def find(self, record: Record) -> int | None:
        """Where a record of the same call and phase stands."""
        same = (
            n
            for n, each in enumerate(self.stored, 1)
            if each is not None and (each.call_id, each.phase) == (record.call_id, record.phase)
        )
        return next(same, None)

    async def write(self, record: Record, timeout_s: float) -> int:
        """The recorder's."""
        await self.pass_gate("write", self.clock.now_s + timeout_s)
        stands_at = self.find(record) if self.remembers else None
        if stands_at is not None:
            raise RecordImpossible("it stands there", maybe_stored=False, stands_at=stands_at)
        sequence = self.put(record)
        await self.pass_gate("written")
        return sequence

    async def at(self, sequence: int) -> Record | None:
        """The reader's."""
        await self.pass_gate("read one")
        return self.stored[sequence - 1] if 0 < sequence <= len(self.stored) else None

    async def last(self) -> int:
        """The leader's last."""
        await self.pass_gate("read last")
        return max((n for n, each in enumerate(self.stored, 1) if each is not None), default=0)

    async def batch(self, start: int) -> Batch:
        """A replica's."""
        await self.pass_gate("read batch")
        known = len(self.stored) - self.lags
        return self._batch(start, min(known, start + self.per_batch - 1))

    async def one(self, start: int) -> Batch:
        """The leader's first from there on."""
        await self.pass_gate("read next")
        return self._batch(start, min(len(self.stored), start))

    def _batch(self, start: int, last: int) -> Batch:
        found = [(n, self.stored[n - 1]) for n in range(start, last + 1)]
        return Batch(tuple(seen(n, each) for n, each in found if each is not None), max(start, last + 1))

    async def pass_gate(self, what: str, latest_s: float | None = None) -> None:
        """Wait for the gate. Raises Unavailable while the broker is away."""
        await self.gate(what, latest_s)
        if self.is_away:
            raise Unavailable("the broker is away")

    def after(self, call_id: str) -> list[Record]:
        """The after records of a call."""
        return [each for each in self.stored if each and (each.call_id, each.phase) == (call_id, Phase.AFTER)]


def seen(sequence: int, record: Record) -> Seen:
    """What a reader sees of it."""
    until = record.open_until
    return Seen(
        sequence,
        record.call_id,
        record.phase,
        record.decision,
        record.runner,
        record.at.timestamp(),
        None if until is None else until.timestamp(),
    )


@dataclass
class Keys:
    """Claims and answers with their lives."""

    clock: Clock
    gate: Gate = open_gate
    is_away: bool = False
    _stored: dict[str, tuple[Any, int, float]] = field(default_factory=dict)
    _revisions: int = 0

    async def get(self, key: str) -> tuple[Any, int] | None:
        """What stands there."""
        await self._pass("get")
        return self._now(key)

    async def set(self, key: str, value: Any, after: int, life_s: float) -> int | None:
        """Compare and set."""
        await self._pass("set")
        found = self._now(key)
        if (found[1] if found else 0) != after:
            return None
        self._revisions += 1
        self._stored[key] = (value, self._revisions, self.clock.now_s + life_s)
        revision = self._revisions
        await self._pass("is set")
        return revision

    def _now(self, key: str) -> tuple[Any, int] | None:
        value, revision, ends_s = self._stored.get(key, (None, 0, 0.0))
        return (value, revision) if ends_s > self.clock.now_s else None

    async def _pass(self, what: str) -> None:
        await self.gate(what)
        if self.is_away:
            raise Unavailable("the broker is away")


@dataclass
class Claims:
    """The core's `Claims`."""

    keys: Keys

    async def read(self, call_id: str) -> Held | None:
        """What stands there."""
        found = await self.keys.get(f"call.{call_id}")
        return None if found is None else Held(*found)

    async def take(self, call_id: str, claim: Claim, lease_s: float) -> int | None:
        """Create it."""
        return await self.keys.set(f"call.{call_id}", claim, 0, lease_s)

    async def finish(self, call_id: str, revision: int, claim: Claim, keep_s: float) -> bool:
        """Replace it."""
        return await self.keys.set(f"call.{call_id}", claim, revision, keep_s) is not None


@dataclass
class Approvals:
    """The core's `Approvals`."""

    keys: Keys

    async def read(self, call_id: str) -> Answered | None:
        """What stands there."""
        found = await self.keys.get(f"approval.{call_id}")
        return None if found is None else found[0]

    async def answer(self, call_id: str, answered: Answered, keep_s: float) -> bool:
        """Create it."""
        return await self.keys.set(f"approval.{call_id}", answered, 0, keep_s) is not None


@dataclass
class Lease:
    """Ours until a moment."""

    clock: Clock
    ends_s: float = A_LONG_TIME_S
    connected_at_s: float = 0.0

    def left_s(self) -> float:
        """How long it lasts."""
        return self.ends_s - self.clock.now_s

    def connected_s(self) -> float:
        """How long the broker has been there."""
        return self.clock.now_s - self.connected_at_s


@dataclass
class Tally:
    """What was told."""

    outcomes: list[Outcome] = field(default_factory=list)
    alarms: list[tuple[str, str]] = field(default_factory=list)

    def closed(self, outcome: Outcome) -> None:
        """One call."""
        self.outcomes.append(outcome)

    def alarm(self, kind: str, message: str) -> None:
        """One alarm."""
        self.alarms.append((kind, message))


class World:
    """One broker, and one gateway that may reconcile; `gateway()` makes further ones."""

    def __init__(self, *, remembers: bool = True, gate: Gate = open_gate) -> None:
        self.clock = Clock()
        self.stream = Stream(self.clock, remembers=remembers, gate=gate)
        self.keys = Keys(self.clock, gate=gate)
        self.claims, self.approvals = Claims(self.keys), Approvals(self.keys)
        self.tally = Tally()
        self.terms = Terms(slack_s=5.0, orphan_after_s=3600.0)
        self.lease = Lease(self.clock)
        self.follower, self.closer = self.gateway("gateway-1", self.lease)

    def gateway(self, instance: str, lease: Lease, start: int = 1, most: int = MOST_OPEN) -> tuple[Follower, Closer]:
        """What one gateway reconciles with."""

        async def pause() -> None:
            """There is nobody to wait for."""

        follower = Follower(self.stream, Ledger(self.terms, start, most), pause)
        maker = RecordMaker(instance, self.clock)
        means = Means(self.claims, self.approvals, self.stream, self.stream, maker, self.clock, self.tally, 600.0)
        return follower, Closer(means, follower, lease)

    def before(self, decision: Decision = Decision.RUN, **changes: Any) -> Record:
        """A before record of an agent's call, open for ten minutes from now, where it is open; not stored."""
        at_s = self.clock.wall_time()
        is_open = decision in (Decision.RUN, Decision.ASK)
        record = Record(
            record_id=new_id(),
            call_id=new_id(),
            phase=Phase.BEFORE,
            at=datetime.fromtimestamp(at_s, UTC),
            revision=3,
            registry_digest="sha256:" + "0" * 64,
            client="local",
            context=Context(),
            tool="echo",
            action="send",
            kind="Other",
            native=RecordedNative(tool="echo", digest="sha256:" + "0" * 64, arguments={"text": "one"}),
            original={"text": "one"},
            final={"text": "two"},
            final_digest="sha256:" + "1" * 64,
            decision=decision,
            trace_id="a" * 32,
            span_id="b" * 16,
            producer=Producer(instance="gateway-0", sequence=4),
            runner=Runner.AGENT,
            open_until=datetime.fromtimestamp(at_s + 600, UTC) if is_open else None,
        )
        return record.model_copy(update=changes)

    def report(self, before: Record, digest: str = "sha256:" + "2" * 64) -> Record:
        """The after record of a report."""
        return before.model_copy(
            update={
                "record_id": new_id(),
                "phase": Phase.AFTER,
                "decision": Decision.DELIVER,
                "outcome": Outcome.SUCCESS,
                "open_until": None,
                "report_digest": digest,
            }
        )

    async def look(self) -> None:
        """Read on and close what is due."""
        await self.follower.follow(100)
        await self.closer.close_due()


@pytest.fixture
def world() -> World:
    """A broker that does at once what it is asked."""
    return World()


@pytest.fixture(scope="session")
def made() -> SimpleNamespace:
    """The classes: for tests that need several of them."""
    return SimpleNamespace(World=World, Lease=Lease, Ledger=Ledger)
