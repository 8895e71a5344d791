"""What the rate limiter adds to an ask: beside a hook that only says yes, and an acknowledged write to its bucket.

All three in turns on one broker, so that a slow moment of the machine meets each of them. One worker answers.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import orjson
import policy
from processes import Processes
from system import Kind, System, running

from interpose.bus import connection, headers, subjects
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners
from interpose.bus.settings import BusSettings
from interpose.contracts.reply import Replied
from interpose.contracts.words import Phase
from interpose.testing.asks import make_ask

PLAIN = "a"
KIND = Kind("limits", hooks=(PLAIN, subjects.RATE_LIMITER))
ASK_S = 30.0
TOGETHER = 64
TURNS = 20
"""In each, `CALLS` asks one after another of each, and `TOGETHER` at once."""
CALLS = 10
MINUTE = {"name": "minute", "key": "user", "kind": "window", "limit": 100_000, "window_s": 60}
SHORT = MINUTE | {"limit": 200, "window_s": 0.1, "name": "short"}
KEYS = {
    "limit large window": [MINUTE],
    "limit exact window": [SHORT],
    "limit bucket": [{"name": "b", "key": "user", "kind": "bucket", "rate": 100_000, "burst": 100_000}],
    "limit two of one key": [MINUTE, MINUTE | {"name": "hour", "window_s": 3600}],
    "limit two keys": [MINUTE, MINUTE | {"name": "client", "key": "client"}],
}

Act = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Bench:
    """Who asks, and whom."""

    system: System
    asker: Asker

    def ask(self, service: str, limits: list[dict[str, Any]]) -> Act:
        """One ask of a call of its own; a no is an answer as well."""
        subject, context = subjects.ask(Phase.BEFORE, service), {"user": "ann"}

        async def act() -> None:
            ask = make_ask(
                hook="bench", settings={"limits": limits}, context=context, client="bench", parameters=policy.PARAMETERS
            )
            reply = await self.asker.ask(subject, orjson.dumps(ask.to_wire()), ASK_S)
            if not isinstance(reply, Replied):
                raise RuntimeError(f"{service}: {reply.detail}")  # noqa: TRY004 - what it came to is no type error

        return act

    def write(self) -> Act:
        """One acknowledged write, without anything around it."""
        body, sent = b"x" * 500, {headers.EXPECTED_STREAM: subjects.LIMITS_STREAM}

        async def act() -> None:
            await self.system.operator.jetstream().publish(subjects.counter("bench"), body, headers=sent)

        return act


async def measure(keys: list[str], turns: int) -> list[dict[str, Any]]:
    """One row for each setting."""
    processes = Processes()
    with tempfile.TemporaryDirectory() as folder:
        try:
            async with running(KIND, Path(folder), processes, "http://127.0.0.1:1") as system:
                listeners, inbox = Listeners(), f"{subjects.GATEWAY_INBOX}.bench"
                settings = BusSettings(nats_url=system.url, nats_seed=system.home.seed("gateway"))
                client = await connection.connect(settings, name="bench", inbox_prefix=inbox, listeners=listeners)
                asker = Asker(client, f"{inbox}.asks")
                await asker.start(listeners)
                found = [await _measure(Bench(system, asker), key, turns) for key in keys]
                await connection.close(client)
                return found
        finally:
            await processes.kill()


async def _measure(bench: Bench, key: str, turns: int) -> dict[str, Any]:
    acts = {
        "limiter": bench.ask(subjects.RATE_LIMITER, KEYS[key]),
        "plain": bench.ask(PLAIN, KEYS[key]),
        "write": bench.write(),
    }
    alone: dict[str, list[float]] = {name: [] for name in acts}
    together: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(turns):
        for name, act in acts.items():
            alone[name] += [await _ms([act]) for _ in range(CALLS)]
            together[name].append(await _ms([act] * TOGETHER))
    p50 = {name: median(taken) for name, taken in alone.items()}
    rate = {name: TOGETHER / median(taken) * 1000 for name, taken in together.items()}
    return {
        "key": key,
        "what": key.removeprefix("limit "),
        "ask_ms": round(p50["limiter"], 2),
        "plain_ms": round(p50["plain"], 2),
        "write_ms": round(p50["write"], 2),
        "added_in_writes": round((p50["limiter"] - p50["plain"]) / p50["write"], 2),
        "asks_s": round(rate["limiter"]),
        "plain_s": round(rate["plain"]),
    }


async def _ms(acts: list[Act]) -> float:
    began = time.perf_counter()
    await asyncio.gather(*(act() for act in acts))
    return (time.perf_counter() - began) * 1000
