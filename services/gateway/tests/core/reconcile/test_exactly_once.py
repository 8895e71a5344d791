"""However reports, deaths, stops, delays and changes of the reconciler interleave: one after record to each run.

Every step that touches the broker waits until the plan of the example lets it happen, so that anything may come between
any two. Beside it stands a model of one line: the first after record that is stored is the call's.

With a stream that forgets ids the same holds, as long as no message is stored later than its writer waited for it:
claims, lease and the look at the end of the stream are enough by themselves. The ids are for what comes later still.
"""

import asyncio
import os
from collections.abc import Coroutine
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from interpose.contracts.evaluation import Resolution
from interpose.contracts.record import Record, Runner
from interpose.contracts.words import Decision, Outcome
from interpose_gateway.core.evaluated.ports import Answered, Claim, ClaimState, Ended, Unavailable
from interpose_gateway.core.ports import RecordImpossible
from interpose_gateway.core.reconcile.opening import Terms

EXAMPLES = 3000 if os.environ.get("CI") else 200
REPORT_LEASE_S = 25.0
LEASE_S = 15.0
LEAST_S = 1.0
TICKS = 40
"""So many turns of the loop everybody needs at most to come to what they wait for next."""
TIMES_S = [0.5, 5.0, 13.5, 16.0, 31.0]
OPEN_S = 20.0
TERMS = Terms(slack_s=1.0, orphan_after_s=20.0)
"""All times are of one size, so that anything may end while anything else is under way."""

ACTOR: ContextVar[Any] = ContextVar("actor", default=None)
"""Who takes a step: a gateway by its number, a reporter by its call and number."""

whom = st.sampled_from([0, 1, "a", "b"])
"""A gateway, or one of the reporters."""
then = st.one_of(
    st.tuples(st.just("pass"), st.sampled_from(TIMES_S)),
    st.tuples(st.just("pass"), st.sampled_from(TIMES_S)),
    st.tuples(st.just("kill"), whom),
    st.tuples(st.just("lag"), st.integers(0, 3)),
    st.tuples(st.just("mark"), st.integers(0, 1)),
)
turns = st.tuples(whom, st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20]), then)
"""Somebody takes some steps, then something happens."""
calls = st.lists(
    st.sampled_from(["run", "run", "approved", "unanswered", "refused", "orphan", "gateway's"]), min_size=1, max_size=2
)


@dataclass
class Waiting:
    """One step that waits to be let through; a write is given up `latest_s`."""

    actor: Any
    future: asyncio.Future[None]
    latest_s: float | None


@dataclass
class Gate:
    """Holds every step."""

    waiting: list[Waiting] = field(default_factory=list)
    is_open: bool = False

    async def wait(self, _what: str, latest_s: float | None = None) -> None:
        """Return when the plan says so."""
        if not self.is_open:
            mine = Waiting(ACTOR.get(), asyncio.get_running_loop().create_future(), latest_s)
            self.waiting.append(mine)
            await mine.future

    async def let(self, actor: Any) -> None:
        """That one takes its next step, and comes to the one after it."""
        self.waiting = [each for each in self.waiting if not each.future.done()]
        own = next((each for each in self.waiting if each.actor == actor), None)
        if own is not None:
            own.future.set_result(None)
        for _ in range(TICKS):
            await asyncio.sleep(0)

    def give_up(self, now_s: float) -> None:
        """Writes that were waited for as long as their writer would."""
        for each in self.waiting:
            if each.latest_s is not None and each.latest_s < now_s and not each.future.done():
                each.future.set_exception(RecordImpossible("too late", maybe_stored=False))


class Example:
    """One run: a broker, reporters, and gateways of which at most one holds the lease."""

    def __init__(self, made: Any, *, remembers: bool) -> None:
        self.gate = Gate()
        self.remembers = remembers
        self.made = made
        self.world = made.World(remembers=remembers, gate=self.gate.wait)
        self.world.terms = TERMS
        self.leases = [made.Lease(self.world.clock, 0.0) for _ in range(2)]
        self.saved = 1
        self.followers: dict[int, Any] = {}
        self.tasks: dict[Any, asyncio.Task[None]] = {}
        self.told: list[tuple[str, str]] = []
        self.wanted: dict[str, int] = {}

    async def evaluate(self, kinds: list[str], reports: int) -> None:
        """Their before records, and as many reports of each as there are."""
        for kind in kinds:
            before = self.before(kind)
            self.world.stream.put(before)
            self.wanted[before.call_id] = 0 if kind in {"unanswered", "refused"} else 1
            if kind == "approved":
                yes = Answered(resolution=Resolution.APPROVED, by="g", runs=True)
                self.gate.is_open = True
                await self.world.approvals.answer(before.call_id, yes, 1e9)
                self.gate.is_open = False
            if kind in {"run", "approved"}:
                for name in "ab"[:reports]:
                    self.begin((name, before.call_id), self.report(before, f"sha256:{name}"))

    def before(self, kind: str) -> Record:
        """One before record."""
        decision = {"approved": Decision.ASK, "unanswered": Decision.ASK, "refused": Decision.REFUSE}.get(kind)
        lost = {"orphan": {"open_until": None}, "gateway's": {"open_until": None, "runner": Runner.GATEWAY}}
        made: Record = self.world.before(decision or Decision.RUN, **lost.get(kind, {}))
        if made.open_until is None:
            return made
        return made.model_copy(update={"open_until": made.at + timedelta(seconds=OPEN_S)})

    async def report(self, before: Record, digest: str) -> None:
        """What a gateway does with a report (core.evaluated.report), as far as others can tell."""
        clock, claims, stream = self.world.clock, self.world.claims, self.world.stream
        await self.gate.wait("report")
        until_s = clock.now_s + REPORT_LEASE_S
        claim = Claim(state=ClaimState.CLAIMED, by="gateway-9", ended=Ended.REPORT, digest=digest)
        if before.open_until is None or clock.wall_time() > before.open_until.timestamp():
            return
        revision = await claims.take(before.call_id, claim, REPORT_LEASE_S)
        await self.gate.wait("judging")
        left_s = until_s - LEAST_S - clock.now_s
        if revision is None or left_s <= 0:
            return
        try:
            sequence = await stream.write(self.world.report(before, digest), left_s)
        except RecordImpossible:
            return
        self.told.append((before.call_id, digest))
        done = claim.model_copy(update={"state": ClaimState.FINISHED, "sequence": sequence})
        await claims.finish(before.call_id, revision, done, 600)

    async def reconcile(self, number: int) -> None:
        """What a gateway does while it believes that the lease is its own."""
        follower, closer = self.world.gateway(f"gateway-{number}", self.leases[number], self.saved, most=2)
        self.followers[number] = follower
        while True:
            await self.gate.wait("look")
            try:
                await follower.follow(2)
                await closer.close_due()
            except Unavailable:
                continue

    async def take_turn(self, whom: Any, steps: int) -> None:
        """A gateway that runs has the lease, where no other has it; whoever runs no more loses it in time."""
        if isinstance(whom, int):
            await self.elect(whom)
        for _ in range(steps):
            for actor in self.actors(whom):
                await self.gate.let(actor)

    async def happen(self, what: str, number: Any) -> None:
        """What comes between two turns."""
        match what:
            case "pass":
                self.world.clock.now_s += number
                if not self.remembers:
                    self.gate.give_up(self.world.clock.now_s)
            case "kill":
                for actor in self.actors(number):
                    await self.kill(actor)
            case "lag":
                self.world.stream.lags = number
            case "mark":
                if number in self.followers and self.leases[number].left_s() > 0:
                    self.saved = self.followers[number].ledger.mark

    async def elect(self, number: int) -> None:
        """The holder renews it; where nobody holds it, this one takes it and begins from the mark."""
        own, now_s = self.leases[number], self.world.clock.now_s
        if own.left_s() > 0:
            own.ends_s = now_s + LEASE_S
        elif all(lease.left_s() <= 0 for lease in self.leases):
            await self.kill(number)
            own.ends_s = now_s + LEASE_S
            self.begin(number, self.reconcile(number))

    def begin(self, name: Any, work: Coroutine[Any, Any, None]) -> None:
        """Somebody more."""
        context = copy_context()
        context.run(ACTOR.set, name)
        self.tasks[name] = asyncio.create_task(work, context=context)

    def actors(self, whom: Any) -> list[Any]:
        """A gateway, or that reporter of each call."""
        return [name for name in self.tasks if name == whom or (isinstance(name, tuple) and name[0] == whom)]

    async def kill(self, name: Any) -> None:
        """kill -9. A gateway's lease ends by itself."""
        task = self.tasks.pop(name, None)
        if task is not None:
            task.cancel()
            await asyncio.wait({task})

    async def settle(self) -> None:
        """Everybody is gone, and one gateway has all the time that it needs."""
        for name in list(self.tasks):
            await self.kill(name)
        self.gate.is_open, self.world.stream.lags = True, 0
        self.world.clock.now_s += 10_000
        follower, closer = self.world.gateway("gateway-last", self.made.Lease(self.world.clock), self.saved)
        for _ in range(3):
            await follower.follow(100)
            await closer.close_due()
            self.world.clock.now_s += 31


@pytest.mark.parametrize("remembers", [True, False], ids=["ids are known", "ids are forgotten"])
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kinds=calls, reports=st.integers(0, 2), begun=st.integers(0, 5), plan=st.lists(turns, min_size=2, max_size=15))
def test_each_call_that_may_run_has_one_after_record(
    made: Any, remembers: bool, kinds: list[str], reports: int, begun: int, plan: list[Any]
) -> None:
    """And whoever was told that its report counts has its report on record, and no other."""

    async def run() -> Example:
        example = Example(made, remembers=remembers)
        await example.evaluate(kinds, reports)
        await example.happen("pass", 10.0)
        await example.take_turn("a", begun)
        await example.happen("pass", 11.0)
        for who, steps, then in plan:
            await example.take_turn(who, steps)
            await example.happen(*then)
        event(f"closed in the plan: {sum(map(len, map(example.world.stream.after, example.wanted)))}")
        await example.settle()
        return example

    example = asyncio.run(run())

    stream = example.world.stream
    after = {call_id: stream.after(call_id) for call_id in example.wanted}
    assert example.wanted == {call_id: len(found) for call_id, found in after.items()}
    told = dict(example.told)
    reported = {each.call_id: each.report_digest for [each] in filter(None, after.values()) if each.report_digest}
    assert len(told) == len(example.told)
    assert told.items() <= reported.items()
    closed = [each.outcome for [each] in filter(None, after.values())]
    assert closed.count(Outcome.EXPIRED) + closed.count(Outcome.UNKNOWN) >= len(example.world.tally.outcomes)
