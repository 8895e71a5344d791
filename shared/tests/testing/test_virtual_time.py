"""Time that jumps."""

import asyncio
import threading

import pytest

from interpose.testing import VirtualLoop, run


def test_a_year_passes_at_once():
    """A sleep of a year ends, and the loop's clock says that it was one."""
    year_s = 365 * 24 * 3600.0

    async def sleep() -> float:
        await asyncio.sleep(year_s)
        return asyncio.get_running_loop().time()

    assert year_s == pytest.approx(run(sleep()))


def test_what_is_due_earlier_comes_first():
    """Timers fire by their time, whatever order they were set in; those due together by the order they were set."""
    done: list[str] = []

    async def work(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        done.append(name)

    async def main() -> None:
        await asyncio.gather(work("late", 3), work("early", 1), work("middle", 2), work("with middle", 2))

    run(main())

    assert ["early", "middle", "with middle", "late"] == done


def test_a_deadline_ends_what_takes_longer():
    """`asyncio.timeout` counts virtual seconds."""

    async def main() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(10):
                await asyncio.Event().wait()
        return asyncio.get_running_loop().time()

    assert 10 == pytest.approx(run(main()))


def test_time_is_real_while_a_thread_works():
    """A thread that needs a moment is waited for, and no deadline passes it by."""
    released = threading.Event()

    async def main() -> bool:
        async with asyncio.timeout(60):
            waiting = asyncio.ensure_future(asyncio.to_thread(released.wait, 30))
            await asyncio.sleep(0)
            threading.Timer(0.01, released.set).start()
            return await waiting

    assert run(main())


def test_a_deadline_ends_the_wait_for_a_thread():
    """A thread that takes too long is given up in real time."""
    released = threading.Event()

    async def main() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await asyncio.to_thread(released.wait, 30)
        released.set()
        return asyncio.get_running_loop().time()

    assert 0.02 <= run(main())


def test_after_the_thread_time_jumps_again():
    """A thread that ended slows nothing down: a day passes at once behind it."""

    async def main() -> float:
        await asyncio.to_thread(int)
        await asyncio.sleep(86_400)
        return asyncio.get_running_loop().time()

    assert 86_400 <= run(main())


def test_sockets_are_still_heard():
    """The loop wakes for what arrives while it has no timer."""

    async def main() -> str:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        arrived: asyncio.Future[str] = loop.create_future()
        threading.Timer(0.01, loop.call_soon_threadsafe, (arrived.set_result, "word")).start()
        return await arrived

    assert "word" == run(main())
