"""How long this machine let processes wait: what a busy machine adds to a time is no fault of the system's.

Two are watched while the callers call: the callers' own loop, and a pacemaker process beside the system's processes.
An answer passes through both kinds one after the other, so their stalls add up.
"""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

BEAT_S = 0.01
NOTICED_S = 0.003

Span = tuple[float, float]
"""Begin and end on the monotonic clock, which all processes of a machine share."""


@dataclass
class Lag:
    """Stalls of the loop that it is started in, and those that the pacemaker wrote to its log."""

    pacemaker: Path
    stalls: list[Span] = field(default_factory=list)

    def within(self, start: float, end: float) -> float:
        """Seconds between these moments in which somebody had to wait."""
        return sum(max(0.0, min(end, ended) - max(start, began)) for began, ended in self.stalls)

    async def watch(self) -> None:
        """Note the stalls of this loop until cancelled."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(BEAT_S)
            ended = time.monotonic()
            if ended - began - BEAT_S > NOTICED_S:
                self.stalls.append((began + BEAT_S, ended))

    def seen(self) -> "Lag":
        """All that is known now, of both."""
        told = [line.split() for line in self.pacemaker.read_text().splitlines()]
        others: list[Span] = []
        for words in told:
            with suppress(ValueError):  # the last line may be half written
                began, ended = map(float, words)
                others.append((began, ended))
        return Lag(self.pacemaker, self.stalls + others)
