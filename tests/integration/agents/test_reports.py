"""`POST /audit` over real HTTP: what came of a call ends it once, and every other report is told so."""

from typing import Any

import pytest

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

NO = {"verdict": "reject", "reason": "the gatekeeper says no", "code": "closed"}
DONE = [("run", None), ("deliver", "success")]


async def test_a_report_ends_the_call(agent: Any) -> None:
    """201 with the record's id; the record says who ran it, what came of it, and which report said so."""
    evaluation = await agent.allowed("judged", {"text": "hi"})

    reply = await agent.report(evaluation, result={"a": 1}, duration_ms=12.5)

    told = reply.json()
    before, after = await agent.system.records(evaluation.partition(".")[0])
    assert (201, {"ok": True, "decision": "deliver", "audit_record_id": after.body["record_id"]}) == (
        reply.status_code,
        told,
    )
    assert ("tool.record.after.judged.agent", "success", "agent") == (
        after.subject,
        after.body["outcome"],
        after.body["runner"],
    )
    assert after.body["report_digest"].startswith("sha256:")
    assert before.body["final"] == {"text": "hi"}


@pytest.mark.parametrize(
    ("status", "fields", "outcome"),
    [
        ("success", {"result": None}, ("deliver", "success")),
        ("error", {"error": "boom"}, ("deliver", "error")),
        ("not_executed", {}, ("withhold", "not_executed")),
    ],
)
async def test_every_status_is_recorded(agent: Any, status: str, fields: dict[str, Any], outcome: Any) -> None:
    """201."""
    evaluation = await agent.allowed("plain")

    assert 201 == (await agent.report(evaluation, status, **fields)).status_code
    assert outcome == (await agent.outcomes(evaluation))[1]


async def test_after_hooks_rewrite_or_withhold_what_is_reported(agent: Any) -> None:
    """The rewritten result comes back; a withheld one stands nowhere in the answer."""
    clean = {"verdict": "transform", "output": {"content": "clean"}}
    rewritten = await agent.report(await agent.allowed("judged", {"after": clean}), result="dirty")
    withheld = await agent.report(await agent.allowed("judged", {"after": NO}), result="a secret thing")

    assert (201, "deliver", "clean") == (rewritten.status_code, *map(rewritten.json().get, ("decision", "result")))
    assert (201, "withhold", "closed") == (withheld.status_code, *map(withheld.json().get, ("decision", "code")))
    assert "a secret thing" not in withheld.text


async def test_the_same_report_again_is_told_the_same_at_any_gateway(agent: Any, second: Any) -> None:
    """200 with the same id and the same words, whatever the order of its keys; one after record."""
    clean = {"verdict": "transform", "output": {"content": "clean"}}
    evaluation = await agent.allowed("judged", {"after": clean}, session_id="s-1")
    sent = {"evaluation_id": evaluation, "status": "success", "result": "dirty"}
    sent |= {"evidence": [{"evidence_key": "host", "evidence_data": "a.example"}]}

    first = await agent.post("/audit", sent)
    again = [await each.post("/audit", dict(reversed(sent.items()))) for each in (agent, second)]

    assert (201, [200, 200]) == (first.status_code, [reply.status_code for reply in again])
    assert [first.json() | {"already_finalized": True}] * 2 == [reply.json() for reply in again]
    assert [{"evidence_key": "host", "stored": True}] == first.json()["evidence"]
    assert DONE == await agent.outcomes(evaluation)


async def test_another_report_is_a_conflict(agent: Any, second: Any) -> None:
    """409 at any gateway."""
    evaluation = await agent.allowed("plain")
    await agent.report(evaluation, result=1)

    for each in (agent, second):
        reply = await each.report(evaluation, result=2)
        assert (409, "evaluation_conflict") == (reply.status_code, reply.json()["error"])
    assert DONE == await agent.outcomes(evaluation)


async def test_what_was_refused_is_final_and_a_success_is_an_alarm(agent: Any) -> None:
    """200 with the before record; no after record comes of it."""
    refused = (await agent.evaluate("judged", {"before": NO})).json()["evaluation_id"]
    alarms = await agent.system.metric("interpose_alarms_total", kind="ran-although-refused")

    honest = await agent.report(refused, "not_executed")
    ran = await agent.report(refused, "success")

    [record] = await agent.records(refused)
    expected = {"ok": True, "already_finalized": True, "finalized_by": "evaluate"}
    for reply in (honest, ran):
        assert 200 == reply.status_code
        assert expected | {"audit_record_id": record["record_id"]} == {
            name: value for name, value in reply.json().items() if name not in ("reason", "code")
        }
    assert alarms + 1 == await agent.system.metric("interpose_alarms_total", kind="ran-although-refused")


@pytest.mark.parametrize(
    "identifier", ["x", "{call_id}.1", "{call_id}.99999999999", "00000000-0000-7000-8000-000000000000.1"]
)
async def test_what_nobody_evaluated_is_unknown(agent: Any, identifier: str) -> None:
    """404, also for another record's place."""
    evaluation = await agent.allowed("plain")

    reply = await agent.report(identifier.format(call_id=evaluation.partition(".")[0]))

    assert (404, "evaluation_unknown") == (reply.status_code, reply.json()["error"])
    assert [("run", None)] == await agent.outcomes(evaluation)


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        (b"[]", 400, "invalid_request"),
        ({"evaluation_id": "x", "status": "done"}, 400, "invalid_request"),
        ({"evaluation_id": "x", "status": "success", "result": "y" * 1_048_576}, 413, "too_large"),
    ],
)
async def test_what_is_no_report_is_told(agent: Any, body: Any, status: int, error: str) -> None:
    """400 with the place, 413 beyond a MiB."""
    reply = await agent.post("/audit", body)

    assert (status, error) == (reply.status_code, reply.json()["error"])


async def test_evidence_is_told_of_entry_by_entry(agent: Any) -> None:
    """The surplus and the too large are dropped, and each is told; the others are kept and on the record."""
    entries = [{"evidence_key": f"k{n}", "evidence_data": n} for n in range(18)]
    entries[3] = {"evidence_key": "big", "evidence_data": "x" * 65_536}
    evaluation = await agent.allowed("plain", session_id="s-2")

    told = (await agent.report(evaluation, evidence=entries)).json()["evidence"]

    reasons = {3: "too_large", 16: "too_many", 17: "too_many"}
    assert [reasons.get(n) for n in range(18)] == [each.get("reason") for each in told]
    kept = (await agent.records(evaluation))[1]["evidence"]
    assert [f"k{n}" for n in range(16) if n != 3] == [each["evidence_key"] for each in kept]


async def test_a_report_that_comes_too_late_is_told_so(alone: Any, agent_of: Any) -> None:
    """404 `evaluation_expired`, and the call stands closed as expired, once."""
    await alone.start_gateway(INTERPOSE_EVALUATION_TTL_S="1", INTERPOSE_EXPIRY_SLACK_S="1")
    agent = agent_of(alone)
    evaluation = await agent.allowed("plain")

    async def is_closed() -> bool:
        return len(await agent.records(evaluation)) == 2

    await alone.until(is_closed)
    reply = await agent.report(evaluation)

    assert (404, "evaluation_expired") == (reply.status_code, reply.json()["error"])
    assert [("run", None), ("withhold", "expired")] == await agent.outcomes(evaluation)
