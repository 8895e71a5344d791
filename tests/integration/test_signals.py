"""Workers and gateways that are killed, stopped and told to end, with asks and calls under way."""

import asyncio
import json
import signal
from collections import Counter
from typing import Any

import httpx
import pytest

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

MEANS = {"strict": 403, "reshaped": 403, "advised": 200, "waived": 200}
"""The action whose hook fails, and what its failMode and onFailure make of that."""
ADVISORY = ["advised", "waived"]


async def call_each(system: Any, mark: str) -> list[asyncio.Task[Any]]:
    """One call of each action, and each held by its hook."""
    wanted = [{"mark": mark, "hold": "before", "action": action} for action in MEANS]
    calls = [system.later(each["action"], each) for each in wanted]
    await system.witness.sees("asked before", mark, len(MEANS))
    return calls


async def expect_failed(system: Any, replies: list[Any], mark: str, failure: str) -> None:
    """Each call ended as its hook's failMode says, in the answer, on the record and at the tool."""
    answers = [reply.json() for reply in replies]
    before = [(await system.records(answer["call_id"]))[0].body for answer in answers]
    effects = ["stopped" if status == 403 else "warned" for status in MEANS.values()]
    assert list(MEANS.values()) == [reply.status_code for reply in replies]
    assert [(failure, effect) for effect in effects] == [
        (record["hooks"][1]["ending"], record["hooks"][1]["effect"]) for record in before
    ]
    assert ["refuse", "refuse", "run", "run"] == [record["decision"] for record in before]
    assert [0, 0, 1, 1] == [len(answer["warnings"]) for answer in answers]
    assert ADVISORY == sorted(each.parameters["action"] for each in system.witness.of("ran", mark))


async def test_a_worker_killed_in_mid_ask_fails_by_fail_mode(beside: Any, standing: Any, mark: str) -> None:
    """kill -9 with four asks at work: reject and transform refuse, warn and onFailure warn go on with a warning."""
    warden = await beside.start_hook("warden", "warden-1")
    calls = await call_each(standing, mark)

    await warden.kill()
    replies = await asyncio.gather(*calls)

    await expect_failed(standing, replies, mark, "deadline_exceeded")


async def test_behind_a_killed_worker_nobody_answers(beside: Any, standing: Any, mark: str) -> None:
    """The call after a kill -9 is refused as no_responders, with the remedy in words."""
    warden = await beside.start_hook("warden", "warden-1")
    good = await standing.call("warded", {"mark": mark})

    await warden.kill()
    reply = await standing.call("warded", {"mark": mark})

    assert (200, 403) == (good.status_code, reply.status_code)
    assert "no-responders" == reply.json()["code"]
    assert "No worker of warden is running" in reply.json()["reason"]
    assert 1 == len(standing.witness.of("ran", mark))


async def test_a_worker_stopped_in_mid_ask_fails_by_fail_mode(beside: Any, standing: Any, mark: str) -> None:
    """The same under SIGSTOP; when the worker goes on all its late verdicts are strays and nothing more runs.

    Each ask was sent twice: a third of its timeout was over without an answer.
    """
    warden = await beside.start_hook("warden", "warden-1")
    strays = await standing.metric("interpose_stray_replies")
    calls = await call_each(standing, mark)

    warden.send(signal.SIGSTOP)
    replies = await asyncio.gather(*calls)
    warden.send(signal.SIGCONT)
    standing.witness.release()
    await standing.until_metric("interpose_stray_replies", strays + 2 * len(MEANS))

    await expect_failed(standing, replies, mark, "deadline_exceeded")


async def test_beside_a_stopped_worker_nothing_runs_without_a_yes(beside: Any, standing: Any, mark: str) -> None:
    """Of two workers one is stopped: what reaches the living one runs, at the first or the second time it is asked.

    What reaches only the other one is refused for ever, and whatever that one says later is a stray.
    """
    stopped, _ = await asyncio.gather(beside.start_hook("warden", "warden-1"), beside.start_hook("warden", "warden-2"))
    strays, copies = [await standing.metric(f"interpose_{name}") for name in ("stray_replies", "repeated_asks")]
    stopped.send(signal.SIGSTOP)

    replies = await asyncio.gather(*(standing.call("strict", {"mark": mark}) for _ in range(30)))
    answers = [reply.json() for reply in replies]
    passed = [answer for answer in answers if answer["decision"] == "deliver"]
    heard = [each for each in standing.witness.of("asked before", mark) if each.instance == "warden-2"]
    repeated = await standing.metric("interpose_repeated_asks") - copies
    stopped.send(signal.SIGCONT)
    await standing.until_metric("interpose_stray_replies", strays + len(replies) + repeated - len(heard))

    hooks = [answer["hooks"][1] for answer in answers]
    assert {("allow", None, "warden-2"), (None, "deadline_exceeded", None)} == {
        (hook.get("verdict"), hook.get("failure"), hook.get("worker")) for hook in hooks
    }
    assert len(passed) == len(heard)
    assert repeated > len(replies) - len(passed)  # the second time saved some
    assert Counter(answer["call_id"] for answer in passed) == Counter(
        each.call_id for each in standing.witness.of("ran", mark)
    )


async def test_a_worker_told_to_end_answers_every_ask_first(beside: Any, standing: Any, mark: str) -> None:
    """SIGTERM for one of two workers under a stream of calls: every call gets its yes, and none runs twice."""
    ending, _ = await asyncio.gather(beside.start_hook("warden", "warden-1"), beside.start_hook("warden", "warden-2"))
    held = [standing.later("warded", {"mark": mark, "hold": "before"}) for _ in range(30)]
    asked = await standing.witness.sees("asked before", mark, len(held))

    ending.send(signal.SIGTERM)
    replies = await asyncio.gather(*(standing.call("warded", {"mark": mark}) for _ in range(30)))
    standing.witness.release()
    replies += await asyncio.gather(*held)

    ran = Counter(each.call_id for each in standing.witness.of("ran", mark))
    assert {"warden-1", "warden-2"} == {each.instance for each in asked}
    assert {200} == {reply.status_code for reply in replies}
    assert Counter(reply.json()["call_id"] for reply in replies) == ran
    assert 0 == await ending.ended()


async def test_a_gateway_told_to_end_answers_and_records_its_calls(beside: Any, standing: Any, mark: str) -> None:
    """SIGTERM with calls held at the hook (HTTP) and at the tool (bus): all answered and recorded, the bus's last."""
    gateway = await beside.start_gateway("gateway-2")
    client = await standing.broker.connect("client-local")
    over_http = beside.later("gated", {"mark": mark, "hold": "before"})
    body = {"tool": "echo", "action": "gated", "parameters": {"mark": mark, "hold": "tool"}}
    over_bus = [
        asyncio.create_task(client.request("gateway.call.local", json.dumps(body).encode(), timeout=30))
        for _ in range(20)
    ]
    await standing.witness.sees("asked before", mark, 21)
    await standing.witness.sees("ran", mark, 20)

    gateway.send(signal.SIGTERM)
    await beside.until(lambda: is_closed(beside))
    standing.witness.release("asked before")
    answers = [(await over_http).json()]
    standing.witness.release("ran")
    answers += [json.loads(msg.data) for msg in await asyncio.gather(*over_bus)]

    records = [each.body for each in await standing.records() if mark in json.dumps(each.body)]
    told = Counter((record["call_id"], record["phase"], record["decision"]) for record in records)
    ends = (("before", "run"), ("after", "deliver"))
    assert 0 == await gateway.ended()
    assert {"deliver"} == {answer["decision"] for answer in answers}
    assert told == Counter((answer["call_id"], *end) for answer in answers for end in ends)
    assert {"gateway-1", "gateway-2"} == {record["producer"]["instance"] for record in records}


async def is_closed(system: Any) -> bool:
    """Whether the gateway takes no more connections."""
    try:
        async with httpx.AsyncClient(trust_env=False) as somebody:
            await somebody.get(f"http://127.0.0.1:{system.http_port}/healthz")
    except httpx.ConnectError:
        return True
    except (httpx.ReadError, httpx.RemoteProtocolError):
        return False  # Taken, and dropped while the door was being closed: the next one tells.
    return False
