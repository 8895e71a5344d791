"""Ending what does not want to end."""

import asyncio
from contextlib import suppress

import pytest

from interpose.bus import tasks


async def losing(losses: int) -> None:
    """Work that never ends and loses the first cancellations."""
    for _ in range(losses):
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
    await asyncio.Event().wait()


@pytest.mark.parametrize("losses", [0, 1, 3])
async def test_what_takes_too_long_is_ended_for_certain(losses: int) -> None:
    """Also where the work loses a cancellation: a connection that is tried for ever would hold up its command."""
    before = asyncio.all_tasks()
    with pytest.raises(TimeoutError):
        await tasks.within(0.001, losing(losses))

    assert before == asyncio.all_tasks()


async def test_what_ends_in_time_is_as_it_ended() -> None:
    """Nothing, or its own error."""

    async def fail() -> None:
        raise LookupError

    await tasks.within(60, asyncio.sleep(0))
    with pytest.raises(LookupError):
        await tasks.within(60, fail())


async def test_what_a_task_raised_stays_its_own() -> None:
    """A task that is done already is left as it is."""

    async def breaks() -> None:
        raise ValueError("mine")

    task = asyncio.create_task(breaks())
    await asyncio.wait({task})

    await tasks.end(task)

    assert "mine" == str(task.exception())
