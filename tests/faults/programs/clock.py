"""The wall clock of a process that jumps when it is told to, by SIGUSR1; its monotonic clock goes on.

INTERPOSE_TEST_CLOCK says by how many seconds. What is moved are the functions of `time`, which all of our code asks
but for the times that only people read (`datetime.now`).
"""

import os
import signal
import time
from types import FrameType

from diary import note

NS_PER_S = 1_000_000_000
JUMP_S = int(os.environ.get("INTERPOSE_TEST_CLOCK", "0"))


def be_ready_to_jump() -> None:
    """Wait for the signal, where this process is one that jumps."""
    if JUMP_S:
        signal.signal(signal.SIGUSR1, _jump)


def _jump(_number: int, _frame: FrameType | None) -> None:
    real, real_ns = time.time, time.time_ns
    time.time = lambda: real() + JUMP_S
    time.time_ns = lambda: real_ns() + JUMP_S * NS_PER_S
    note("clock", moved_s=JUMP_S)
