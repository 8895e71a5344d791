"""Closed-loop load: so many callers, each sends its next call when the last one was answered."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from statistics import quantiles

Call = Callable[[], Awaitable[None]]
"""One call to its end; raises where the answer is not what it should be."""


@dataclass(slots=True)
class Sample:
    """What was measured: every call's time in ms, how long the whole took in s, and processor time by process in ms."""

    times_ms: list[float] = field(default_factory=list)
    seconds: float = 0.0
    cpu_ms: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Sample") -> None:
        """Pool another round."""
        self.times_ms += other.times_ms
        self.seconds += other.seconds
        self.cpu_ms += other.cpu_ms

    @property
    def calls_s(self) -> float:
        """Calls in a second."""
        return len(self.times_ms) / self.seconds

    def percentile(self, percent: int) -> float:
        """In ms."""
        if len(self.times_ms) < 2:
            return self.times_ms[0]
        return quantiles(self.times_ms, n=100, method="inclusive")[percent - 1]

    def cpu_ms_per_call(self) -> dict[str, float]:
        """Processor time of a call by process, in ms; processes that did nothing for it are left out."""
        each = {name: used / len(self.times_ms) for name, used in self.cpu_ms.most_common()}
        return {name: round(used, 3) for name, used in each.items() if used >= 0.005}


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
