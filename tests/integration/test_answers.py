"""What workers may answer, and what they must not: absent, late, malformed, oversized and foreign answers.

The rogue is a bare NATS client with the generated permissions of a service, so that it can break every rule of ours
that the broker does not enforce.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from interpose.contracts.limits import VERDICT_BYTES

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

Answer = Callable[[Any, Any, dict[str, Any]], Awaitable[None]]
PlayRogue = Callable[[Answer], AbstractAsyncContextManager[Any]]


@pytest.fixture
def play_rogue(standing: Any) -> PlayRogue:
    """A worker of the service `rogue` whose answer is a function of its connection, the message and the ask."""

    @asynccontextmanager
    async def play(answer: Answer) -> AsyncIterator[Any]:
        client = await standing.broker.connect("service-rogue")

        async def hear(msg: Any) -> None:
            await answer(client, msg, json.loads(msg.data))

        await client.subscribe("tool.call.*.rogue", queue="rogue", cb=hear)
        await standing.broker.settle(client)
        try:
            yield client
        finally:
            await client.close()

    return play


def says(body: bytes | Callable[[dict[str, Any]], bytes]) -> Answer:
    """The rogue that answers these bytes."""

    async def answer(client: Any, msg: Any, ask: dict[str, Any]) -> None:
        await client.publish(msg.reply, body if isinstance(body, bytes) else body(ask))

    return answer


def verdict(ask: dict[str, Any], **fields: Any) -> bytes:
    """A verdict on this ask; a field of None is left out."""
    told = {"verdict": "allow", "ask_id": ask["ask_id"]} | fields
    return json.dumps({name: value for name, value in told.items() if value is not None}).encode()


async def expect_refused(standing: Any, reply: Any, mark: str, failure: str) -> dict[str, Any]:
    """Refused for this failure, in the answer and on the one record, and the tool heard nothing. Returns the answer."""
    answer: dict[str, Any] = reply.json()
    [record] = await standing.records(answer["call_id"])
    assert (403, "refuse", False) == (reply.status_code, answer["decision"], answer["ran"])
    assert [failure] == [hook["failure"] for hook in answer["hooks"][1:]]
    assert [(failure, failure, "stopped")] == [
        (hook["ending"], hook["failure"], hook["effect"]) for hook in record.body["hooks"][1:]
    ]
    assert ("refuse", failure.replace("_", "-")) == (record.body["decision"], record.body["code"])
    assert [] == standing.witness.of("ran", mark)
    return answer


async def test_nobody_there_refuses_with_the_remedy_in_words(standing: Any, mark: str) -> None:
    """The answer names the hook, the service that is missing, and what to do."""
    reply = await standing.call("unattended", {"mark": mark})

    answer = await expect_refused(standing, reply, mark, "no_responders")
    assert "unattended" == answer["decided_by"]
    assert "No worker of nobody is running" in answer["reason"]
    assert "interpose up" in answer["reason"]
    assert "interpose status" in answer["reason"]


async def test_the_rogue_can_say_yes(standing: Any, play_rogue: PlayRogue, mark: str) -> None:
    """A proper verdict of a bare client counts, so the refusals beside this test have no other cause."""
    async with play_rogue(says(verdict)):
        reply = await standing.call("rogue", {"mark": mark})

    assert (200, True) == (reply.status_code, reply.json()["ran"])
    assert 1 == len(standing.witness.of("ran", mark))


MALFORMED: dict[str, bytes | Callable[[dict[str, Any]], bytes]] = {
    "no JSON": b"allow",
    "nothing": b"",
    "no object": b'["allow"]',
    "bad UTF-8": b'{"verdict": "allow\xff"}',
    "too deep": b'{"annotations":{"a":' + b"[" * 100_000,
    "not a number": lambda ask: verdict(ask)[:-1] + b', "annotations": {"a": NaN}}',
    "two verdicts": lambda ask: b'{"verdict": "reject", ' + verdict(ask, reason="no")[1:],
    "an unknown verdict": lambda ask: verdict(ask, verdict="yes"),
    "no verdict": lambda ask: verdict(ask, verdict=None),
    "an unknown field": lambda ask: verdict(ask, allowed=True),
    "no ask_id": lambda ask: verdict(ask, ask_id=None),
    "another ask's id": lambda ask: verdict(ask, ask_id="0" * 32),
    "a call's id for the ask's": lambda ask: verdict(ask, ask_id=ask["call_id"]),
    "an undeclared transform": lambda ask: verdict(ask, verdict="transform", output={}),
    "an allow with output": lambda ask: verdict(ask, output={}),
    "a reject without a reason": lambda ask: verdict(ask, verdict="reject"),
    "a question without a reason": lambda ask: verdict(ask, verdict="ask"),
    "trailing words": lambda ask: verdict(ask) + b" and so on",
    "oversized": lambda ask: verdict(ask, annotations={"a": "x" * VERDICT_BYTES}),
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED.keys())
async def test_a_malformed_answer_is_no_yes(standing: Any, play_rogue: PlayRogue, mark: str, body: Any) -> None:
    """Whatever breaks the verdict's contract is malformed_verdict."""
    async with play_rogue(says(body)):
        reply = await standing.call("rogue", {"mark": mark})

    await expect_refused(standing, reply, mark, "malformed_verdict")


async def test_a_verdict_of_the_largest_size_counts(standing: Any, play_rogue: PlayRogue, mark: str) -> None:
    """Exactly VERDICT_BYTES are a verdict; the oversized one beside this test is refused for one cause only."""

    def largest(ask: dict[str, Any]) -> bytes:
        bare = verdict(ask, annotations={"a": ""})
        return verdict(ask, annotations={"a": "x" * (VERDICT_BYTES - len(bare))})

    async with play_rogue(says(largest)):
        reply = await standing.call("rogue", {"mark": mark})

    assert (200, True) == (reply.status_code, reply.json()["ran"])


async def test_an_answer_beyond_the_brokers_limit_reaches_nobody(
    standing: Any, play_rogue: PlayRogue, mark: str
) -> None:
    """The broker cuts off who sends more than max_payload; the ask ends by its deadline."""

    async def flood(client: Any, msg: Any, ask: dict[str, Any]) -> None:
        client._max_payload = 2**30  # the client would refuse by itself: this one is a liar
        await client.publish(msg.reply, verdict(ask, annotations={"a": "x" * 9 * 1024 * 1024}))

    async with play_rogue(flood):
        reply = await standing.call("rogue-late", {"mark": mark})

    await expect_refused(standing, reply, mark, "deadline_exceeded")
    assert "maximum payload" in standing.broker.home.log("broker").read_text().lower()


async def test_a_hook_that_grows_beyond_the_brokers_limit_has_broken(standing: Any, mark: str) -> None:
    """A worker of ours whose verdict cannot be sent says so at once, instead of leaving the asker to its deadline."""
    reply = await standing.call("grown", {"mark": mark, "say": "grow"})

    await expect_refused(standing, reply, mark, "hook_error")


async def test_a_hook_that_raises_is_no_yes(standing: Any, mark: str) -> None:
    """An exception in a handler is hook_error, and names its type in the reason."""
    reply = await standing.call("gated", {"mark": mark, "say": "raise"})

    answer = await expect_refused(standing, reply, mark, "hook_error")
    assert "RuntimeError" in answer["reason"]
    assert "gatekeeper-1" == answer["hooks"][1]["worker"]


async def test_a_worker_without_a_handler_is_no_yes(standing: Any, play_rogue: PlayRogue, mark: str) -> None:
    """Service error 404 is hook_error, though its body says allow."""

    async def unhandled(client: Any, msg: Any, ask: dict[str, Any]) -> None:
        fields = {"Nats-Service-Error": "no handler", "Nats-Service-Error-Code": "404"}
        await client.publish(msg.reply, verdict(ask), headers=fields)

    async with play_rogue(unhandled):
        reply = await standing.call("rogue", {"mark": mark})

    await expect_refused(standing, reply, mark, "hook_error")


async def test_a_late_yes_is_counted_and_never_used(standing: Any, play_rogue: PlayRogue, mark: str) -> None:
    """The verdict that comes behind the deadline meets nobody: one more stray reply, and still nothing ran."""
    asked: asyncio.Queue[tuple[Any, dict[str, Any]]] = asyncio.Queue()

    async def keep(_client: Any, msg: Any, ask: dict[str, Any]) -> None:
        asked.put_nowait((msg, ask))

    async with play_rogue(keep) as rogue:
        reply = await standing.call("rogue-late", {"mark": mark})
        before = await standing.metric("interpose_stray_replies")
        msg, ask = asked.get_nowait()
        await rogue.publish(msg.reply, verdict(ask))
        await standing.until_metric("interpose_stray_replies", before + 1)

    await expect_refused(standing, reply, mark, "deadline_exceeded")


FOREIGNERS = ("client-local", "client-other", "service-validator", "service-gatekeeper", "tool-echo", "gateway")


async def test_a_foreign_answer_is_not_permitted(standing: Any, play_rogue: PlayRogue, mark: str) -> None:
    """Users of the bus who learned an ask's private inbox cannot answer it: only the worker's own no counts."""

    async def betray(client: Any, msg: Any, ask: dict[str, Any]) -> None:
        for label in FOREIGNERS:
            foreigner = await standing.broker.connect(label)
            await foreigner.publish(msg.reply, verdict(ask))
            await standing.broker.settle(foreigner)
            await foreigner.close()
        await client.publish(msg.reply, verdict(ask, verdict="reject", reason="mine"))

    before = await standing.metric("interpose_stray_replies")
    async with play_rogue(betray):
        reply = await standing.call("rogue", {"mark": mark})

    refused = [str(standing.broker.errors[label][-1]) for label in FOREIGNERS]
    assert (403, "mine") == (reply.status_code, reply.json()["reason"])
    assert all('permissions violation for publish to "_inbox_gateway' in said for said in refused), refused
    assert before == await standing.metric("interpose_stray_replies")
    assert [] == standing.witness.of("ran", mark)


async def test_a_forged_answer_to_a_guessed_inbox_is_a_stray(standing: Any, play_rogue: PlayRogue, mark: str) -> None:
    """Even one who may publish anything does not hit an ask without its token: counted, never used."""

    async def guess(client: Any, msg: Any, ask: dict[str, Any]) -> None:
        inbox = msg.reply.rpartition(".")[0]
        await standing.operator.publish(f"{inbox}.{'0' * 32}", verdict(ask))
        await standing.broker.settle(standing.operator)
        await client.publish(msg.reply, verdict(ask, verdict="reject", reason="mine"))

    before = await standing.metric("interpose_stray_replies")
    async with play_rogue(guess):
        reply = await standing.call("rogue", {"mark": mark})

    assert (403, "mine") == (reply.status_code, reply.json()["reason"])
    assert before + 1 == await standing.metric("interpose_stray_replies")
    assert [] == standing.witness.of("ran", mark)


async def test_only_the_first_answer_counts(standing: Any, play_rogue: PlayRogue, mark: str) -> None:
    """A worker that says no and then yes has said no; the broker lets it answer once only."""

    async def waver(client: Any, msg: Any, ask: dict[str, Any]) -> None:
        await client.publish(msg.reply, verdict(ask, verdict="reject", reason="first"))
        await client.publish(msg.reply, verdict(ask))

    async with play_rogue(waver) as rogue:
        reply = await standing.call("rogue", {"mark": mark})
        await standing.broker.settle(rogue)

    assert (403, "first") == (reply.status_code, reply.json()["reason"])
    assert "permissions violation for publish" in str(standing.broker.errors["service-rogue"][-1])
    assert [] == standing.witness.of("ran", mark)


async def test_a_second_answer_that_does_arrive_is_a_stray(standing: Any, play_rogue: PlayRogue, mark: str) -> None:
    """Sent by one who may publish anything, a yes behind the no is counted and never used."""

    async def waver(_client: Any, msg: Any, ask: dict[str, Any]) -> None:
        await standing.operator.publish(msg.reply, verdict(ask, verdict="reject", reason="first"))
        await standing.operator.publish(msg.reply, verdict(ask))

    before = await standing.metric("interpose_stray_replies")
    async with play_rogue(waver):
        reply = await standing.call("rogue", {"mark": mark})
        await standing.until_metric("interpose_stray_replies", before + 1)

    assert (403, "first") == (reply.status_code, reply.json()["reason"])
    assert [] == standing.witness.of("ran", mark)


async def test_the_answer_to_another_ask_is_no_yes(standing: Any, play_rogue: PlayRogue, mark: str) -> None:
    """Of two asks at once each gets the other's verdict: both are malformed, and neither call runs."""
    held: list[tuple[Any, dict[str, Any]]] = []

    async def swap(client: Any, msg: Any, ask: dict[str, Any]) -> None:
        held.append((msg, ask))
        if len(held) == 2:
            (first, first_ask), (second, second_ask) = held
            await client.publish(first.reply, verdict(second_ask))
            await client.publish(second.reply, verdict(first_ask))

    async with play_rogue(swap):
        replies = await asyncio.gather(*(standing.call("rogue", {"mark": mark, "number": n}) for n in range(2)))

    for reply in replies:
        await expect_refused(standing, reply, mark, "malformed_verdict")


async def test_a_worker_hears_the_trace_and_nothing_else_of_the_caller(
    standing: Any, play_rogue: PlayRogue, mark: str
) -> None:
    """Of the caller's headers only `traceparent` goes on: no baggage, no tracestate, no token."""
    heard: list[dict[str, str]] = []

    async def listen(client: Any, msg: Any, ask: dict[str, Any]) -> None:
        heard.append(dict(msg.headers))
        await client.publish(msg.reply, verdict(ask))

    told = {"traceparent": f"00-{'a' * 32}-{'b' * 16}-01", "tracestate": "vendor=secret", "baggage": "user=patrick"}
    body = {"tool": "echo", "action": "rogue", "parameters": {"mark": mark}}
    async with play_rogue(listen):
        await standing.http.post("/v1/calls", json=body, headers=told)

    [headers] = heard
    assert {"traceparent", "Interpose-Version", "Interpose-Timeout-Ms"} == set(headers)
    assert "a" * 32 == headers["traceparent"].split("-")[1]
    assert "b" * 16 != headers["traceparent"].split("-")[2]
