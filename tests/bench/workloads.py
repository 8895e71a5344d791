"""What is measured. Each workload opens its callers on a running system; rounds of all of them are interleaved."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import orjson
from http_caller import HttpCaller
from load import Call
from opentelemetry.context import Context
from system import CLIENT, TOOL, System, write_policy
from worker import FLOOR

FLOOR_REQUEST = b"r" * 1300
PARAMETERS = {"text": "x" * 600, "list": list(range(40))}
"""With these an ask is about as long as the floor's request."""
BODY = orjson.dumps({"tool": TOOL, "parameters": PARAMETERS})


@dataclass(frozen=True, slots=True)
class Workload:
    """`hops`: messages that wait for each other on the bus within one call; records are not counted among them."""

    name: str
    what: str
    in_flight: int
    hops: int
    open: Callable[[System, Path, int], Awaitable[list[Call]]]


async def open_floor(system: System, _folder: Path, in_flight: int) -> list[Call]:
    """W0: raw nats-py on both sides."""
    client = await system.connect_plainly()

    async def call() -> None:
        await client.request(FLOOR, FLOOR_REQUEST, timeout=5)

    return [call] * in_flight


async def open_inside(system: System, folder: Path, in_flight: int, *, is_recording: bool) -> list[Call]:
    """W1: one before hook, the tool, one after hook, driven inside the gateway's process."""
    policy = write_policy(folder / "one.json", ("first",), ("last",))
    door, caller = await system.open_gateway(policy, is_recording=is_recording)

    async def call() -> None:
        reply = await door.call(caller, BODY, Context())
        if reply.status != 200:
            raise RuntimeError(f"{reply.status}: {reply.answer.reason}")

    return [call] * in_flight


async def open_unrecorded(system: System, folder: Path, in_flight: int) -> list[Call]:
    """W1 without records."""
    return await open_inside(system, folder, in_flight, is_recording=False)


async def open_recorded(system: System, folder: Path, in_flight: int) -> list[Call]:
    """W1 as it is shipped: two records a call, each on disk before it counts."""
    return await open_inside(system, folder, in_flight, is_recording=True)


async def open_http(system: System, folder: Path, in_flight: int) -> list[Call]:
    """W2: three before hooks in parallel and the tool, over HTTP, with the gateway as a process of its own."""
    port = await system.start_gateway(write_policy(folder / "three.json", ("first", "second", "third"), ()))
    token = system.home.token(CLIENT).read_text().strip()
    return [HttpCaller(port, token, BODY).call for _ in range(in_flight)]


WORKLOADS = [
    Workload("W0", "floor: raw nats-py request-reply", 1, 1, open_floor),
    Workload("W0", "floor: raw nats-py request-reply", 16, 1, open_floor),
    Workload("W1", "1 before hook, tool, 1 after hook; records off", 1, 3, open_unrecorded),
    Workload("W1", "1 before hook, tool, 1 after hook; records off", 16, 3, open_unrecorded),
    Workload("W1", "1 before hook, tool, 1 after hook; records synced", 1, 3, open_recorded),
    Workload("W1", "1 before hook, tool, 1 after hook; records synced", 16, 3, open_recorded),
    Workload("W2", "HTTP, 3 parallel before hooks, tool; records synced", 1, 2, open_http),
    Workload("W2", "HTTP, 3 parallel before hooks, tool; records synced", 32, 2, open_http),
]
