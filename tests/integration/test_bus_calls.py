"""Calls over the bus, `gateway.call.<client>`: the same answer as over HTTP, and never to somebody else's inbox."""

import asyncio
import json
from typing import Any

import pytest

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

OWN_OF_A_CALL = {"call_id", "trace_id", "hooks"}
ELSEWHERE = [
    "$KV.HOOKS.current",
    "tool.exec.echo",
    "tool.call.before.gatekeeper",
    "tool.record.before.echo",
    "_INBOX_client.other.answer",
    "_INBOX_client.localx.answer",
    "_INBOX_client.local",
    "_INBOX_gateway.answer",
    "_INBOX_operator.answer",
]
CALLS: dict[str, tuple[int, dict[str, Any]]] = {
    "delivered": (200, {"tool": "echo", "action": "checked", "parameters": {"text": "short"}}),
    "refused": (403, {"tool": "echo", "action": "checked", "parameters": {"text": "longer than ten"}}),
    "unattended": (403, {"tool": "echo", "action": "unattended", "parameters": {}}),
    "no such tool": (404, {"tool": "unheard-of", "parameters": {}}),
    "too large": (413, {"tool": "echo", "parameters": {"text": "x" * 1_100_000}}),
    "invalid": (422, {"tool": "echo", "parameters": [], "extra": 1}),
    "failed": (502, {"tool": "echo", "action": "plain", "parameters": {"do": "fail"}}),
}


async def ask(client: Any, name: str, body: bytes) -> Any:
    """The gateway's reply to a call of that client."""
    return await client.request(f"gateway.call.{name}", body, timeout=30)


def common(answer: dict[str, Any]) -> dict[str, Any]:
    """What two answers to the same call have in common."""
    hooks = [{name: hook.get(name) for name in ("name", "verdict", "failure", "effect")} for hook in answer["hooks"]]
    return {name: value for name, value in answer.items() if name not in OWN_OF_A_CALL} | {"hooks": hooks}


@pytest.mark.parametrize(("status", "body"), CALLS.values(), ids=CALLS.keys())
async def test_the_bus_answers_as_http_does(standing: Any, status: int, body: dict[str, Any]) -> None:
    """Status and answer are the same; over the bus the status stands in a header."""
    client = await standing.broker.connect("client-local")

    over_http = await standing.http.post("/v1/calls", json=body)
    over_bus = await ask(client, "local", json.dumps(body).encode())

    assert (status, str(status)) == (over_http.status_code, over_bus.headers["Interpose-Status"])
    assert common(over_http.json()) == common(json.loads(over_bus.data))


async def test_a_call_over_the_bus_is_recorded_under_its_client(standing: Any, mark: str) -> None:
    """The client's name comes from the subject that its permissions hold; both records carry it."""
    client = await standing.broker.connect("client-other")
    body = {"tool": "echo", "action": "gated", "parameters": {"mark": mark}}

    reply = await ask(client, "other", json.dumps(body).encode())

    answer = json.loads(reply.data)
    records = await standing.records(answer["call_id"])
    assert [("before", "other"), ("after", "other")] == [(each.body["phase"], each.body["client"]) for each in records]
    assert {"other"} == {each.body["context"]["agent"] for each in records}
    assert [answer["call_id"]] == [each.call_id for each in standing.witness.of("ran", mark)]


async def test_a_client_speaks_only_for_whom_its_entry_names(standing: Any, mark: str) -> None:
    """`local` may speak for everybody, `other` for nobody: 403 before any hook is asked."""
    body = {"tool": "echo", "action": "gated", "parameters": {"mark": mark}, "context": {"user": "patrick"}}

    statuses = {}
    for name in ("local", "other"):
        client = await standing.broker.connect(f"client-{name}")
        statuses[name] = (await ask(client, name, json.dumps(body).encode())).headers["Interpose-Status"]

    assert {"local": "200", "other": "403"} == statuses
    assert 1 == len(standing.witness.of("asked before", mark))


async def test_a_reply_subject_elsewhere_gets_nothing(standing: Any, mark: str) -> None:
    """Even for one who may publish anything: the call is dropped and counted, is not judged, and nobody hears of it."""
    before = await standing.metric("interpose_dropped_requests")
    listeners = [await standing.operator.subscribe(target) for target in ELSEWHERE]
    body = {"tool": "echo", "action": "gated", "parameters": {"mark": mark}}

    for target in [*ELSEWHERE, ""]:
        await standing.operator.publish("gateway.call.local", json.dumps(body).encode(), reply=target)
    await standing.until_metric("interpose_dropped_requests", before + len(ELSEWHERE) + 1)
    await standing.broker.settle(standing.operator)

    heard = [await listener.next_msg() for listener in listeners if listener.pending_msgs]
    for listener in listeners:
        await listener.unsubscribe()
    assert [] == [msg.subject for msg in heard]
    assert [] == standing.witness.of("asked before", mark)
    assert [] == [each for each in await standing.records() if mark in json.dumps(each.body)]


async def test_a_client_that_nobody_knows_is_not_heard(standing: Any, mark: str) -> None:
    """A subject whose client is not in the clients file is 401, whoever published there."""
    body = {"tool": "echo", "action": "gated", "parameters": {"mark": mark}}
    inbox = "_INBOX_client.stranger.answer"
    answers = await standing.operator.subscribe(inbox)

    await standing.operator.publish("gateway.call.stranger", json.dumps(body).encode(), reply=inbox)
    reply = await answers.next_msg(timeout=30)

    assert ("401", "unknown-client") == (reply.headers["Interpose-Status"], json.loads(reply.data)["code"])
    assert [] == standing.witness.of("asked before", mark)


async def test_many_calls_over_the_bus_at_once_are_all_answered(standing: Any, mark: str) -> None:
    """A burst of two hundred: each has an answer of its own, and runs once."""
    client = await standing.broker.connect("client-local")
    bodies = [{"tool": "echo", "action": "plain", "parameters": {"mark": mark, "number": n}} for n in range(200)]

    replies = await asyncio.gather(*(ask(client, "local", json.dumps(body).encode()) for body in bodies))

    answers = [json.loads(reply.data) for reply in replies]
    assert list(range(200)) == [answer["response"]["echo"]["number"] for answer in answers]
    assert {answer["call_id"] for answer in answers} == {each.call_id for each in standing.witness.of("ran", mark)}
    assert 200 == len(standing.witness.of("ran", mark))
