"""Ending tasks for certain."""

import asyncio

from interpose.embedded.tasks import finish


async def test_a_task_that_drops_a_cancellation_is_ended_all_the_same() -> None:
    """As some libraries do: the first cancellation is swallowed, a later one is not."""
    dropped: list[str] = []

    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            dropped.append("once")
        await asyncio.Event().wait()

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)

    async with asyncio.timeout(20):
        await finish(task)

    assert ["once"] == dropped
    assert task.cancelled()


async def test_what_a_task_raised_stays_its_own() -> None:
    """A task that is done already is left as it is."""

    async def breaks() -> None:
        raise ValueError("mine")

    task = asyncio.create_task(breaks())
    await asyncio.wait({task})

    await finish(task)

    assert "mine" == str(task.exception())
