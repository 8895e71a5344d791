"""Processes of this machine: telling a process from a later one with the same number, and ending it."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

_POLL_S = 0.05


def mark(pid: int) -> str | None:
    """When the process began, in the system's own words; None when there is no such process, or only its remains.

    Linux: field 22 of `/proc/<pid>/stat` (proc(5)); elsewhere what `ps` says, to the second.
    """
    if sys.platform == "linux":
        return _mark_linux(pid)
    said = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S603, S607 - a fixed command, a number
    return said.stdout.strip() or None


def _mark_linux(pid: int) -> str | None:
    try:
        said = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The second field is the name in brackets, and a name may hold blanks and brackets of its own.
    fields = said[said.rindex(")") + 2 :].split()
    return None if fields[0] in {"Z", "X"} else fields[19]


def is_same(pid: int, began: str | None) -> bool:
    """Whether the process that began then still runs."""
    return began is not None and mark(pid) == began


async def gone(pid: int, began: str | None, timeout_ms: int) -> bool:
    """Wait until the process is gone; False when it still runs after that time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(timeout_ms / 1000):
            while is_same(pid, began):  # noqa: ASYNC110 - another's child cannot be waited for, only looked at
                await asyncio.sleep(_POLL_S)
    return not is_same(pid, began)


async def end(pid: int, began: str | None, grace_ms: int) -> bool:
    """SIGTERM, and SIGKILL to its group after the grace. True when it had to be killed."""
    if not _send(pid, began, signal.SIGTERM) or await gone(pid, began, grace_ms):
        return False
    _send(pid, began, signal.SIGKILL)
    await gone(pid, began, grace_ms)
    return True


def _send(pid: int, began: str | None, signum: signal.Signals) -> bool:
    if not is_same(pid, began):
        return False
    with suppress(ProcessLookupError):
        os.kill(pid, signum)
    return True
