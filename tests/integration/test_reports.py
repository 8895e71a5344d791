"""Reporting a call that its agent ran: over real HTTP, with a real broker between the gateways."""

from typing import Any

import pytest

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]


async def evaluated(system: Any, action: str, arguments: dict[str, Any], **more: Any) -> str:
    """The id of an evaluation of `echo.<action>`."""
    body = {"tool": {"name": f"echo.{action}"}, "arguments": arguments, "session_id": "s-1"} | more
    return str((await system.http.post("/evaluate", json=body)).json()["evaluation_id"])


async def test_a_report_ends_the_call(standing: Any, mark: str) -> None:
    """201; the after record names the outcome, who ran it and the report's digest, and stands in the same trace."""
    identifier = await evaluated(standing, "plain", {"mark": mark})

    reply = await standing.http.post(
        "/audit", json={"evaluation_id": identifier, "status": "success", "result": {"a": 1}}
    )

    told = reply.json()
    assert 201 == reply.status_code, told
    before, after = await standing.records(identifier.partition(".")[0])
    assert ("tool.record.after.echo.agent", told["audit_record_id"]) == (after.subject, after.body["record_id"])
    assert ("success", "deliver", "agent") == tuple(after.body[name] for name in ("outcome", "decision", "runner"))
    assert {"ok": True, "decision": "deliver", "audit_record_id": after.body["record_id"]} == told
    assert before.body["trace_id"] == after.body["trace_id"]
