"""Where a record is impossible or the gateway itself breaks: nothing unrecorded has effect, and nothing is denied."""

import pytest

from interpose.contracts.words import Outcome, Phase
from interpose_gateway.core.ports import Execution, RecordImpossible

REJECT = {"verdict": "reject", "reason": "no"}
LOST = RecordImpossible("nobody confirmed it", maybe_stored=True)
NEVER_SENT = RecordImpossible("it was not sent", maybe_stored=False)


@pytest.mark.parametrize(
    ("error", "owed"),
    [
        (
            LOST,
            [
                (Phase.BEFORE, "run", None, None),
                (Phase.AFTER, "withhold", Outcome.NOT_EXECUTED, "record-impossible"),
            ],
        ),
        (NEVER_SENT, [(Phase.BEFORE, "refuse", None, "record-impossible")]),
    ],
)
async def test_without_a_before_record_nothing_runs(world, error, owed):
    """One that may say `run` is owed with its close behind it; one that nobody has, as the refusal that it became."""
    world.ledger.impossible = {Phase.BEFORE: error}

    reply = await world.call()

    assert (503, "refuse", "record-impossible", False, False) == world.summary(reply)
    assert f"could be made ({error}), so the tool did not run" in reply.answer.reason
    assert ([], [], ["record-impossible"]) == (world.tools.runs, world.ledger.records, world.watch.alarms)
    assert owed == [(record.phase, record.decision, record.outcome, record.code) for record in world.ledger.owed]


async def test_a_before_record_that_is_owed_is_the_one_that_was_tried(world):
    """Its id and its number are the same, so where it was stored all the same, it is stored once."""
    world.ledger.impossible = {Phase.BEFORE: LOST}

    await world.call()

    assert world.ledger.tried[0] is world.ledger.owed[0]


@pytest.mark.parametrize(("error", "code"), [(LOST, "rejected"), (NEVER_SENT, "record-impossible")])
async def test_a_refusal_that_cannot_be_recorded_is_owed_alone(world, hook, error, code):
    """Every decision comes on the record; a refused call has no after record."""
    world.configure({"before:*": [hook("b")]})
    world.hooks.does = {"b": REJECT}
    world.ledger.impossible = {Phase.BEFORE: error}

    reply = await world.call()

    assert (503, "refuse", "record-impossible", False, False) == world.summary(reply)
    assert [(Phase.BEFORE, "refuse", code)] == [
        (record.phase, record.decision, record.code) for record in world.ledger.owed
    ]


@pytest.mark.parametrize("error", [LOST, NEVER_SENT])
async def test_without_an_after_record_nothing_is_delivered(world, error):
    """The tool has run, the answer says so, and the record follows when it can."""
    world.ledger.impossible = {Phase.AFTER: error}

    reply = await world.call()

    assert (503, "withhold", "record-impossible", True, True) == world.summary(reply)
    assert "so the tool HAS run; its response is withheld. Look at the broker" in reply.answer.reason
    assert "response" not in reply.answer.model_fields_set
    assert ["record-impossible"] == world.watch.alarms
    (owed,) = world.ledger.owed
    assert (Phase.AFTER, Outcome.SUCCESS, "withhold", {"done": True}) == (
        owed.phase,
        owed.outcome,
        owed.decision,
        owed.final,
    )


@pytest.mark.parametrize(
    ("ran", "so"),
    [
        (Execution(Outcome.UNKNOWN), "nobody knows whether the tool ran"),
        (Execution(Outcome.NOT_STARTED), "the tool did not run"),
    ],
)
async def test_an_unrecorded_end_without_a_response(world, ran, so):
    """Says what is known of the tool, and the record is owed."""
    world.tools.does = ran
    world.ledger.impossible = {Phase.AFTER: LOST}

    reply = await world.call()

    assert (503, "record-impossible") == (reply.status, reply.answer.code)
    assert f", so {so}. " in reply.answer.reason
    assert [ran.outcome] == [record.outcome for record in world.ledger.owed]


async def test_an_executor_that_broke_leaves_the_outcome_open(world):
    """Nobody knows whether the tool ran: the answer says so, and so does the record that is owed."""
    world.tools.does = RuntimeError("boom")

    reply = await world.call()

    assert (504, "withhold", "internal-error", "unknown", True) == world.summary(reply)
    assert [(Phase.AFTER, Outcome.UNKNOWN)] == [(record.phase, record.outcome) for record in world.ledger.owed]
    assert ["gateway-error"] == world.watch.alarms


async def test_a_recorder_that_broke_behind_the_tool_hides_nothing(world):
    """The tool has run; the answer says so, and the record is owed."""
    world.ledger.impossible = {Phase.AFTER: RuntimeError("boom")}

    reply = await world.call()

    assert (503, "withhold", "internal-error", True, True) == world.summary(reply)
    assert [(Phase.AFTER, Outcome.SUCCESS)] == [(record.phase, record.outcome) for record in world.ledger.owed]


async def test_a_recorder_that_broke_before_the_tool_lets_nothing_run(world):
    """A refusal, and nothing to close."""
    world.ledger.impossible = {Phase.BEFORE: RuntimeError("boom")}

    reply = await world.call()

    assert (503, "refuse", "internal-error", False, False) == world.summary(reply)
    assert ([], []) == (world.tools.runs, world.ledger.owed)


async def test_a_gateway_that_broke_at_its_door_refuses(world):
    """With an alarm, and without the error's own words, which are for the log."""
    world.caller = None

    reply = await world.call()

    assert (503, "refuse", "internal-error", False, False) == world.summary(reply)
    assert ["gateway-error"] == world.watch.alarms
    assert "AttributeError" not in reply.answer.reason
