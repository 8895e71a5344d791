"""Time that jumps: an event loop that goes to the next timer at once instead of waiting for it.

A hook that takes ten seconds is tested in no time, deadlines end what they end in production, and what happens at
different times happens in that order, always. While a thread works (a plain function as a handler), time is real.
For code that waits for sockets or processes use an ordinary loop: to this one they never answer in time.
"""

import asyncio
import math
import selectors
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar

T = TypeVar("T")
Events = list[tuple[selectors.SelectorKey, int]]


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in virtual time; like `asyncio.run`, not from inside a running loop."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop. `time()` begins at 0 and counts virtual seconds."""

    def __init__(self) -> None:
        self._clock = _Clock()
        super().__init__(self._clock)

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._clock.now_s

    def run_in_executor(  # type: ignore[override]  # typeshed spells the same arguments as a TypeVarTuple
        self, executor: Executor | None, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """As every loop does it; until the thread is done, time is real."""
        future = super().run_in_executor(executor, func, *args)
        self._clock.threads += 1
        future.add_done_callback(self._thread_ended)
        return future

    def _thread_ended(self, _future: object) -> None:
        self._clock.threads -= 1


class _Clock(selectors.DefaultSelector):
    """A loop waits in its selector only, so that this is where its time passes."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        self.threads = 0

    def select(self, timeout: float | None = None) -> Events:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        return self._wait(timeout) if self.threads else super().select(0) or self._jump(timeout)

    def _jump(self, seconds: float) -> Events:
        # One step beyond: far from 0, floats are coarser than what a loop takes for the same time.
        self.now_s = math.nextafter(self.now_s + seconds, math.inf)
        return []

    def _wait(self, seconds: float) -> Events:
        began = time.monotonic()
        events = super().select(seconds)
        self.now_s += time.monotonic() - began
        return events
