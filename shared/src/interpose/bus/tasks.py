"""Ending tasks for certain."""

import asyncio
from collections.abc import Coroutine
from typing import Any

_AGAIN_S = 0.05


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks until each is done; what they raise stays theirs.

    Once is not enough: a cancellation can be lost where a task waits in `asyncio.wait_for` of Python 3.11 just when
    the waiting ends, and in nats-py's flushing, which drops it.
    """
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=_AGAIN_S)


async def within(time_s: float, work: Coroutine[Any, Any, None]) -> None:
    """Do it, and end it for certain when the time is over. Raises TimeoutError then, else what it raises."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=time_s)
        if not task.done():
            raise TimeoutError
        await task
    finally:
        await end(task)
