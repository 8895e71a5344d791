"""When what is looked at: evaluations at every look, what gateways left open only when there is a reason."""

from typing import Any

import pytest

from interpose.contracts.record import Runner
from interpose.contracts.words import Outcome
from interpose_gateway.core.reconcile.closing import LOST
from interpose_gateway.core.reconcile.ledger import Ledger
from interpose_gateway.core.reconcile.watching import CHECK_S, FULL, SWEEP_S, Expiry, Sweep


class Starts:
    """How often gateways started."""

    def __init__(self) -> None:
        self.number = 7

    async def seen(self) -> int:
        """The number."""
        return self.number


@pytest.fixture
def starts() -> Starts:
    """Some gateways started before."""
    return Starts()


@pytest.fixture
def expiry(world: Any) -> Expiry:
    """The looks at evaluations."""
    return Expiry(world.follower, world.closer, world.clock, world.tally)


@pytest.fixture
def sweep(world: Any, starts: Starts) -> Sweep:
    """The looks at what gateways left open."""
    return Sweep(world.follower, world.closer, world.clock, starts.seen)


@pytest.fixture
def reads(world: Any) -> list[str]:
    """What was asked of the stream."""
    asked: list[str] = []

    async def note(what: str, _latest_s: float | None = None) -> None:
        asked.append(what)

    world.stream.gate = note
    return asked


async def test_a_look_at_evaluations_closes_what_is_due(world: Any, expiry: Expiry) -> None:
    """And only that."""
    early = world.before()
    world.stream.put(early)
    world.clock.now_s += 300
    late = world.before()
    world.stream.put(late)
    world.clock.now_s += 305
    await expiry.look()

    assert [1, 0] == [len(world.stream.after(each.call_id)) for each in (early, late)]


async def test_a_full_memory_is_alarmed_once(world: Any, expiry: Expiry) -> None:
    """What there was no room for is closed all the same, as soon as there is some."""
    world.follower.ledger = Ledger(world.terms, most=5)
    calls = [world.before() for _ in range(12)]
    for before in calls:
        world.stream.put(before)
    for _ in range(3):
        await expiry.look()
    alarms = [kind for kind, _ in world.tally.alarms]
    world.clock.now_s += 700
    for _ in range(4):
        await expiry.look()

    assert [FULL] == alarms
    assert [1] * 12 == [len(world.stream.after(before.call_id)) for before in calls]


async def test_the_leader_is_asked_now_and_then_where_nothing_is_due(
    world: Any, expiry: Expiry, reads: list[str]
) -> None:
    """Only it knows that the stream was made anew."""
    await expiry.look()
    for _ in range(10):
        world.clock.now_s += CHECK_S / 10 - 0.1
        await expiry.look()
    once = reads.count("read last")
    world.clock.now_s += 2
    await expiry.look()

    assert (1, 2) == (once, reads.count("read last"))


async def test_a_sweep_needs_a_reason(world: Any, sweep: Sweep, starts: Starts, reads: list[str]) -> None:
    """The first look, another gateway's start, an hour; nothing is read without one."""
    told = []
    for change_s, started in ((0, 0), (SWEEP_S - 1, 0), (0.5, 1), (SWEEP_S - 1, 0), (2, 0)):
        world.clock.now_s += change_s
        starts.number += started
        reads.clear()
        await sweep.look()
        told.append("read last" in reads)

    assert [True, False, True, False, True] == told


async def test_what_a_gateway_left_open_is_swept_when_it_is_due(
    world: Any, sweep: Sweep, starts: Starts, reads: list[str]
) -> None:
    """Found by the first sweep, closed by the one at its time, without another reason."""
    before = world.before(runner=Runner.GATEWAY, open_until=None)
    world.stream.put(before)
    world.clock.now_s += 600
    await sweep.look()
    found = before.call_id in world.follower.ledger
    world.clock.now_s += 2999
    reads.clear()
    await sweep.look()
    early = list(reads)
    world.clock.now_s += 1
    await sweep.look()

    assert (True, []) == (found, early)
    assert [Outcome.UNKNOWN] == [each.outcome for each in world.stream.after(before.call_id)]
    assert [LOST] == [kind for kind, _ in world.tally.alarms]
