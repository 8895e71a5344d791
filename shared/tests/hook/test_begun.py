"""A coroutine that is begun at once and awaited for the rest behaves like one that is awaited."""

import asyncio

import pytest

from interpose.hook.begun import Begun


async def test_what_never_waits_is_done_at_once() -> None:
    """Its result is there before anybody awaits it."""

    async def work() -> str:
        return "yes"

    begun = Begun(work())

    assert begun.is_done
    assert "yes" == begun.result


async def test_what_waits_goes_on_when_it_is_awaited() -> None:
    """Through as many waits as it has, with what came of each."""
    first, second = asyncio.get_running_loop().create_future(), asyncio.Event()

    async def work() -> str:
        came = await first
        await second.wait()
        return f"{came} and more"

    begun = Begun(work())
    was_done = begun.is_done
    first.set_result("this")
    asyncio.get_running_loop().call_soon(second.set)

    assert "this and more" == await begun
    assert not was_done


@pytest.mark.parametrize("waits", [False, True])
async def test_what_it_raises_is_raised(waits: bool) -> None:
    """At once, or when it is awaited."""

    async def work() -> None:
        if waits:
            await asyncio.sleep(0)
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await Begun(work())


async def test_an_end_from_outside_reaches_its_wait() -> None:
    """It clears up, and its task is cancelled as if nobody stood between."""
    told: list[str] = []

    async def work() -> None:
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            told.append("cleared up")

    async def wait() -> None:
        await Begun(work())

    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert ["cleared up"] == told


async def test_a_deadline_inside_is_its_own() -> None:
    """Set while nobody awaited it yet."""

    async def work() -> str:
        try:
            async with asyncio.timeout(0):
                await asyncio.get_running_loop().create_future()
        except TimeoutError:
            return "its own"
        return "none"

    assert "its own" == await Begun(work())


async def test_a_deadline_around_the_rest_ends_it() -> None:
    """The wait that it came to is not waited for any longer."""

    async def work() -> None:
        await asyncio.get_running_loop().create_future()

    begun = Begun(work())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await begun
