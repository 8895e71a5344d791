"""compose.yaml with the quickstart's layer: what the README promises on one machine holds in containers."""

import json
import re
import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytestmark = [pytest.mark.docker, pytest.mark.server]

ROOT = Path(__file__).parents[2]
PATIENCE_S, LOOK_AGAIN_S = 300, 0.2
MOST_CALLS = 200
FENCE = re.compile(r"^```sh(?: expect=(?P<code>\d+))?\n\.venv/bin/interpose call (?P<words>.*)\n```$", re.MULTILINE)
ACCEPTED = {"tool": "message", "action": "send", "parameters": {"channel": "C1", "blocks": [{"type": "divider"}]}}
REFUSED = {"tool": "message", "action": "send", "parameters": {"channel": "C1", "blocks": [{"type": "section"}]}}
PING = """
import asyncio
from interpose.bus.presence import ping
from interpose.embedded.home import Home
from interpose.embedded.operator import connect

async def main():
    client = await connect(Home.find())
    print(*[each.instance for each in await ping(client, "validator")])
    await client.close()

asyncio.run(main())
"""
SURROUNDINGS = """
import json, os, socket
def fails(do):
    try:
        do()
    except OSError:
        return True
    return False
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
print(json.dumps({
    "user": os.getuid(),
    "keys": sorted(os.listdir("/run/interpose")),
    "capabilities": int(status["CapEff"], 16) + int(status["CapBnd"], 16),
    "privileges": status["NoNewPrivs"],
    "root is closed": fails(lambda: open("/app/planted", "w")),
    "key is closed": fails(lambda: open("/run/interpose/seed", "a")),
    "outside is closed": fails(lambda: socket.create_connection(("192.0.2.1", 80), 2)),
}))
"""


def until(happened: Callable[[], bool]) -> None:
    """Return as soon as it is so; fail when PATIENCE_S are over."""
    end = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < end, f"{happened} did not come true within {PATIENCE_S} s"
        time.sleep(LOOK_AGAIN_S)


def health(compose: Any, service: str) -> set[str]:
    """What the engine says of the health of a service's containers."""
    return {state["State"]["Health"]["Status"] for state in compose.state(service)}


def present(compose: Any) -> set[str]:
    """The validator's workers that answer now."""
    return set(compose.must("exec", "-T", "operator", "python", "-c", PING).split())


def asked(agent: httpx.Client) -> str:
    """The worker that judged one accepted call."""
    answer = agent.post("/v1/calls", json=ACCEPTED).json()
    assert answer["decision"] == "deliver", answer
    return next(str(hook["worker"]) for hook in answer["hooks"] if hook["name"] == "block-kit")


@pytest.fixture(scope="module")
def agent(compose: Any) -> Iterator[httpx.Client]:
    """A client of the gateway's one port, with the token that was made for it; ready for calls."""
    token = compose.must("run", "--rm", "-T", "--no-deps", "--entrypoint", "cat", "call", "/run/interpose/token")
    where, headers = f"http://127.0.0.1:{compose.port}", {"Authorization": f"Bearer {token}"}
    for service in ("gateway", "validator", "outbox", "no-force-push"):
        until(lambda service=service: health(compose, service) == {"healthy"})
    with httpx.Client(base_url=where, headers=headers, timeout=PATIENCE_S) as client:
        yield client


def test_the_calls_of_the_readme_end_as_it_says(compose: Any, agent: httpx.Client) -> None:
    """Accepted, refused by the validator with its paths, refused by a hook of twenty lines."""
    told = [(found["words"], int(found["code"] or 0)) for found in FENCE.finditer((ROOT / "README.md").read_text())]
    done = [compose("run", "--rm", "-T", "call", *shlex.split(words)) for words, _ in told]

    assert [0, 2, 2] == [code for _, code in told]
    assert [code for _, code in told] == [one.returncode for one in done], [one.stdout + one.stderr for one in done]
    assert "$.parameters.blocks[0].text" in done[1].stdout


def test_every_process_says_that_it_is_healthy(compose: Any, agent: httpx.Client) -> None:
    """Each container that has a check passes it, which takes the broker's answer."""
    services = set(compose.must("config", "--services").split()) - {"provision", "nats", "call", "collector"}
    for service in services:
        until(lambda service=service: health(compose, service) == {"healthy"})

    assert {"gateway", "operator", "audit-logger", "canonicalizer", "sanitizer", "script-runner"} <= services


def test_a_worker_is_alone_with_its_key(compose: Any, agent: httpx.Client) -> None:
    """No user's rights, no capability, a closed root, one key that it cannot change, no way out but the bus."""
    found = json.loads(compose.must("exec", "-T", "validator", "python", "-c", SURROUNDINGS))

    assert {
        "user": 10001,
        "keys": ["seed"],
        "capabilities": 0,
        "privileges": "1",
        "root is closed": True,
        "key is closed": True,
        "outside is closed": True,
    } == found


def test_only_the_gateway_is_reached_from_this_machine(compose: Any, agent: httpx.Client) -> None:
    """One port is published, on loopback."""
    published = [
        (service, mapped["HostIp"])
        for service in ("nats", "operator", "validator", "gateway")
        for state in compose.state(service)
        for mappings in state["NetworkSettings"]["Ports"].values()
        for mapped in mappings or []
    ]

    assert [("gateway", "127.0.0.1")] == published


def test_workers_that_are_added_share_the_asks(compose: Any, agent: httpx.Client) -> None:
    """With --scale three workers are present, and each of them judges calls; one that is killed is not missed."""
    compose.must("up", "--detach", "--no-recreate", "--scale", "validator=3")
    until(lambda: len(present(compose)) == 3)
    judges: set[str] = set()
    for _ in range(MOST_CALLS):
        judges.add(asked(agent))
        if len(judges) == 3:
            break
    assert 3 == len(judges)

    compose.kill(compose.containers("validator")[0])
    until(lambda: len(present(compose)) == 2)
    answers = [agent.post("/v1/calls", json=body).status_code for body in (ACCEPTED, REFUSED) * 10]

    assert [200, 403] * 10 == answers


def test_without_a_worker_nothing_runs(compose: Any, agent: httpx.Client) -> None:
    """With every worker of a rule's service gone the call is refused; with them back it runs."""
    compose.must("stop", "--timeout", "20", "validator")
    refused = agent.post("/v1/calls", json=ACCEPTED)
    compose.must("start", "validator")
    until(lambda: agent.post("/v1/calls", json=ACCEPTED).status_code == 200)

    assert (403, False) == (refused.status_code, refused.json()["ran"])
    assert "no_responders" in refused.text


def test_records_and_rules_outlive_the_broker(compose: Any, agent: httpx.Client) -> None:
    """Killed and started again it has every record and the same revision, and calls are judged as before."""
    before = agent.post("/v1/calls", json=REFUSED).json()
    compose.must("kill", "nats")
    compose.must("start", "nats")
    until(lambda: agent.post("/v1/calls", json=ACCEPTED).status_code == 200)
    after = agent.post("/v1/calls", json=REFUSED).json()

    assert before["revision"] == after["revision"]
    assert {before["call_id"], after["call_id"]} <= recorded(compose, "operator", "stream")


def test_the_audit_logger_keeps_every_record(compose: Any, agent: httpx.Client) -> None:
    """A call stands in its store soon after it was answered."""
    call = agent.post("/v1/calls", json=REFUSED).json()["call_id"]
    until(lambda: call in recorded(compose, "audit-logger", "store"))


def recorded(compose: Any, service: str, source: str) -> set[str]:
    """The calls that a service's container reads from the stream, or from the audit store."""
    words = ("interpose", "records", "list", "--json", "--source", source, "--limit", "1000")
    said = compose.must("exec", "-T", service, *words)
    return {json.loads(line)["record"].get("call_id") for line in said.splitlines()}
