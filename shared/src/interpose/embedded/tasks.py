"""Ending tasks for certain."""

import asyncio
from typing import Any

_AGAIN_S = 0.2


async def finish(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks until each is done; what they raise stays theirs.

    Once is not enough: a cancellation can be lost where a task waits in `asyncio.wait_for` of Python 3.11 just when
    the waiting ends, and in nats-py's flushing, which drops it.
    """
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=_AGAIN_S)
