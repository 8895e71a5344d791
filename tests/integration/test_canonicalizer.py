"""The canonicalizer as the service it is by default: present, absent, killed, stopped, played by a liar."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio

from interpose.canonical.canonicalize import canonicalize

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="module")]

ASKING = {
    "hooks": {"before:*": [{"name": "gate", "service": "gatekeeper", "timeout": 60_000}]},
    "tools": {"echo": {"executor": {"bus": {}}, "actionFrom": "/do"}},
    "gateway": {"canonicalizer": "service", "canonicalizerTimeout": 2_000},
    "toolAliases": {"parrot": "echo"},
}
Form = Callable[[dict[str, Any]], dict[str, Any]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def asking(open_governed: Any) -> AsyncIterator[Any]:
    """A system whose gateway asks the service, which nobody serves until a test does."""
    async with open_governed() as opened:
        await opened.configure(ASKING)
        await asyncio.gather(
            opened.start_gateway(), opened.start_hook("gatekeeper", "gatekeeper-1"), opened.start_tool("echo-1")
        )
        yield opened


@asynccontextmanager
async def served(system: Any, instance: str) -> AsyncIterator[Any]:
    """A worker of the service, ended with the test."""
    worker = await system.start_hook("canonicalizer", instance)
    try:
        yield worker
    finally:
        await worker.kill()


@asynccontextmanager
async def played(system: Any, answer: Form | bytes) -> AsyncIterator[None]:
    """Somebody with the service's key who answers in its place: a verdict's fields by the ask, or any bytes."""
    client = await system.broker.connect("service-canonicalizer")

    async def hear(msg: Any) -> None:
        ask = json.loads(msg.data)
        told = answer if isinstance(answer, bytes) else json.dumps({"ask_id": ask["ask_id"]} | answer(ask)).encode()
        await client.publish(msg.reply, told)

    await client.subscribe("tool.call.*.canonicalizer", queue="canonicalizer", cb=hear)
    await system.broker.settle(client)
    try:
        yield
    finally:
        await client.close()


def honest(ask: dict[str, Any], **lies: Any) -> dict[str, Any]:
    """The library's own form of an ask for a tool that no configuration touches, but for these fields."""
    form = canonicalize(ask["tool"], ask["action"], ask["parameters"]).form().to_wire()
    return {"verdict": "transform", "output": form | lies}


async def call(system: Any, mark: str, tool: str = "parrot", **fields: Any) -> Any:
    """A call of `echo` by its further name."""
    return await system.http.post("/v1/calls", json={"tool": tool, "parameters": {"mark": mark}} | fields)


async def expect_refused(system: Any, reply: Any, mark: str, failure: str) -> None:
    """Refused, with the ending as the only hook of answer and record; nobody else was asked and nothing ran."""
    answer = reply.json()
    [record] = await system.records(answer["call_id"])
    assert (403, "refuse", False) == (reply.status_code, answer["decision"], answer["ran"])
    assert ("canonicalizer", failure.replace("_", "-")) == (answer["decided_by"], answer["code"])
    assert [("canonicalizer", failure)] == [(hook["name"], hook["failure"]) for hook in answer["hooks"]]
    assert [("canonicalizer", failure, "stopped")] == [
        (hook["name"], hook["ending"], hook["effect"]) for hook in record.body["hooks"]
    ]
    assert ([], []) == (system.witness.of("asked before", mark), system.witness.of("ran", mark))


async def test_its_yes_stands_first(asking: Any, mark: str) -> None:
    """In answer and record, with its worker; it knows the configuration's tools and further names."""
    async with served(asking, "canonicalizer-1"):
        reply = await call(asking, mark, parameters={"mark": mark, "do": "something"})

    answer = reply.json()
    before, after = await asking.records(answer["call_id"])
    assert (200, True) == (reply.status_code, answer["ran"])
    assert [("canonicalizer", "transform", "canonicalizer-1"), ("gate", "allow", "gatekeeper-1")] == [
        (hook["name"], hook["ending"], hook["worker"]) for hook in before.body["hooks"]
    ]
    assert [] == after.body["hooks"]
    assert ("echo", "parrot", "something") == (
        before.body["tool"],
        before.body["native"]["tool"],
        before.body["action"],
    )


async def test_two_actions_that_disagree_are_the_callers_own_fault(asking: Any, mark: str) -> None:
    """422 with both places, as ever, and no record: there is no call to judge."""
    async with served(asking, "canonicalizer-2"):
        reply = await call(asking, mark, action="a", parameters={"mark": mark, "do": "b"})

    assert (422, ["$.action", "$.parameters.do"]) == (
        reply.status_code,
        [error["path"] for error in reply.json()["errors"]],
    )


async def test_nobody_serves_it(asking: Any, mark: str) -> None:
    """The refusal says how to start it and how to do without."""
    reply = await call(asking, mark)

    await expect_refused(asking, reply, mark, "no_responders")
    assert 'set "gateway": {"canonicalizer": "inline"}' in reply.json()["reason"]


async def test_it_was_killed(asking: Any, mark: str) -> None:
    """kill -9 between two calls: the first is good, the second is refused, and a new worker serves the third."""
    async with served(asking, "canonicalizer-3") as worker:
        first = await call(asking, mark)
        await worker.kill()
        second = await call(asking, f"{mark}-2")
    async with served(asking, "canonicalizer-4"):
        third = await call(asking, mark)

    failure = second.json()["hooks"][0]["failure"]
    assert failure in ("no_responders", "deadline_exceeded")  # whether the server has noticed yet
    await expect_refused(asking, second, f"{mark}-2", failure)
    assert [200, 200] == [first.status_code, third.status_code]


async def test_it_hangs(asking: Any, mark: str) -> None:
    """SIGSTOP: its own timeout passes, and that is a failure like any other."""
    async with served(asking, "canonicalizer-5") as worker:
        worker.send(signal.SIGSTOP)
        reply = await call(asking, mark)

    await expect_refused(asking, reply, mark, "deadline_exceeded")


LIES: dict[str, Form | bytes] = {
    "no verdict": b"yes",
    "a plain allow": lambda _: {"verdict": "allow"},
    "no form": lambda _: {"verdict": "transform", "output": {}},
    "another tool": lambda ask: honest(ask, tool="Read"),
    "another kind": lambda ask: honest(ask, kind="FileRead"),
    "fewer views": lambda ask: honest(ask, views=[]),
    "fewer targets": lambda ask: honest(ask, targets=[]),
    "other parameters": lambda ask: honest(ask, parameters_digest="sha256:" + "0" * 64),
    "another table": lambda ask: honest(ask, table="1999-01-01"),
    "one field more": lambda ask: honest(ask, note="trust me"),
}


@pytest.mark.parametrize("answer", LIES.values(), ids=LIES.keys())
async def test_whoever_answers_in_its_place_cannot_rename_a_call(asking: Any, mark: str, answer: Any) -> None:
    """A form that is not the gateway's own is malformed: a patch that adds a file stays one."""
    patch = f"*** Begin Patch\n*** Add File: {mark}\n*** End Patch"
    async with played(asking, answer):
        reply = await call(asking, mark, "apply_patch", parameters={"input": patch})

    await expect_refused(asking, reply, mark, "malformed_verdict")


async def test_the_player_can_say_yes(asking: Any, mark: str) -> None:
    """With the honest form, so the refusals beside this test have no other cause."""
    async with played(asking, honest):
        reply = await call(asking, mark, "apply_patch", parameters={"input": "?", "mark": mark})

    assert (404, "no-such-tool") == (reply.status_code, reply.json()["code"])
    assert [("canonicalizer", "transformed"), ("gate", "passed")] == [
        (hook["name"], hook["effect"]) for hook in reply.json()["hooks"]
    ]


async def test_the_largest_call_has_a_form(asking: Any, mark: str) -> None:
    """Parameters of nearly 1 MiB and depth 64 pass the service as they pass the gateway."""
    deep: Any = None
    for _ in range(61):
        deep = [deep]
    async with served(asking, "canonicalizer-6"):
        reply = await call(asking, mark, parameters={"mark": mark, "deep": deep, "text": "x" * 1_040_000})

    assert 200 == reply.status_code
