"""Conditions, needs and shadows through a real gateway: who was asked, and what is on the stream."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from interpose.contracts.record import ShadowRecord

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

HOOKS = {
    "before:echo": [
        {"name": "last", "service": "gatekeeper", "needs": ["first"]},
        {"name": "first", "service": "gatekeeper", "failMode": "warn", "when": "parameters.is == 'odd'"},
        {"name": "shadow", "service": "warden", "mode": "shadow"},
    ],
    "after:echo": [{"name": "sieve", "service": "gatekeeper", "when": "status == 'error'"}],
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def turned(open_governed: Any) -> AsyncIterator[Any]:
    """A gateway, a worker for all hooks but the shadow, which nobody serves, and the tool."""
    async with open_governed() as opened:
        await opened.configure({"hooks": HOOKS, "tools": {"echo": {"executor": {"bus": {}}}}})
        await opened.start_gateway()
        await opened.start_hook("gatekeeper", "gatekeeper-1")
        await opened.start_tool("echo-1")
        yield opened


def asked(system: Any, mark: str) -> int:
    """How often a hook was asked about the calls of this test."""
    return len(system.witness.of("asked before", mark))


async def shadows_of(system: Any, call_id: str) -> ShadowRecord:
    """What shadows said of a call, as soon as the stream holds it."""
    found: list[Any] = []

    async def is_there() -> bool:
        found[:] = [one.body for one in await system.records(call_id) if one.subject == "tool.record.shadow.echo"]
        return bool(found)

    await system.until(is_there)
    (body,) = found
    return ShadowRecord.model_validate_json(json.dumps(body))


async def test_a_call_that_concerns_nobody_runs(turned: Any, mark: str) -> None:
    """The condition is false, so its hook is not asked and holds nobody up; the response concerns no hook either."""
    reply = await turned.call("plain", {"mark": mark, "is": "even"})

    answer = reply.json()
    assert 200 == reply.status_code
    assert [("first", "not_applicable"), ("last", "passed"), ("sieve", "not_applicable")] == [
        (one["name"], one["effect"]) for one in answer["hooks"][1:]
    ]
    assert 1 == asked(turned, mark)


async def test_a_warning_leaves_the_hook_behind_it_unasked(turned: Any, mark: str) -> None:
    """It gave no yes, so nothing runs; one worker was asked once."""
    reply = await turned.call("plain", {"mark": mark, "is": "odd", "say": "reject"})

    answer = reply.json()
    assert (403, "not-asked", "last") == (reply.status_code, answer["code"], answer["decided_by"])
    assert (1, []) == (asked(turned, mark), turned.witness.of("ran", mark))


async def test_a_shadow_is_recorded_and_nothing_else(turned: Any, mark: str) -> None:
    """Nobody answers for it, and the call runs: its own record tells it, the answer and the call's records do not."""
    reply = await turned.call("plain", {"mark": mark, "is": "even"})

    answer = reply.json()
    record = await shadows_of(turned, answer["call_id"])
    assert [("shadow", "no_responders", "stopped")] == [(one.name, one.ending, one.effect) for one in record.hooks]
    assert ("run", "before", answer["trace_id"]) == (record.decision, record.phase, record.trace_id)
    assert (200, 1) == (reply.status_code, len(turned.witness.of("ran", mark)))
    assert "shadow" not in [one["name"] for one in answer["hooks"]]
    assert 0 == await turned.metric("interpose_lost_shadows")
