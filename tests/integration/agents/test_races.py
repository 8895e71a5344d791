"""Two gateways, one claim; a gateway that is killed between the question and the report; a broker that restarts."""

import asyncio
import signal
from collections import Counter
from typing import Any

import pytest

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

ROUNDS = 20


async def test_two_gateways_with_the_same_report_record_it_once(agent: Any, second: Any) -> None:
    """One 201, the others 200 with the same id; one after record."""
    for _ in range(ROUNDS):
        evaluation = await agent.allowed("plain")
        replies = await asyncio.gather(*(each.report(evaluation, result=1) for each in (agent, second) * 3))

        assert {201: 1, 200: 5} == Counter(reply.status_code for reply in replies)
        assert 1 == len({reply.json()["audit_record_id"] for reply in replies})
        assert [("run", None), ("deliver", "success")] == await agent.outcomes(evaluation)


async def test_two_gateways_with_different_reports_take_one(agent: Any, second: Any) -> None:
    """One 201, the other 409; what stands on record is what was taken."""
    for _ in range(ROUNDS):
        evaluation = await agent.allowed("plain")
        sent = list(enumerate((agent, second)))
        replies = await asyncio.gather(*(each.report(evaluation, result={"from": n}) for n, each in sent))

        assert [201, 409] == sorted(reply.status_code for reply in replies)
        [winner] = [n for n, reply in enumerate(replies) if reply.status_code == 201]
        assert {"from": winner} == (await agent.records(evaluation))[1]["final"]


async def test_a_gateway_killed_between_question_and_report(alone: Any, agent_of: Any) -> None:
    """The state is in the stream: the next gateway takes the report, and knows its repetition."""
    gateway = await alone.start_gateway()
    agent = agent_of(alone)
    evaluation = await agent.allowed("judged", {"text": "hi"})
    await gateway.kill()
    await alone.start_gateway("gateway-2")

    first, again = await agent.report(evaluation, result=1), await agent.report(evaluation, result=1)

    assert (201, 200) == (first.status_code, again.status_code)
    assert [("run", None), ("deliver", "success")] == await agent.outcomes(evaluation)


async def test_a_gateway_killed_while_after_hooks_judge_its_report(alone: Any, agent_of: Any, mark: str) -> None:
    """Its claim ends with its lease; the same report at another gateway ends the call, once."""
    short = {"name": "sieve", "service": "gatekeeper", "timeout": 1000}
    await alone.configure({"hooks": {"after:judged": [short]}})
    gateway = await alone.start_gateway()
    agent = agent_of(alone)
    evaluation = await agent.allowed("judged", {"mark": mark, "hold": "after"})
    under_way = asyncio.create_task(agent.report(evaluation))
    await alone.witness.sees("asked after", mark)
    await gateway.kill()
    await asyncio.gather(under_way, return_exceptions=True)
    alone.witness.release()
    await alone.start_gateway("gateway-2")

    async def is_taken() -> bool:
        reply = await agent.report(evaluation)
        if reply.status_code == 503:
            alone.witness.release()
        return bool(reply.status_code != 503)

    await alone.until(is_taken)

    assert 2 == len(await agent.outcomes(evaluation))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_a_broker_restarted_between_question_and_report(alone: Any, agent_of: Any, how: signal.Signals) -> None:
    """Records and claims are on its disk: the report is taken, its repetition known, another one a conflict."""
    await alone.start_gateway()
    agent = agent_of(alone)
    evaluation = await agent.allowed("plain")
    await alone.broker.stop(how)
    await alone.broker.start()

    async def is_ready() -> bool:
        return (await alone.http.get("/readyz")).status_code == 200

    async def is_taken() -> bool:
        return (await agent.report(evaluation, result=1)).status_code in (200, 201)

    await alone.until(is_ready)
    await alone.until(is_taken)
    await alone.broker.stop(how)
    await alone.broker.start()
    await alone.until(is_taken)

    assert 409 == (await agent.report(evaluation, result=2)).status_code
    assert [("run", None), ("deliver", "success")] == await agent.outcomes(evaluation)
