"""`POST /approval/{id}/resolve` over real HTTP: a person's answer, and what the report of its call comes to."""

import asyncio
from typing import Any

import pytest

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]


async def approvals(agent: Any, evaluation: str) -> list[dict[str, Any]]:
    """The records of people's answers about a call."""
    return [
        each.body
        for each in await agent.system.records(evaluation.partition(".")[0])
        if each.subject == "tool.record.approval"
    ]


@pytest.mark.parametrize("prefix", ["", "/v1"])
async def test_a_yes_lets_the_call_run(agent: Any, second: Any, prefix: str) -> None:
    """200 at any gateway, on record with who said it; then the report is taken at any other."""
    evaluation = await agent.asked()
    body = {"resolution": "approved", "resolved_by": "patrick", "reason": "go on", "scope": "once"}

    reply = await second.post(f"{prefix}/approval/{evaluation}/resolve", body)

    [record] = await approvals(agent, evaluation)
    assert (200, {"ok": True, "decision": "allow"}) == (reply.status_code, reply.json())
    assert ("interpose.approval/1", "patrick", "go on", "run") == tuple(
        record[name] for name in ("schema", "resolved_by", "said", "decision")
    )
    reported = await agent.report(evaluation)
    assert (201, "deliver") == (reported.status_code, reported.json()["decision"])


@pytest.mark.parametrize("resolution", ["denied", "timeout", "cancelled"])
async def test_any_other_answer_is_a_no(agent: Any, resolution: str) -> None:
    """200 with `deny`; a report is told that the person's answer was the end."""
    evaluation = await agent.asked()

    told = (await agent.resolve(evaluation, resolution)).json()

    assert ("deny", "approval-denied") == (told["decision"], told["code"])
    reply = await agent.report(evaluation, "not_executed")
    assert (200, "approval") == (reply.status_code, reply.json()["finalized_by"])


async def test_until_the_person_answers_a_report_waits(agent: Any) -> None:
    """409 with Retry-After."""
    evaluation = await agent.asked()

    reply = await agent.report(evaluation)

    assert (409, "approval_unresolved", "1") == (reply.status_code, reply.json()["error"], reply.headers["Retry-After"])


async def test_one_answer_counts(agent: Any, second: Any) -> None:
    """The same again is told the same; another is 409, at any gateway; one record."""
    evaluation = await agent.asked()

    first, again = [await each.resolve(evaluation) for each in (agent, second)]
    other = await second.resolve(evaluation, "denied")

    assert (200, 200, first.json()) == (first.status_code, again.status_code, again.json())
    assert (409, "already_resolved") == (other.status_code, other.json()["error"])
    assert 1 == len(await approvals(agent, evaluation))


async def test_two_people_at_two_gateways_are_one_answer(agent: Any, second: Any) -> None:
    """A yes and a no at the same time: one is taken, the other is told that it comes too late."""
    for _ in range(10):
        evaluation = await agent.asked()
        replies = await asyncio.gather(
            agent.resolve(evaluation), second.resolve(evaluation, "denied", resolved_by="ann")
        )

        assert [200, 409] == sorted(reply.status_code for reply in replies)
        assert 1 == len(await approvals(agent, evaluation))


async def test_an_operator_answers_for_anybody_and_nobody_else_does(agent: Any, operator: Any, alone: Any) -> None:
    """The scope `operate` opens every question; `evaluate` only one's own."""
    evaluation = await agent.asked()

    reply = await operator.resolve(evaluation)

    assert (200, "allow") == (reply.status_code, reply.json()["decision"])
    [record] = await approvals(agent, evaluation)
    assert ("other", "local") == (record["resolver"], record["client"])


@pytest.mark.parametrize("what", ["nothing", "allowed"])
async def test_where_nobody_was_asked_there_is_no_question(agent: Any, what: str) -> None:
    """404."""
    reply = await agent.resolve("x.1" if what == "nothing" else await agent.allowed("plain"))

    assert (404, "approval_unknown") == (reply.status_code, reply.json()["error"])


async def test_a_yes_names_who_gave_it(agent: Any) -> None:
    """400 with the place."""
    reply = await agent.post(f"/approval/{await agent.asked()}/resolve", {"resolution": "approved"})

    assert (400, ["$.resolved_by"]) == (reply.status_code, [error["path"] for error in reply.json()["errors"]])


async def test_a_question_that_nobody_answers_is_a_no(alone: Any, agent_of: Any) -> None:
    """When its time is over: a report is told so, an answer comes too late, and nothing is closed as expired."""
    hooks = {"before:judged": [{"name": "gate", "service": "gatekeeper"}]}
    await alone.configure({"hooks": hooks, "defaults": {"approvalTimeout": 1000}})
    await alone.start_gateway()
    agent = agent_of(alone)
    evaluation = await agent.asked()

    async def is_over() -> bool:
        return (await agent.report(evaluation, "not_executed")).status_code == 200

    await alone.until(is_over)
    late = await agent.resolve(evaluation)

    assert (409, "already_resolved") == (late.status_code, late.json()["error"])
    assert [("ask", None)] == await agent.outcomes(evaluation)
