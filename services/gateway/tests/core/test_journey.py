"""One call from the door to the answer: what is recorded when, what runs when, and what the answer says of it."""

import json

import orjson
import pytest

from interpose.contracts.clients import ClientEntry
from interpose.contracts.limits import CALL_BYTES, FIELD_BYTES, PARAMETERS_BYTES, RESPONSE_BYTES
from interpose.contracts.words import Decision, Outcome, Phase
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.journey import refuse_at_door
from interpose_gateway.core.ports import Execution, RecordImpossible

REJECT = {"verdict": "reject", "reason": "no", "code": "no-no"}
LOST = RecordImpossible("nobody confirmed it", maybe_stored=True)
NEVER_SENT = RecordImpossible("it was not sent", maybe_stored=False)


def summary(reply) -> tuple:
    """What a client looks at first."""
    answer = reply.answer
    return reply.status, answer.decision.value, answer.code, answer.ran, answer.withheld


async def test_a_call_that_nobody_objects_to(world, hook):
    """Asked, recorded, run, asked, recorded, answered: in this order."""
    world.configure({"before:*": [hook("b")], "after:*": [hook("a")]})

    reply = await world.call()

    assert [
        "ask before b",
        "record before run",
        "run Bash",
        "ask after a",
        "record after deliver",
    ] == world.timeline
    assert (200, "deliver", None, True, False) == summary(reply)
    assert ({"done": True}, {"command": "ls"}, 7) == (
        reply.answer.response,
        reply.answer.parameters,
        reply.answer.revision,
    )
    assert [("before", Decision.RUN), ("after", Decision.DELIVER)] == world.watch.decisions


async def test_a_refused_call_has_one_record_and_runs_nothing(world, hook):
    """And the answer has the hook's words."""
    world.configure({"before:*": [hook("b")], "after:*": [hook("a")]})
    world.hooks.does = {"b": REJECT}

    reply = await world.call()

    assert ["ask before b", "record before refuse"] == world.timeline
    assert (403, "refuse", "no-no", False, False) == summary(reply)
    assert ("b", "no") == (reply.answer.decided_by, reply.answer.reason)
    assert "response" not in reply.answer.model_fields_set


async def test_a_withheld_response_says_that_the_tool_ran(world, hook):
    """In the field and in the sentence."""
    world.configure({"after:*": [hook("a")]})
    world.hooks.does = {"a": REJECT}

    reply = await world.call()

    assert (403, "withhold", "no-no", True, True) == summary(reply)
    assert "no (the tool HAS run; do not call it again for this)" == reply.answer.reason
    record = world.ledger.of(Phase.AFTER)
    assert (Outcome.SUCCESS, {"done": True}) == (record.outcome, record.final)


@pytest.mark.parametrize(
    ("error", "owed"),
    [(LOST, [(Phase.AFTER, Outcome.NOT_EXECUTED, "record-impossible")]), (NEVER_SENT, [])],
)
async def test_without_a_before_record_nothing_runs(world, error, owed):
    """Where it may have been stored, a record that says so is owed: a `run` never stands alone."""
    world.ledger.impossible = {Phase.BEFORE: error}

    reply = await world.call()

    assert (503, "refuse", "record-impossible", False, False) == summary(reply)
    assert f"could be made ({error}), so the tool did not run" in reply.answer.reason
    assert ([], [], ["record-impossible"]) == (world.tools.runs, world.ledger.records, world.watch.alarms)
    assert owed == [(record.phase, record.outcome, record.code) for record in world.ledger.owed]


async def test_a_refusal_that_cannot_be_recorded_owes_nothing(world, hook):
    """A refused call has no after record."""
    world.configure({"before:*": [hook("b")]})
    world.hooks.does = {"b": REJECT}
    world.ledger.impossible = {Phase.BEFORE: LOST}

    reply = await world.call()

    assert (503, "refuse", "record-impossible", False, False) == summary(reply)
    assert [] == world.ledger.owed


@pytest.mark.parametrize("error", [LOST, NEVER_SENT])
async def test_without_an_after_record_nothing_is_delivered(world, error):
    """The tool has run, the answer says so, and the record follows when it can."""
    world.ledger.impossible = {Phase.AFTER: error}

    reply = await world.call()

    assert (503, "withhold", "record-impossible", True, True) == summary(reply)
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

    assert expected == summary(reply)
    assert outcome == world.ledger.of(Phase.AFTER).outcome
    assert [] == world.hooks.asks
    assert (["outcome-unknown"] if outcome == "unknown" else []) == world.watch.alarms


async def test_a_declared_tool_that_nobody_serves_exists(world):
    """502, not 404: the operator forgot to start it."""
    world.configure({}, tools={"Bash": {}})
    world.tools.does = Execution(Outcome.NOT_STARTED, detail="no worker serves tool Bash", nobody_serves=True)

    reply = await world.call()

    assert (502, "refuse", "not-started", False, False) == summary(reply)
    assert "no worker serves tool Bash" == reply.answer.reason


async def test_a_missing_tool_is_named(world):
    """With both places where it could have been."""
    world.tools.does = Execution(Outcome.NOT_STARTED, nobody_serves=True)

    reply = await world.call("weather")

    assert "no such tool: the configuration does not declare weather and no worker serves it" == reply.answer.reason


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


async def test_a_tools_error_is_judged_and_told(world, hook):
    """502 with the tool's own words, after the after hooks have seen them."""
    world.configure({"after:*": [hook("a")]})
    world.tools.does = Execution(Outcome.ERROR, {"error": "disk full"})

    reply = await world.call()

    assert (502, "deliver", None, True, False) == summary(reply)
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


async def test_a_dry_run_is_decided_and_recorded_and_nothing_else(world, hook):
    """Both records, the decision as the answer, and no tool."""
    world.configure({"before:*": [hook("b")], "after:*": [hook("a")]})

    reply = await world.call(dry_run=True)

    assert ["ask before b", "record before run", "record after withhold"] == world.timeline
    assert (200, "run", None, False, False) == summary(reply)
    record = world.ledger.of(Phase.AFTER)
    assert (Outcome.NOT_EXECUTED, "dry-run") == (record.outcome, record.code)


async def test_a_refused_dry_run_is_a_refusal(world, hook):
    """As the call would be."""
    world.configure({"before:*": [hook("b")]})
    world.hooks.does = {"b": REJECT}

    assert (403, "refuse", "no-no", False, False) == summary(await world.call(dry_run=True))


async def test_an_undeclared_tool_runs_where_that_is_allowed(world):
    """Shipped so."""
    assert 200 == (await world.call("weather")).status


@pytest.mark.parametrize(("word", "code"), [("reject", "unknown-tool"), ("ask", "approval-required")])
async def test_an_undeclared_tool_can_be_refused(world, hook, word, code):
    """On the record, before any hook is asked; a declared one goes on."""
    world.configure({"before:*": [hook("b")]}, tools={"known": {}}, defaults={"unknownTool": word})

    refused, known = await world.call("weather"), await world.call("KNOWN")

    assert (403, "refuse", code, False, False) == summary(refused)
    assert f"the configuration declares no tool weather, and its unknownTool is {word}" == refused.answer.reason
    assert ["record before refuse", "ask before b"] == world.timeline[:2]
    assert 200 == known.status


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

    assert (503, "refuse", "budget-used-up", False, False) == summary(reply)
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


async def test_without_a_configuration_every_call_is_refused(world):
    """Nothing is planned, asked, recorded or run."""
    world.rules.revision = None

    reply = await world.call()

    assert (503, "refuse", "no-registry", False, False) == summary(reply)
    assert (1, "no configuration is in force", None) == (
        reply.retry_after_s,
        reply.answer.reason,
        reply.answer.revision,
    )
    assert [] == world.timeline


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        (b"", ["$"]),
        (b"[]", ["$"]),
        (b'{"tool":"Bash"}', ["$.parameters"]),
        (b'{"tool":"","parameters":{}}', ["$.tool"]),
        (b'{"tool":"Bash","parameters":{},"user":"root","action":1}', ["$.action", "$.user"]),
        (b'{"tool":"Bash","parameters":{},"timeout_ms":99}', ["$.timeout_ms"]),
        (b'{"tool":"Bash","parameters":{"a":1,"a":2}}', ["$.parameters.a"]),
        (b'{"tool":"Bash","parameters":{"a":NaN}}', ["$.parameters.a"]),
        (b'{"tool":"Bash","parameters":{},"context":{"agent":"root"}}', ["$.context.agent"]),
        (b'{"tool":"message.send","parameters":{"action":"delete"}}', ["$.tool", "$.parameters.action"]),
    ],
)
async def test_a_broken_call_is_422_with_the_places(world, body, paths):
    """Nothing is asked, recorded or run, and a broken call has no parameters to show."""
    reply = await world.send(body)

    assert (422, "refuse", "invalid-call", False, False) == summary(reply)
    assert paths == [error.path for error in reply.answer.errors]
    assert ([], None, 7) == (world.timeline, reply.answer.parameters, reply.answer.revision)


async def test_parameters_that_break_the_tools_schema_are_422(world):
    """With the place of each fault."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["m"]}
    world.configure({}, tools={"adder": {"inputSchema": schema}})

    reply = await world.call("ADDER", {"n": "x"})

    assert (422, "invalid-call") == (reply.status, reply.answer.code)
    assert {"$.parameters.n", "$.parameters"} == {error.path for error in reply.answer.errors}
    assert [] == world.timeline


@pytest.mark.parametrize(
    ("body", "path", "limit"),
    [
        ({"tool": "Bash", "parameters": {"x": "x" * PARAMETERS_BYTES}}, "$.parameters", PARAMETERS_BYTES),
        ({"tool": "x" * (FIELD_BYTES + 10), "parameters": {}}, "$.tool", 256),
        ({"tool": "Bash", "parameters": {"x": "x" * CALL_BYTES}}, "$", CALL_BYTES),
    ],
)
async def test_a_call_that_is_too_large(world, body, path, limit):
    """413 with the limit and what was given; a name that is too long is a wrong name."""
    reply = await world.send(json.dumps(body).encode())

    (error,) = reply.answer.errors
    expected = (422, "invalid-call", None) if path == "$.tool" else (413, "too-large", limit)
    assert expected == (reply.status, reply.answer.code, error.limit)
    assert (path, []) == (error.path, world.timeline)


async def test_as_many_parameters_as_are_allowed_pass(world):
    """A megabyte of compact JSON."""
    parameters = {"x": "x" * (PARAMETERS_BYTES - len('{"x":""}'))}

    assert 200 == (await world.call(parameters=parameters)).status


async def test_a_client_speaks_only_for_its_users(world):
    """403 for any other, before anything is asked; without a user nobody is spoken for."""
    foreign = await world.call(context={"user": "root"})
    own = await world.call(context={"user": "patrick"})
    nobody = await world.call()
    world.caller = Caller("all", ClientEntry(token_sha256="0" * 64, users=["*"], tenant="t", agent="a"))
    anybody = await world.call(context={"user": "root"})

    assert (403, "refuse", "not-allowed", False, False) == summary(foreign)
    assert "client local may not speak for user 'root'" in foreign.answer.reason
    assert [200, 200, 200] == [reply.status for reply in (own, nobody, anybody)]
    assert [("patrick", "default"), (None, "default"), ("root", "t")] == [
        (run.context.user, run.context.tenant) for run in world.tools.runs
    ]


async def test_the_tool_is_ordered_what_was_judged(world, hook):
    """Canonical name, action, final parameters and the call's id."""
    world.configure({"before:*": [hook("t", transform=True)]})
    world.hooks.does = {"t": {"verdict": "transform", "output": {"action": "send", "text": "hi"}}}

    reply = await world.call("Message", {"action": "Send"})

    (run,) = world.tools.runs
    assert ("message", "Send", {"action": "send", "text": "hi"}) == (run.tool, run.action, run.parameters)
    assert reply.answer.call_id == run.call_id


async def test_both_records_say_all_that_was_decided_on(world, hook):
    """Who, what, under which rules, by whom; numbered by the gateway that wrote them."""
    world.configure({"before:*": [hook("b")]})

    reply = await world.call(context={"request_id": "r-1"}, action="run")

    before, after = world.ledger.records
    for record in (before, after):
        assert (reply.answer.call_id, 7, "local", "Bash", "run", "Execute") == (
            record.call_id,
            record.revision,
            record.client,
            record.tool,
            record.action,
            record.kind,
        )
        assert ({"request_id": "r-1"}, {"command": "ls"}) == (record.context.claimed, record.native.arguments)
    assert ({"command": "ls"}, {"command": "ls"}, None) == (before.original, before.final, before.outcome)
    assert ({"done": True}, {"done": True}, Outcome.SUCCESS) == (after.original, after.final, after.outcome)
    assert [("gateway-1", 1), ("gateway-1", 2)] == [
        (record.producer.instance, record.producer.sequence) for record in (before, after)
    ]
    assert before.record_id != after.record_id


async def test_the_deciding_hooks_errors_reach_the_caller(world, hook):
    """As far as they are errors; what is none stays on the record."""
    errors = [{"path": "$.text", "message": "too long", "limit": 10, "given": 11}, {"path": 1}, "text"]
    world.configure({"before:*": [hook("b"), hook("c")]})
    world.hooks.does = {
        "b": REJECT | {"annotations": {"errors": errors}},
        "c": REJECT | {"annotations": {"errors": [{"path": "$", "message": "not the decider"}]}},
    }

    reply = await world.call()

    assert [("$.text", "too long", 10, 11)] == [
        (error.path, error.message, error.limit, error.given) for error in reply.answer.errors
    ]
    assert {"errors": errors} == world.ledger.of(Phase.BEFORE).hooks[0].annotations


@pytest.mark.parametrize("errors", [None, "text", {"path": "$"}, [[]]])
async def test_annotations_that_are_no_errors_are_none(world, hook, errors):
    """A hook's annotations are its own."""
    world.configure({"before:*": [hook("b")]})
    world.hooks.does = {"b": REJECT | {"annotations": {"errors": errors}}}

    assert [] == (await world.call()).answer.errors


async def test_calls_have_ids_of_their_own(world):
    """Minted here, whatever the caller says."""
    first, second = [await world.call(context={"request_id": "same"}) for _ in range(2)]

    assert first.answer.call_id != second.answer.call_id


async def test_an_executor_that_broke_leaves_the_outcome_open(world):
    """Nobody knows whether the tool ran: the answer says so, and so does the record that is owed."""
    world.tools.does = RuntimeError("boom")

    reply = await world.call()

    assert (504, "withhold", "internal-error", "unknown", True) == summary(reply)
    assert [(Phase.AFTER, Outcome.UNKNOWN)] == [(record.phase, record.outcome) for record in world.ledger.owed]
    assert ["gateway-error"] == world.watch.alarms


async def test_a_recorder_that_broke_behind_the_tool_hides_nothing(world):
    """The tool has run; the answer says so, and the record is owed."""
    world.ledger.impossible = {Phase.AFTER: RuntimeError("boom")}

    reply = await world.call()

    assert (503, "withhold", "internal-error", True, True) == summary(reply)
    assert [(Phase.AFTER, Outcome.SUCCESS)] == [(record.phase, record.outcome) for record in world.ledger.owed]


async def test_a_recorder_that_broke_before_the_tool_lets_nothing_run(world):
    """A refusal, and nothing to close."""
    world.ledger.impossible = {Phase.BEFORE: RuntimeError("boom")}

    reply = await world.call()

    assert (503, "refuse", "internal-error", False, False) == summary(reply)
    assert ([], []) == (world.tools.runs, world.ledger.owed)


async def test_a_gateway_that_broke_at_its_door_refuses(world):
    """With an alarm, and without the error's own words, which are for the log."""
    world.caller = None

    reply = await world.call()

    assert (503, "refuse", "internal-error", False, False) == summary(reply)
    assert ["gateway-error"] == world.watch.alarms
    assert "AttributeError" not in reply.answer.reason


@pytest.mark.parametrize(("status", "retry_after_s"), [(429, 1), (503, 1), (401, None), (403, None)])
def test_a_refusal_at_the_door(status, retry_after_s):
    """Before anything was read there is no call; where waiting helps, the caller is told so."""
    reply = refuse_at_door(status, "too-many-calls", "try again shortly")

    assert (status, "refuse", "too-many-calls", False, False) == summary(reply)
    assert (retry_after_s, None, "try again shortly") == (
        reply.retry_after_s,
        reply.answer.call_id,
        reply.answer.reason,
    )


async def test_the_answer_is_json(world, hook):
    """Optional parts of hooks and errors are absent, everything else is there."""
    world.configure({"before:*": [hook("b")]})
    world.hooks.does = {"b": REJECT}

    wire = (await world.call()).answer.to_wire()

    assert wire == orjson.loads(orjson.dumps(wire))
    assert ("response" in wire, wire["trace_id"], wire["errors"]) == (False, None, [])
    assert {"name", "phase", "verdict", "effect", "ms", "worker", "reason"} == wire["hooks"][0].keys()
