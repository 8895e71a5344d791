"""A hook that hangs: when do its calls end, and what do the calls beside them notice?

Pairs of rounds, one with hung calls and one without, interleaved, because the machine changes from second to second.
"""

import asyncio
from dataclasses import dataclass
from statistics import median

from load import Sample
from policy import HUNG_TIMEOUT_MS
from workloads import Driver

PAIRS = 7
BESIDE, HANGING = 4, 4
"""Calls in flight: of those beside, and of those whose hook hangs."""


@dataclass(frozen=True, slots=True)
class Hung:
    """`late_ms`: how long behind its hook's timeout the slowest hung call ended. `p99_ratios`: one for each pair."""

    calls: int
    late_ms: float
    p99_ratios: list[float]

    @property
    def p99_ratio(self) -> float:
        """The median pair's."""
        return median(self.p99_ratios)


async def measure(beside: Driver, hanging: Driver, seconds: float, pairs: int = PAIRS) -> Hung:
    """Seven pairs of rounds of `seconds` each."""
    ratios: list[float] = []
    times: list[float] = []
    for number in range(pairs):
        if number % 2:
            alone, (with_hung, hung) = await beside.drive(BESIDE, seconds), await _both(beside, hanging, seconds)
        else:
            (with_hung, hung), alone = await _both(beside, hanging, seconds), await beside.drive(BESIDE, seconds)
        ratios.append(with_hung.percentile(99) / alone.percentile(99))
        times += hung.times_ms
    return Hung(len(times), max(times) - HUNG_TIMEOUT_MS, ratios)


async def _both(beside: Driver, hanging: Driver, seconds: float) -> tuple[Sample, Sample]:
    return await asyncio.gather(beside.drive(BESIDE, seconds), hanging.drive(HANGING, seconds))
