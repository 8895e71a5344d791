"""A process that makes load. It is told `{"seconds", "in_flight"}` a line and tells what it measured, a line each.

Which load: `driver.py floor PARALLEL | inside RECORDS | http PORT TOKEN KIND STATUS | spawned LANGUAGE`.
"""

import asyncio
import json
import os
import sys
import traceback
from collections.abc import Callable

from callers import open_floor, open_http, open_inside, open_spawned
from load import Call, drive
from nats.errors import Error as NatsError

from interpose.bus.loop import loop_factory
from interpose.errors import InterposeError


async def open_callers(kind: str, *words: str) -> Callable[[], Call]:
    """What makes one caller after another."""
    if kind == "http":
        return await open_http(*words)
    opening = {"floor": open_floor, "inside": open_inside, "spawned": open_spawned}[kind]
    call = await opening(*words)
    return lambda: call


async def obey(kind: str, *words: str) -> None:
    """Drive as often as told, until the orders end."""
    caller = await open_callers(kind, *words)
    kept: list[Call] = []
    tell({})
    while line := await asyncio.to_thread(sys.stdin.readline):
        order = json.loads(line)
        while len(kept) < order["in_flight"]:
            kept.append(caller())
        sample = await drive(kept[: order["in_flight"]], order["seconds"])
        tell({"times_ms": sample.times_ms, "seconds": sample.seconds})


def tell(what: dict[str, object]) -> None:
    """One line to who started us."""
    print(json.dumps(what), flush=True)


async def main() -> None:
    """Obey, and end at once where that breaks: tasks of a gateway that nobody stopped may not hold us."""
    try:
        await obey(*sys.argv[1:])
    except (RuntimeError, OSError, NatsError, InterposeError):
        traceback.print_exc()
        os._exit(1)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(main())
