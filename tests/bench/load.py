"""Closed-loop load: so many callers, each sends its next call when the last one was answered."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from statistics import quantiles

Call = Callable[[], Awaitable[None]]
"""One call to its end; raises where the answer is not what it should be."""


@dataclass(slots=True)
class Sample:
    """What was measured: every call's time in ms, and how long the whole took in s."""

    times_ms: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: "Sample") -> None:
        """Pool another round."""
        self.times_ms += other.times_ms
        self.seconds += other.seconds

    @property
    def calls_s(self) -> float:
        """Calls in a second."""
        return len(self.times_ms) / self.seconds

    def percentile(self, percent: int) -> float:
        """In ms."""
        return quantiles(self.times_ms, n=100, method="inclusive")[percent - 1]


async def drive(callers: Sequence[Call], seconds: float) -> Sample:
    """Let all callers call for so long."""
    sample, started = Sample(), time.perf_counter()

    async def repeat(call: Call) -> None:
        while (now := time.perf_counter()) < started + seconds:
            await call()
            sample.times_ms.append((time.perf_counter() - now) * 1000)

    await asyncio.gather(*(repeat(call) for call in callers))
    sample.seconds = time.perf_counter() - started
    return sample
