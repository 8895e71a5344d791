"""The tool: when it is ordered, what with, in what time, and what becomes of its end."""

import pytest

from interpose.contracts.limits import PARAMETERS_BYTES, RESPONSE_BYTES
from interpose.contracts.words import Outcome, Phase
from interpose_gateway.core.ports import Execution


@pytest.mark.parametrize(
    ("ended", "expected", "outcome"),
    [
        (
            Execution(Outcome.UNKNOWN, detail="nobody knows"),
            (504, "withhold", "outcome-unknown", "unknown", True),
            "unknown",
        ),
        (
            Execution(Outcome.NOT_STARTED, detail="refused"),
            (502, "refuse", "not-started", False, False),
            "not_started",
        ),
        (
            Execution(Outcome.NOT_STARTED, detail="refused", code="address-refused"),
            (502, "refuse", "address-refused", False, False),
            "not_started",
        ),
        (
            Execution(Outcome.NOT_STARTED, detail="nobody", nobody_serves=True),
            (404, "refuse", "no-such-tool", False, False),
            "not_started",
        ),
    ],
)
async def test_a_tool_that_gave_no_response(world, hook, ended, expected, outcome):
    """Nobody is asked about what is not there; the record says what became of it."""
    world.configure({"after:*": [hook("a")]})
    world.tools.does = ended

    reply = await world.call()

    assert expected == world.summary(reply)
    assert outcome == world.ledger.of(Phase.AFTER).outcome
    assert [] == world.hooks.asks
    assert (["outcome-unknown"] if outcome == "unknown" else []) == world.watch.alarms


async def test_a_declared_tool_that_nobody_serves_exists(world):
    """502, not 404: the operator forgot to start it."""
    world.configure({}, tools={"Bash": {}})
    world.tools.does = Execution(Outcome.NOT_STARTED, detail="no worker serves tool Bash", nobody_serves=True)

    reply = await world.call()

    assert (502, "refuse", "not-started", False, False) == world.summary(reply)
    assert "no worker serves tool Bash" == reply.answer.reason


async def test_a_missing_tool_is_named(world):
    """With both places where it could have been."""
    world.tools.does = Execution(Outcome.NOT_STARTED, nobody_serves=True)

    reply = await world.call("weather")

    assert "no such tool: the configuration does not declare weather and no worker serves it" == reply.answer.reason


async def test_a_tools_error_is_judged_and_told(world, hook):
    """502 with the tool's own words, after the after hooks have seen them."""
    world.configure({"after:*": [hook("a")]})
    world.tools.does = Execution(Outcome.ERROR, {"error": "disk full"})

    reply = await world.call()

    assert (502, "deliver", None, True, False) == world.summary(reply)
    assert {"error": "disk full"} == reply.answer.response
    assert ["error"] == [ask["status"] for ask in world.hooks.asks]
    assert Outcome.ERROR is world.ledger.of(Phase.AFTER).outcome


@pytest.mark.parametrize("response", ["text", 1, None, [1, 2], True])
async def test_what_is_no_object_is_wrapped_for_hooks_only(world, hook, response):
    """The agent gets what the tool said."""
    world.configure({"after:*": [hook("a")]})
    world.tools.does = Execution(Outcome.SUCCESS, response)

    reply = await world.call()

    (ask,) = world.hooks.asks
    assert ({"content": response}, True) == (ask["response"], ask["wrapped"])
    assert response == reply.answer.response
    assert "response" in reply.answer.to_wire()


@pytest.mark.parametrize(
    ("output", "delivered"),
    [({"content": "clean"}, "clean"), ({"content": "clean", "note": 1}, {"content": "clean", "note": 1}), ({}, {})],
)
async def test_a_wrapped_response_is_unwrapped_while_it_is_one(world, hook, output, delivered):
    """A hook that added to it made it an object."""
    world.configure({"after:*": [hook("clean", transform=True)]})
    world.hooks.does = {"clean": {"verdict": "transform", "output": output}}
    world.tools.does = Execution(Outcome.SUCCESS, "dirty")

    assert delivered == (await world.call()).answer.response


async def test_an_object_named_content_stays_one(world):
    """What the tool itself wrapped is not ours to unwrap."""
    world.tools.does = Execution(Outcome.SUCCESS, {"content": "x"})

    assert {"content": "x"} == (await world.call()).answer.response


@pytest.mark.parametrize(
    ("timeout_ms", "status", "tool_s"),
    [(None, 200, 30.0), (20_000, 200, 17.0), (3_100, 200, 0.1), (3_000, 503, None), (2_500, 503, None)],
)
async def test_the_tools_time_leaves_room_for_the_rest(world, hook, timeout_ms, status, tool_s):
    """Its own timeout, or what the budget leaves without the after hooks' worst case and a second for the record."""
    world.configure({"before:*": [hook("b", timeout=1000)], "after:*": [hook("a", timeout=2000)]})
    budget = {} if timeout_ms is None else {"timeout_ms": timeout_ms}

    reply = await world.call(**budget)

    assert status == reply.status
    assert ([] if tool_s is None else [pytest.approx(tool_s)]) == world.tools.times_s
    assert status == 200 or (reply.answer.code, reply.answer.ran) == ("budget-used-up", False)


async def test_a_tools_own_timeout_is_kept(world):
    """From its declaration."""
    world.configure({}, tools={"Bash": {"timeout": 1234}})

    await world.call()

    assert [1.234] == world.tools.times_s


async def test_a_slow_record_may_use_the_budget_up(world):
    """Then nothing runs, and the after record says that it did not."""
    world.ledger.takes_ms = 5_000

    reply = await world.call(timeout_ms=3_000)

    assert (503, "refuse", "budget-used-up", False, False) == world.summary(reply)
    assert ["record before run", "record after withhold"] == world.timeline
    assert Outcome.NOT_EXECUTED is world.ledger.of(Phase.AFTER).outcome


async def test_parameters_that_hooks_blew_up_do_not_run(world, hook):
    """A megabyte is a megabyte, whoever wrote it."""
    world.configure({"before:*": [hook("grow", transform=True)]})
    room = PARAMETERS_BYTES - len('{"x":""}')
    for size, status in ((room, 200), (room + 1, 403)):
        world.hooks.does = {"grow": {"verdict": "transform", "output": {"x": "x" * size}}}

        reply = await world.call()

        assert status == reply.status
    assert "too-large" == reply.answer.code
    assert 1 == len(world.tools.runs)


async def test_a_response_that_is_too_large_is_withheld(world):
    """Two megabytes are delivered, one byte more is not."""
    room = RESPONSE_BYTES - len('{"x":""}')
    for size, expected in ((room, (200, None)), (room + 1, (403, "too-large"))):
        world.tools.does = Execution(Outcome.SUCCESS, {"x": "x" * size})

        reply = await world.call()

        assert expected == (reply.status, reply.answer.code)


async def test_the_tool_is_ordered_what_was_judged(world, hook):
    """Canonical name, action, final parameters and the call's id."""
    world.configure({"before:*": [hook("t", transform=True)]})
    world.hooks.does = {"t": {"verdict": "transform", "output": {"action": "send", "text": "hi"}}}

    reply = await world.call("Message", {"action": "Send"})

    (run,) = world.tools.runs
    assert ("message", "Send", {"action": "send", "text": "hi"}) == (run.tool, run.action, run.parameters)
    assert reply.answer.call_id == run.call_id
