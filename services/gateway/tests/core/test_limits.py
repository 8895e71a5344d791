"""The call's own limits: its budget and its size stop it, and never turn a hook off."""

import json

import pytest

from interpose.contracts.reply import NoReply
from interpose.contracts.words import Failure, Phase

REJECT = {"verdict": "reject", "reason": "no"}


@pytest.mark.parametrize(
    ("timeout_ms", "needs_ms", "ending"),
    [
        (4_000, 4_500, "cut_off"),
        (4_000, 2_900, "allow"),
        (60_000, 5_001, "deadline_exceeded"),
        (60_000, 5_000, "allow"),
        (5_000, 5_001, "deadline_exceeded"),
        (4_999, 5_001, "cut_off"),
    ],
)
async def test_a_small_budget_is_no_failure_of_a_hook(world, hook, takes, timeout_ms, needs_ms, ending):
    """A hook that had its whole timeout failed; one that had less was cut off by the call."""
    world.configure({"before:*": [hook("slow", timeout=5000, onFailure="warn")]})
    world.hooks.does = {"slow": takes(needs_ms)}

    await world.call(timeout_ms=timeout_ms)

    assert ending == world.ledger.of(Phase.BEFORE).hooks[1].ending


@pytest.mark.parametrize(
    ("answer", "timeout_ms", "ending"),
    [
        (NoReply(Failure.HOOK_ERROR, "gave up in time"), 4_000, "cut_off"),
        (NoReply(Failure.HOOK_ERROR, "broke"), 60_000, "hook_error"),
        (b"half a ver", 4_000, "cut_off"),
        (b"half a ver", 60_000, "malformed_verdict"),
        (NoReply(Failure.NO_RESPONDERS, "nobody"), 4_000, "no_responders"),
        (NoReply(Failure.NOT_PERMITTED, "denied"), 4_000, "not_permitted"),
        (NoReply(Failure.CONNECTION_LOST, "gone"), 4_000, "connection_lost"),
        (REJECT, 4_000, "reject"),
    ],
)
async def test_a_worker_short_of_time_did_not_fail(world, hook, answer, timeout_ms, ending):
    """What a worker does with less than its timeout never switches a hook off; that nobody is there needs no time."""
    world.configure({"before:*": [hook("hook", timeout=5000, onFailure="warn")]})
    world.hooks.does = {"hook": answer}

    await world.call(timeout_ms=timeout_ms)

    assert ending == world.ledger.of(Phase.BEFORE).hooks[1].ending


async def test_a_hook_is_told_the_time_that_is_left(world, hook, takes):
    """The smaller of its timeout and the call's budget."""
    world.configure({"before:*": [hook("first", transform=True, timeout=3000), hook("second", timeout=3000)]})
    world.hooks.does = {"first": takes(1500)}

    await world.call(timeout_ms=4000)

    assert [3.0, 2.5] == [round(question.timeout_s, 6) for question in world.hooks.questions]


async def test_a_record_gets_the_time_that_is_left(world, hook, takes):
    """All of it, and a little where none is left: that the time is over must be on record, and told soon after."""
    world.configure({"before:*": [hook("first", timeout=3000)]})
    world.hooks.does = {"first": takes(1500)}

    await world.call(timeout_ms=10_000)
    await world.call(timeout_ms=1000)

    assert [8.5, 8.5, 0.2] == [round(given_s, 6) for given_s in world.ledger.given_s]


async def test_without_time_left_nobody_is_asked(world, hook, takes):
    """The hook is cut off, and the refusal says what to do."""
    world.configure({"before:*": [hook("first", transform=True, timeout=1000), hook("second", timeout=3000)]})
    world.hooks.does = {"first": takes(1000)}

    reply = await world.call(timeout_ms=1000)

    assert ["first"] == [ask["hook"] for ask in world.hooks.asks]
    assert (503, "budget-used-up", "second") == (reply.status, reply.answer.code, reply.answer.decided_by)
    assert (
        "the call's budget was used up before second had its whole timeout of 3000 ms; send a larger timeout_ms"
        == reply.answer.reason
    )


@pytest.mark.parametrize(
    "parameters",
    [
        {"many": [0] * 26_000},
        {"deep": json.loads("[" * 62 + "]" * 62)},
    ],
    ids=["values", "depth"],
)
async def test_what_hooks_cannot_read_stops_the_call(world, hook, parameters):
    """Also where every hook is advisory: a huge page switches nobody off."""
    world.configure({"before:*": [hook("curious", native=True, failMode="warn"), hook("other", failMode="warn")]})

    reply = await world.call(parameters=parameters)

    assert ["other"] == [ask["hook"] for ask in world.hooks.asks]
    assert (403, "too-large", "curious", []) == (
        reply.status,
        reply.answer.code,
        reply.answer.decided_by,
        world.tools.runs,
    )
    assert (
        "what curious would be asked is larger, deeper or has more values than hooks have to read"
        == reply.answer.reason
    )


async def test_a_worker_that_finds_an_ask_too_large_is_no_failure(world, hook):
    """As if the gateway had seen it first: the call's own limit, in words that name the hook."""
    world.configure({"before:*": [hook("picky", onFailure="warn")]})
    world.hooks.does = {"picky": NoReply(Failure.HOOK_ERROR, "413", "w-1", error_code="413", too_large=True)}

    reply = await world.call()

    said = "what picky would be asked is larger, deeper or has more values than hooks have to read"
    assert (said, "too-large") == (reply.answer.reason, reply.answer.code)
