"""A page that a tool returned, sanitized by a worker of the service over the bus: what a call waits for it."""

import tempfile
import time
from pathlib import Path
from statistics import quantiles
from typing import Any

import orjson
import sanitizer_texts
from processes import Processes
from sanitizer import of_octets
from system import Kind, running

from interpose.bus import connection, subjects
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners
from interpose.bus.settings import BusSettings
from interpose.contracts.reply import Replied
from interpose.contracts.words import Phase
from interpose.testing.asks import make_ask

SERVICE = "sanitizer"
KEY = "sanitizer page over the bus"
PAGE = 16_384
WHAT = f"a page of {PAGE // 1024} kB over the bus"
WARM_UP = 50
ASK_S = 30.0
LIMIT_MS = 5


async def measure(asks: int) -> list[dict[str, Any]]:
    """A row for pages of HTML that differ, and one for a page that comes again and again: so many asks one at a time,
    each from its encoding to its verdict."""
    processes = Processes()
    with tempfile.TemporaryDirectory() as folder:
        try:
            kind = Kind(SERVICE, hooks=(SERVICE,))
            async with running(kind, Path(folder), processes, "http://127.0.0.1:1") as system:
                listeners, inbox = Listeners(), f"{subjects.GATEWAY_INBOX}.bench"
                settings = BusSettings(nats_url=system.url, nats_seed=system.home.seed("gateway"))
                client = await connection.connect(settings, name="bench", inbox_prefix=inbox, listeners=listeners)
                asker = Asker(client, f"{inbox}.asks")
                await asker.start(listeners)
                others = [await _ask(asker, number) for number in range(WARM_UP + asks)]
                again = [await _ask(asker, 0) for _ in range(asks)]
                await connection.close(client)
                return [_row(KEY, WHAT, others[WARM_UP:]), _row(f"{KEY}, again", f"{WHAT}, seen before", again)]
        finally:
            await processes.kill()


async def _ask(asker: Asker, number: int) -> float:
    """How long one ask takes, in ms; what was clean is known again, so each number is a page of its own."""
    page = of_octets(sanitizer_texts.page, PAGE).replace("<title>", f"<title>No. {number} of ", 1)
    began = time.perf_counter()
    body = orjson.dumps(make_ask(hook=SERVICE, response={"content": page}).to_wire())
    reply = await asker.ask(subjects.ask(Phase.AFTER, SERVICE), body, ASK_S)
    if not isinstance(reply, Replied):
        raise RuntimeError(reply.detail)  # noqa: TRY004 - what it came to is no type error
    return (time.perf_counter() - began) * 1000


def _row(key: str, what: str, taken: list[float]) -> dict[str, Any]:
    cuts = quantiles(taken, n=100)
    return {"key": key, "what": what, "asks": len(taken), "p50_ms": round(cuts[49], 2), "p99_ms": round(cuts[98], 2)}
