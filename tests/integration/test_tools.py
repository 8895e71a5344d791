"""Tools served on the bus: how they may end, and that no order runs twice, late, or for somebody else."""

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from interpose.contracts.ids import call_id as new_call_id

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

ENDS = {
    "success": ({}, 200, "success", None),
    "no object": ({"do": "list"}, 200, "success", [1, 2]),
    "an error on purpose": ({"do": "fail"}, 502, "error", {"error": "no such page"}),
    "an exception": ({"do": "break"}, 502, "error", {"error": "RuntimeError: the tool broke"}),
}


@pytest.mark.parametrize(("wish", "status", "outcome", "response"), ENDS.values(), ids=ENDS.keys())
async def test_a_tool_that_answers_has_run(
    standing: Any, mark: str, wish: dict[str, Any], status: int, outcome: str, response: Any
) -> None:
    """Success is 200, an error of the tool 502; both are delivered, ran is true, and the record has the outcome."""
    parameters = {"mark": mark, **wish}
    reply = await standing.call("plain", parameters)

    answer = reply.json()
    before, after = await standing.records(answer["call_id"])
    assert (status, "deliver", True) == (reply.status_code, answer["decision"], answer["ran"])
    assert (response if response is not None else {"echo": parameters}) == answer["response"]
    assert ("run", "deliver", outcome) == (before.body["decision"], after.body["decision"], after.body["outcome"])
    assert 1 == len(standing.witness.of("ran", mark))


async def test_a_tool_that_nobody_serves_has_not_started(standing: Any, mark: str) -> None:
    """A declared tool without a worker is 502, an undeclared one 404; both close their record with not_started."""
    standing_in = {"parameters": {"mark": mark}}
    declared = await standing.http.post("/v1/calls", json={"tool": "idle", **standing_in})
    undeclared = await standing.http.post("/v1/calls", json={"tool": "unheard-of", **standing_in})

    answers = [declared.json(), undeclared.json()]
    outcomes = [(await standing.records(answer["call_id"]))[1].body["outcome"] for answer in answers]
    assert [(502, "not-started", False), (404, "no-such-tool", False)] == [
        (declared.status_code, answers[0]["code"], answers[0]["ran"]),
        (undeclared.status_code, answers[1]["code"], answers[1]["ran"]),
    ]
    assert ["not_started", "not_started"] == outcomes
    assert "no worker serves tool idle" in answers[0]["reason"]


async def test_a_tool_killed_in_mid_run_is_unknown(beside: Any, standing: Any, mark: str) -> None:
    """504 with ran unknown and a word against blind retries; nobody runs it again though another worker is there."""
    instances = ("drill-1", "drill-2")
    programs = dict(
        zip(instances, await asyncio.gather(*(beside.start_tool(each, "drill") for each in instances)), strict=True)
    )
    call = asyncio.create_task(
        standing.http.post("/v1/calls", json={"tool": "drill", "parameters": {"mark": mark, "hold": "tool"}})
    )
    [running] = await standing.witness.sees("ran", mark)

    await programs[running.instance].kill()
    reply = await call
    again = await standing.http.post("/v1/calls", json={"tool": "drill", "parameters": {"mark": mark}})

    answer = reply.json()
    _, after = await standing.records(answer["call_id"])
    assert (504, "withhold", "unknown") == (reply.status_code, answer["decision"], answer["ran"])
    assert "do not retry blindly" in answer["reason"]
    assert ("unknown", "withhold") == (after.body["outcome"], after.body["decision"])
    assert [answer["call_id"], again.json()["call_id"]] == [each.call_id for each in standing.witness.of("ran", mark)]


async def test_an_order_waits_in_line_no_longer_than_its_time(beside: Any, standing: Any, mark: str) -> None:
    """A tool that takes one order at a time and is busy does not run the next one once its caller has given up."""
    await beside.start_tool("drill-1", "drill", INTERPOSE_CONCURRENCY="1")
    wishes = [{"mark": mark, "hold": "tool"}, {"mark": mark}]
    first, second = (standing.http.post("/v1/calls", json={"tool": "drill", "parameters": wish}) for wish in wishes)
    held = asyncio.create_task(first)
    [running] = await standing.witness.sees("ran", mark)
    strays = await standing.metric("interpose_stray_replies")
    replies = [await second, await held]

    standing.witness.release()
    await standing.until_metric("interpose_stray_replies", strays + 2)

    assert [(504, "unknown")] * 2 == [(reply.status_code, reply.json()["ran"]) for reply in replies]
    assert [running] == standing.witness.of("ran", mark)


Order = Callable[..., Awaitable[Any]]


@pytest.fixture
def order(standing: Any, mark: str) -> Order:
    """Order the tool `echo` directly, as only an operator could: `order(call_id, **headers)` is the worker's reply."""

    async def send(call_id: str, body: bytes | None = None, **headers: str) -> Any:
        run = {"tool": "echo", "parameters": {"mark": mark}, "call_id": call_id}
        inbox = f"_INBOX_gateway.{mark}.{new_call_id()}"
        heard = await standing.operator.subscribe(inbox, max_msgs=1)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        told = json.dumps(run).encode() if body is None else body
        await standing.operator.publish("tool.exec.echo", told, reply=inbox, headers=fields or None)
        return await heard.next_msg(timeout=30)

    return send


def error_of(msg: Any) -> str | None:
    """The service error's code, None for an answer of the tool."""
    return (msg.headers or {}).get("Nats-Service-Error-Code")


async def test_a_call_that_was_ordered_before_is_not_run_again(standing: Any, order: Order, mark: str) -> None:
    """The second order under the same call id is refused with 409, a third under another one runs."""
    call_id = new_call_id()

    codes = [error_of(await order(each)) for each in (call_id, call_id, new_call_id())]

    assert [None, "409", None] == codes
    assert 2 == len(standing.witness.of("ran", mark))


async def test_an_order_whose_time_has_passed_does_not_start(standing: Any, order: Order, mark: str) -> None:
    """No time left on arrival is 408, and does not use up the call id."""
    call_id = new_call_id()

    late = await order(call_id, Interpose_Timeout_Ms="0")
    good = await order(call_id, Interpose_Timeout_Ms="5000")

    assert ("408", None) == (error_of(late), error_of(good))
    assert 1 == len(standing.witness.of("ran", mark))


@pytest.mark.parametrize("body", [b"", b"[]", b'{"tool": "echo"}', b'{"call_id": "a", "call_id": "b"}'])
async def test_an_order_that_cannot_be_read_does_not_start(standing: Any, order: Order, mark: str, body: bytes) -> None:
    """Bytes that are no order are 400."""
    assert "400" == error_of(await order(new_call_id(), body))
    assert [] == standing.witness.of("ran", mark)


async def test_an_order_that_wants_its_answer_elsewhere_is_dropped(standing: Any, mark: str) -> None:
    """A tool answers gateways only: whatever names another reply subject is neither run nor answered."""
    targets = ["$KV.HOOKS.current", "_INBOX_client.local.x", "tool.exec.other", "_INBOX_gateway", "_INBOX_gatewayx.y"]
    listeners = [await standing.operator.subscribe(target) for target in targets]
    run = {"tool": "echo", "parameters": {"mark": mark}, "call_id": new_call_id()}

    for target in [*targets, ""]:
        await standing.operator.publish("tool.exec.echo", json.dumps(run).encode(), reply=target)
    await standing.broker.settle(standing.operator)
    # The tool takes its orders in line: once this one has been answered, those before it have been dropped.
    after = await standing.call("plain", {"mark": mark})

    assert [after.json()["call_id"]] == [each.call_id for each in standing.witness.of("ran", mark)]
    assert [0] * len(targets) == [each.pending_msgs for each in listeners]


async def test_a_tool_told_to_end_finishes_what_it_began(beside: Any, standing: Any, mark: str) -> None:
    """SIGTERM while an order runs: it is answered, delivered and recorded, and the process ends well."""
    tool = await beside.start_tool("mill-1", "mill")
    call = asyncio.create_task(
        standing.http.post("/v1/calls", json={"tool": "mill", "parameters": {"mark": mark, "hold": "tool"}})
    )
    await standing.witness.sees("ran", mark)

    tool.send(signal.SIGTERM)
    standing.witness.release()
    reply = await call

    assert (200, True) == (reply.status_code, reply.json()["ran"])
    assert 0 == await tool.ended()
