"""The real clocks."""

import time


class SystemClock:
    """This machine's clocks."""

    def monotonic(self) -> float:
        """Seconds; never goes back."""
        return time.monotonic()

    def wall_time(self) -> float:
        """Seconds since the epoch, UTC."""
        return time.time()
