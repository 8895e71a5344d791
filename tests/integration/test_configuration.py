"""The configuration of a running gateway: none, broken, mended, changed."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

OPEN: dict[str, Any] = {"hooks": {}, "tools": {"echo": {"executor": {"bus": {}}}}}
CLOSED: dict[str, Any] = OPEN | {"hooks": {"before:*": [{"name": "unattended", "service": "nobody"}]}}
BROKEN = {
    "no JSON": '{"hooks": {',
    "no hooks": "{}",
    "an unknown field": json.dumps(OPEN | {"hook": {}}),
    "a key that is none": json.dumps(OPEN | {"hooks": {"befor:echo": []}}),
    "an unknown fail mode": json.dumps(
        OPEN | {"hooks": {"before:echo": [{"name": "a", "service": "b", "failMode": "close"}]}}
    ),
    "a schema that is none": json.dumps(OPEN | {"tools": {"echo": {"inputSchema": {"type": "strange"}}}}),
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def ruled(standing: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Any]:
    """A gateway whose configuration these tests change."""
    opened = standing.beside(tmp_path_factory.mktemp("ruled"))
    opened.configure(OPEN)
    await opened.start_gateway("gateway-2")
    yield opened
    await opened.close()


async def state(system: Any) -> dict[str, Any]:
    """What `/readyz` says."""
    told: dict[str, Any] = (await system.http.get("/readyz")).json()
    return told


async def apply(system: Any, configuration: dict[str, Any]) -> int:
    """Write the file, never the same twice, and return its revision when it is in force."""
    number = (await state(system))["revision"] or 0
    never_called = f"tool-{number + 1}"
    system.configure(configuration | {"tools": configuration["tools"] | {never_called: {}}})

    async def is_in_force() -> bool:
        return bool(number + 1 == (await state(system))["revision"])

    await system.until(is_in_force)
    return number + 1


async def alarms(system: Any) -> float:
    """How many files the gateway has refused."""
    return float(await system.metric("interpose_alarms_total", kind="configuration-refused"))


async def until_refused(system: Any, before: float) -> None:
    """Return when the gateway has refused one file more."""

    async def is_refused() -> bool:
        return before + 1 == await alarms(system)

    await system.until(is_refused)


async def test_without_a_configuration_every_call_is_refused(beside: Any, mark: str) -> None:
    """503 with the reason, nothing recorded, nothing run, not ready; the first good file opens the door."""
    beside.config.unlink()
    gateway = await beside.start_gateway("gateway-3", until="/healthz")

    reply = await beside.call("plain", {"mark": mark})
    ready = await beside.http.get("/readyz")
    await apply(beside, OPEN)
    opened = await beside.call("plain", {"mark": mark})

    answer = reply.json()
    assert (503, "no-registry", "refuse", False) == (
        reply.status_code,
        answer["code"],
        answer["decision"],
        answer["ran"],
    )
    assert "no configuration is in force" in answer["reason"]
    assert "1" == reply.headers["Retry-After"]
    assert (503, False, None) == (ready.status_code, ready.json()["ready"], ready.json()["revision"])
    assert "no configuration is in force" in ready.json()["trouble"][0]
    assert [] == await beside.records(answer["call_id"])
    assert [opened.json()["call_id"]] == [each.call_id for each in beside.witness.of("ran", mark)]
    assert gateway.is_running


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
async def test_a_broken_file_leaves_the_last_good_one_in_force(ruled: Any, mark: str, text: str) -> None:
    """It is logged and alarmed, the gateway stays ready, and its predecessor's rules still refuse."""
    revision, before = await apply(ruled, CLOSED), await alarms(ruled)

    ruled.configure(text)
    await until_refused(ruled, before)
    reply = await ruled.call("plain", {"mark": mark})

    told = await state(ruled)
    assert (403, revision, "unattended") == (
        reply.status_code,
        reply.json()["revision"],
        reply.json()["decided_by"],
    )
    assert (True, revision, []) == (told["ready"], told["revision"], told["trouble"])
    assert f"the configuration refuses: Revision {revision} stays in force.\n" in ruled.gateway.log
    assert [] == ruled.witness.of("ran", mark)


async def test_a_file_that_is_gone_leaves_the_last_good_one_in_force(ruled: Any, mark: str) -> None:
    """Removing the file switches no rule off."""
    revision, before = await apply(ruled, CLOSED), await alarms(ruled)

    ruled.config.unlink()
    await until_refused(ruled, before)
    reply = await ruled.call("plain", {"mark": mark})

    assert (403, revision) == (reply.status_code, reply.json()["revision"])
    assert [] == ruled.witness.of("ran", mark)


async def test_the_same_fault_is_told_again_when_it_comes_back(ruled: Any) -> None:
    """Broken, mended and broken again in the same way: two alarms."""
    await apply(ruled, OPEN)
    good, before = ruled.config.read_text(), await alarms(ruled)

    ruled.configure("{}")
    await until_refused(ruled, before)
    ruled.configure(good)
    await apply(ruled, CLOSED)
    ruled.configure("{}")

    await until_refused(ruled, before + 1)


async def test_a_changed_file_rules_the_next_call(ruled: Any, mark: str) -> None:
    """The same call runs, is refused and runs again; each record names the revision that judged it."""
    revisions, replies = [], []
    for configuration in (OPEN, CLOSED, OPEN):
        revisions.append(await apply(ruled, configuration))
        replies.append(await ruled.call("plain", {"mark": mark}))

    answers = [reply.json() for reply in replies]
    records = [(await ruled.records(answer["call_id"]))[0].body for answer in answers]
    assert [200, 403, 200] == [reply.status_code for reply in replies]
    assert revisions == [answer["revision"] for answer in answers]
    assert revisions == [record["revision"] for record in records]
    assert 3 == len({record["registry_digest"] for record in records})
    assert 2 == len(ruled.witness.of("ran", mark))


async def test_a_call_keeps_the_revision_it_started_with(ruled: Any, mark: str) -> None:
    """A call held at its tool meets the after hooks of its own revision, though the file has changed meanwhile."""
    first = await apply(ruled, OPEN)
    call = ruled.later("plain", {"mark": mark, "hold": "tool"})
    await ruled.witness.sees("ran", mark)

    second = await apply(ruled, OPEN | {"hooks": {"after:*": [{"name": "unattended", "service": "nobody"}]}})
    ruled.witness.release()
    old = (await call).json()
    new = (await ruled.call("plain", {"mark": mark})).json()

    assert ("deliver", first) == (old["decision"], old["revision"])
    assert ("withhold", second) == (new["decision"], new["revision"])
