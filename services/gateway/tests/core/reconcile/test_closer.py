"""Closing what is due: under a claim, behind a look at the very end of the stream, and never against anybody's word."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest

from interpose.contracts.evaluation import Resolution
from interpose.contracts.record import Runner
from interpose.contracts.words import Decision, Outcome, Phase
from interpose_gateway.core.evaluated.ports import Answered, Claim, ClaimState, Ended, Unavailable
from interpose_gateway.core.ports import RecordImpossible
from interpose_gateway.core.reconcile.closing import EXPIRED, LOST

A_REPORT = Claim(state=ClaimState.CLAIMED, by="gateway-9", ended=Ended.REPORT, digest="sha256:" + "2" * 64)


async def test_an_evaluation_that_nobody_reports_is_closed_when_its_time_is_over(world: Any) -> None:
    """Not before the slack is over, too; the record says what the before record said, and the alarm names it."""
    before = world.before()
    world.stream.put(before)
    world.clock.now_s += 604.9
    await world.look()
    early = world.stream.after(before.call_id)
    world.clock.now_s += 0.1
    await world.look()

    [after] = world.stream.after(before.call_id)
    same = ("call_id", "revision", "registry_digest", "client", "context", "tool", "action", "kind", "trace_id")
    nothing = ("original", "final", "final_digest", "decided_by", "open_until", "report_digest")
    assert [] == early
    assert [getattr(before, name) for name in same] == [getattr(after, name) for name in same]
    assert [None] * len(nothing) == [getattr(after, name) for name in nothing]
    assert (Outcome.EXPIRED, Decision.WITHHOLD, EXPIRED) == (after.outcome, after.decision, after.code)
    assert (Runner.AGENT, "gateway-1") == (after.runner, after.producer.instance)
    assert datetime.fromtimestamp(world.clock.wall_time(), UTC) == after.at
    assert after.record_id != before.record_id
    assert [Outcome.EXPIRED] == world.tally.outcomes
    [(kind, said)] = world.tally.alarms
    assert kind == EXPIRED
    assert all(word in said for word in (before.call_id, "echo", "local"))


async def test_its_claim_says_afterwards_what_ended_it(world: Any) -> None:
    """For as long as an evaluation may be open: a report that comes late is told so."""
    before = world.before()
    world.stream.put(before)
    world.clock.now_s += 700
    await world.look()

    held = await world.claims.read(before.call_id)
    claim = Claim(state=ClaimState.FINISHED, by="gateway-1", ended=Ended.EXPIRY, sequence=2)
    assert claim == held.claim
    world.clock.now_s += 599
    assert await world.claims.read(before.call_id) is not None


async def test_what_was_reported_is_let_be(world: Any) -> None:
    """In time, or just before the look."""
    before = world.before()
    world.stream.put(before)
    await world.look()
    world.clock.now_s += 700
    world.stream.put(world.report(before))
    await world.look()

    assert [Outcome.SUCCESS] == [each.outcome for each in world.stream.after(before.call_id)]
    assert await world.claims.read(before.call_id) is None


async def test_a_report_that_a_replica_does_not_know_yet_is_let_be(world: Any) -> None:
    """The leader knows it. Its reporter died before the claim said so: now it does, and who repeats it is told."""
    before = world.before()
    world.stream.put(before)
    await world.look()
    world.clock.now_s += 700
    reported = world.report(before)
    world.stream.put(reported)
    world.stream.lags, world.stream.remembers = 1, False
    await world.look()

    held = await world.claims.read(before.call_id)
    assert [reported] == world.stream.after(before.call_id)
    assert (Ended.REPORT, reported.report_digest, 2) == (held.claim.ended, held.claim.digest, held.claim.sequence)
    assert 0 == len(world.follower.ledger)


async def test_a_report_that_was_written_just_before_the_claim_is_let_be(world: Any, made: Any) -> None:
    """The stream is read to its end behind the claim, so that nothing depends on its knowing an id again."""
    world = made.World(remembers=False)
    before = world.before()
    world.stream.put(before)
    await world.look()
    world.clock.now_s += 700
    reported = world.report(before)

    async def report(doing: str, _latest_s: float | None = None) -> None:
        if doing == "set" and not world.stream.after(before.call_id):
            world.stream.put(reported)

    world.keys.gate = report
    await world.look()

    assert [reported] == world.stream.after(before.call_id)


async def test_a_report_under_way_is_let_be(world: Any) -> None:
    """While somebody holds the claim nothing is written; when its holder died the call is closed."""
    before = world.before()
    world.stream.put(before)
    world.clock.now_s += 700
    await world.claims.take(before.call_id, A_REPORT, 15)
    for _ in range(3):
        await world.look()
        world.clock.now_s += 4.9
    meanwhile = world.stream.after(before.call_id)
    world.clock.now_s += 5
    await world.look()

    assert [] == meanwhile
    assert [Outcome.EXPIRED] == [each.outcome for each in world.stream.after(before.call_id)]


@pytest.mark.parametrize("left_s", [1.0, 0.5, 0.0, -1.0])
async def test_without_the_lease_nothing_is_taken_or_written(world: Any, left_s: float) -> None:
    """Another gateway may be at it."""
    before = world.before()
    world.stream.put(before)
    world.clock.now_s += 700
    world.lease.ends_s = world.clock.now_s + left_s
    await world.look()

    assert [] == world.stream.after(before.call_id)
    assert await world.claims.read(before.call_id) is None


@pytest.mark.parametrize("what", ["lease", "claim"])
async def test_whoever_was_stopped_too_long_writes_nothing(world: Any, what: str) -> None:
    """Between claiming and writing the lease ended, or the claim: by then another gateway may have closed it."""
    before = world.before()
    world.stream.put(before)
    world.clock.now_s += 700

    async def stop(doing: str, _latest_s: float | None = None) -> None:
        if doing == "read last":
            world.clock.now_s += 10 if what == "lease" else 30
            world.lease.ends_s = world.clock.now_s + (0 if what == "lease" else 100)

    world.stream.gate = stop
    await world.look()

    assert [] == world.stream.after(before.call_id)
    assert before.call_id in world.follower.ledger


async def test_a_record_that_somebody_else_wrote_meanwhile_counts(world: Any) -> None:
    """It stands under the same id: the claim tells of it, nothing is counted or alarmed, and the call is forgotten."""
    before = world.before()
    world.stream.put(before)
    world.clock.now_s += 700
    reported = world.report(before)

    async def overtake(doing: str, _latest_s: float | None = None) -> None:
        if doing == "write":
            world.stream.put(reported)

    world.stream.gate = overtake
    await world.look()

    held = await world.claims.read(before.call_id)
    assert [reported] == world.stream.after(before.call_id)
    assert (Ended.REPORT, reported.report_digest) == (held.claim.ended, held.claim.digest)
    assert ([], [], 0) == (world.tally.outcomes, world.tally.alarms, len(world.follower.ledger))


async def test_what_is_refused_or_was_only_asked_about_is_never_closed(world: Any) -> None:
    """A refusal has no after record."""
    refused = world.before(Decision.REFUSE)
    world.stream.put(refused)
    world.clock.now_s += 10_000
    await world.look()

    assert [] == world.stream.after(refused.call_id)


ANSWERS = {
    "nobody": (None, []),
    "a no": (Answered(resolution=Resolution.DENIED, by="g", runs=False), []),
    "a yes that was refused afterwards": (Answered(resolution=Resolution.APPROVED, by="g", runs=False), []),
    "a yes": (Answered(resolution=Resolution.APPROVED, by="g", runs=True), [Outcome.EXPIRED]),
}


@pytest.mark.parametrize(("answered", "outcomes"), ANSWERS.values(), ids=ANSWERS.keys())
async def test_a_question_is_closed_only_where_the_answer_let_it_run(
    world: Any, answered: Answered | None, outcomes: list[Outcome]
) -> None:
    """Without a yes nothing was allowed to run, so nothing is left open; it is forgotten all the same."""
    before = world.before(Decision.ASK)
    world.stream.put(before)
    if answered is not None:
        await world.approvals.answer(before.call_id, answered, 10_000)
    world.clock.now_s += 700
    await world.look()

    assert outcomes == [each.outcome for each in world.stream.after(before.call_id)]
    assert 0 == len(world.follower.ledger)


async def test_behind_a_question_that_was_forgotten_no_yes_is_possible(world: Any) -> None:
    """Otherwise the call would run, and nobody would look whether it is reported."""
    before = world.before(Decision.ASK)
    world.stream.put(before)
    world.clock.now_s += 700
    await world.look()

    yes = Answered(resolution=Resolution.APPROVED, by="gateway-9", runs=True)
    assert not await world.approvals.answer(before.call_id, yes, 600)
    assert Resolution.TIMEOUT == (await world.approvals.read(before.call_id)).resolution


ORPHANS = {
    "a call that a gateway ran": {"runner": Runner.GATEWAY, "open_until": None},
    "an install or a dry run of an agent": {"open_until": None},
}


@pytest.mark.parametrize("changes", ORPHANS.values(), ids=ORPHANS.keys())
async def test_what_its_gateway_left_open_is_closed_as_unknown(world: Any, changes: dict[str, Any]) -> None:
    """After as long as no call may take; without a claim, for nobody but a gateway ever ends it."""
    before = world.before(**changes)
    world.stream.put(before)
    world.clock.now_s += 3599
    await world.look()
    early = world.stream.after(before.call_id)
    world.clock.now_s += 1
    await world.look()

    [after] = world.stream.after(before.call_id)
    assert [] == early
    assert (Outcome.UNKNOWN, LOST, before.runner) == (after.outcome, after.code, after.runner)
    assert [LOST] == [kind for kind, _ in world.tally.alarms]
    assert await world.claims.read(before.call_id) is None


async def test_a_gateway_that_was_cut_off_gets_time_for_the_record_that_it_owes(world: Any) -> None:
    """The broker was away: for a minute after its return nobody is taken for dead."""
    before = world.before(runner=Runner.GATEWAY, open_until=None)
    world.stream.put(before)
    world.clock.now_s += 4000
    world.lease.connected_at_s = world.clock.now_s - 54.9
    await world.look()
    early = world.stream.after(before.call_id)
    world.clock.now_s += 5.1
    await world.look()

    assert [] == early
    assert [Outcome.UNKNOWN] == [each.outcome for each in world.stream.after(before.call_id)]


@pytest.mark.parametrize("step", ["set", "is set", "get", "read last", "read batch", "read one", "write", "written"])
async def test_a_broker_that_goes_away_in_the_middle_delays_it(world: Any, step: str) -> None:
    """At any of its steps: what was not closed is closed once when it is back and the claim is over."""
    before, asked = world.before(), world.before(Decision.ASK)
    for each in (before, asked):
        world.stream.put(each)
    await world.approvals.answer(asked.call_id, Answered(resolution=Resolution.APPROVED, by="g", runs=True), 10_000)
    await world.look()
    world.clock.now_s += 700
    works = world.stream.gate

    async def break_at(doing: str, _latest_s: float | None = None) -> None:
        if doing == step:
            raise (RecordImpossible("away", maybe_stored=True) if doing.startswith("writ") else Unavailable("away"))

    world.stream.gate = world.keys.gate = break_at
    with suppress(Unavailable):
        await world.look()
    world.stream.gate = world.keys.gate = works
    world.clock.now_s += 31
    await world.look()

    assert [[Outcome.EXPIRED]] * 2 == [
        [each.outcome for each in world.stream.after(call.call_id)] for call in (before, asked)
    ]


async def test_a_record_that_is_gone_is_forgotten(world: Any) -> None:
    """Its operator took it out of the stream."""
    before = world.before()
    world.stream.put(before)
    world.stream.put(world.before(Decision.REFUSE))
    await world.look()
    world.stream.stored[0] = None
    world.clock.now_s += 700
    await world.look()

    assert ([], 0) == (world.tally.outcomes, len(world.follower.ledger))


async def test_more_than_a_round_is_closed_in_one_look(world: Any) -> None:
    """Each once."""
    calls = [world.before() for _ in range(150)]
    for before in calls:
        world.stream.put(before)
    world.clock.now_s += 700
    await world.look()

    assert [1] * 150 == [len(world.stream.after(before.call_id)) for before in calls]


async def test_a_stream_that_was_made_anew_is_read_from_its_beginning(world: Any, made: Any) -> None:
    """Its numbers start again: what was known of the old one is forgotten, and its calls are closed."""
    for _ in range(10):
        world.stream.put(world.before(Decision.REFUSE))
    old = world.before()
    world.stream.put(old)
    await world.look()
    world.stream.stored.clear()
    new = world.before()
    world.stream.put(new)
    world.clock.now_s += 700
    await world.look()
    await world.look()

    assert ([], 1) == (world.stream.after(old.call_id), len(world.stream.after(new.call_id)))
    assert Phase.AFTER is world.stream.after(new.call_id)[0].phase
