"""At the door: what is no call, whose call it may not be, and what is refused before any hook is asked."""

import json

import pytest

from interpose.contracts.clients import ClientEntry
from interpose.contracts.limits import CALL_BYTES, FIELD_BYTES, PARAMETERS_BYTES
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.journey import refuse_at_door


async def test_without_a_configuration_every_call_is_refused(world):
    """Nothing is planned, asked, recorded or run."""
    world.rules.revision = None

    reply = await world.call()

    assert (503, "refuse", "no-registry", False, False) == world.summary(reply)
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

    assert (422, "refuse", "invalid-call", False, False) == world.summary(reply)
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

    assert (403, "refuse", "not-allowed", False, False) == world.summary(foreign)
    assert "client local may not speak for user 'root'" in foreign.answer.reason
    assert [200, 200, 200] == [reply.status for reply in (own, nobody, anybody)]
    assert [("patrick", "default"), (None, "default"), ("root", "t")] == [
        (run.context.user, run.context.tenant) for run in world.tools.runs
    ]


async def test_an_undeclared_tool_runs_where_that_is_allowed(world):
    """Shipped so."""
    assert 200 == (await world.call("weather")).status


@pytest.mark.parametrize(("word", "code"), [("reject", "unknown-tool"), ("ask", "approval-required")])
async def test_an_undeclared_tool_can_be_refused(world, hook, word, code):
    """On the record, before any hook is asked; a declared one goes on."""
    world.configure({"before:*": [hook("b")]}, tools={"known": {}}, defaults={"unknownTool": word})

    refused, known = await world.call("weather"), await world.call("KNOWN")

    assert (403, "refuse", code, False, False) == world.summary(refused)
    assert f"the configuration declares no tool weather, and its unknownTool is {word}" == refused.answer.reason
    assert ["record before refuse", "ask before b"] == world.timeline[:2]
    assert 200 == known.status


async def test_calls_have_ids_of_their_own(world):
    """Minted here, whatever the caller says."""
    first, second = [await world.call(context={"request_id": "same"}) for _ in range(2)]

    assert first.answer.call_id != second.answer.call_id


@pytest.mark.parametrize(("status", "retry_after_s"), [(429, 1), (503, 1), (401, None), (403, None)])
def test_a_refusal_at_the_door(worlds, status, retry_after_s):
    """Before anything was read there is no call; where waiting helps, the caller is told so."""
    reply = refuse_at_door(status, "too-many-calls", "try again shortly")

    assert (status, "refuse", "too-many-calls", False, False) == worlds.summary(reply)
    assert (retry_after_s, None, "try again shortly") == (
        reply.retry_after_s,
        reply.answer.call_id,
        reply.answer.reason,
    )
