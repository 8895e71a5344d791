"""Calls that nobody ends are closed exactly once, whichever gateways die meanwhile: real processes, a real server."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

pytestmark = pytest.mark.server

MANY = 1_000
AT_ONCE = 40
SOON = {"INTERPOSE_EVALUATION_TTL_S": "5", "INTERPOSE_EXPIRY_SLACK_S": "0.2", "INTERPOSE_ORPHAN_AFTER_S": "2"}


@pytest_asyncio.fixture
async def system(open_governed: Any) -> AsyncIterator[Any]:
    """A broker of its own; the test starts gateways that expire soon."""
    async with open_governed() as opened:
        await opened.configure({"hooks": {}, "tools": {"mill": {"executor": {"bus": {}}, "timeout": 60_000}}})
        yield opened


async def evaluate(gateway: Any, number: int) -> tuple[str, int]:
    """One evaluation that is allowed: its call and its place."""
    reply = await gateway.http.post("/evaluate", json={"tool": {"name": "echo"}, "arguments": {"number": number}})
    told = reply.json()
    assert (200, "allow") == (reply.status_code, told["decision"]), told
    call_id, _, sequence = told["evaluation_id"].partition(".")
    return call_id, int(sequence)


async def evaluate_many(gateways: list[Any], count: int) -> list[str]:
    """So many, at the gateways in turn."""
    places, turn = asyncio.Semaphore(AT_ONCE), len(gateways)

    async def one(number: int) -> str:
        async with places:
            return (await evaluate(gateways[number % turn], number))[0]

    return await asyncio.gather(*(one(number) for number in range(count)))


def endings(records: list[Any]) -> dict[str, list[str]]:
    """The outcomes of each call's after records."""
    found: dict[str, list[str]] = {}
    for record in records:
        found.setdefault(record.body["call_id"], [])
        if record.body["phase"] == "after":
            found[record.body["call_id"]].append(record.body["outcome"])
    return found


async def until_closed(system: Any, count: int) -> None:
    """Return when so many calls have an after record."""

    async def are_closed() -> bool:
        return sum(1 for each in endings(await system.records()).values() if each) >= count

    await system.until(are_closed)


async def test_a_thousand_evaluations_that_nobody_reports_expire_once_each(system: Any, tmp_path: Path) -> None:
    """Two gateways; the one that closes them is killed in the middle of it, and the other goes on."""
    other = system.beside(tmp_path)
    try:
        first = await system.start_gateway("gateway-1", **SOON)
        await system.until_metric("interpose_reconciling", 1)
        await other.start_gateway("gateway-2", **SOON)
        calls = await evaluate_many([system, other], MANY)

        await until_closed(system, 50)
        await first.kill()
        meanwhile = sum(1 for each in endings(await system.records()).values() if each)
        await until_closed(system, MANY)

        assert meanwhile < MANY
        assert {call_id: ["expired"] for call_id in calls} == endings(await system.records())
        after = [each.body for each in await system.records() if each.body["phase"] == "after"]
        assert {"gateway-1", "gateway-2"} == {each["producer"]["instance"] for each in after}
        assert {("withhold", "evaluation-expired", "agent")} == {
            (each["decision"], each["code"], each["runner"]) for each in after
        }
        by = Counter(each["producer"]["instance"] for each in after)
        await other.until_metric("interpose_alarms_total", by["gateway-2"])
        assert by["gateway-2"] == await other.metric("interpose_expired_evaluations_total")
    finally:
        await other.close()
