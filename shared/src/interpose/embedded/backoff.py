"""How long to wait before a crashed process is started again. Pure: time comes from outside."""

from dataclasses import dataclass

HEALTHY_MS = 60_000
LONGEST_MS = 30_000


@dataclass(slots=True)
class Backoff:
    """Doubles from `first_ms` to 30 s; a process that lived for a minute begins anew."""

    first_ms: int
    _crashes: int = 0

    def next_ms(self, lived_ms: float) -> int:
        """The wait after a process ended that had lived so long."""
        if lived_ms >= HEALTHY_MS:
            self._crashes = 0
        wait_ms = min(self.first_ms << self._crashes, max(LONGEST_MS, self.first_ms))
        self._crashes = min(self._crashes + 1, 30)
        return wait_ms
