"""Evaluating a call that its agent runs itself: over real HTTP, with a gateway and hooks that are processes."""

from typing import Any

import pytest

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]


async def evaluate(system: Any, action: str, arguments: dict[str, Any], **more: Any) -> Any:
    """`POST /evaluate` of the tool `echo.<action>`."""
    return await system.http.post("/evaluate", json={"tool": {"name": f"echo.{action}"}, "arguments": arguments} | more)


async def test_a_call_without_an_objection_is_allowed(standing: Any, mark: str) -> None:
    """200 with `allow`; one record that is open, ends in `.agent` and says who runs the tool."""
    reply = await evaluate(standing, "checked", {"mark": mark, "text": "short"})

    told = reply.json()
    call_id, _, sequence = told["evaluation_id"].partition(".")
    [record] = await standing.records(call_id)
    assert (200, "allow", None) == (reply.status_code, told["decision"], told["matched_rule"])
    assert ("tool.record.before.echo.agent", int(sequence)) == (record.subject, record.sequence)
    assert ("run", "agent") == (record.body["decision"], record.body["runner"])
    assert record.body["open_until"] > record.body["at"]


async def test_a_refusal_is_an_answer_and_no_error(standing: Any, mark: str) -> None:
    """200 with `deny`, the rule, its reason, and each place in the feedback; the record is not open."""
    reply = await evaluate(standing, "checked", {"mark": mark, "text": "longer than ten"})

    told = reply.json()
    [record] = await standing.records(told["evaluation_id"].partition(".")[0])
    assert (200, "deny", "short-text") == (reply.status_code, told["decision"], told["matched_rule"])
    assert ["$.parameters.text"] == [error["path"] for error in told["feedback"]["errors"]]
    assert told["reason"] == told["feedback"]["message"]
    assert ("refuse", None) == (record.body["decision"], record.body["open_until"])
