"""Logs of the processes: one file each, a size limit at start, and the last lines when something went wrong."""

from collections import deque
from pathlib import Path

from interpose.contracts.limits import MIB

MAX_BYTES = 8 * MIB


def rotate(path: Path) -> None:
    """Move a log that has grown large aside, to `<name>.log.1`; the one before is dropped."""
    try:
        if path.stat().st_size > MAX_BYTES:
            path.replace(path.with_name(f"{path.name}.1"))
    except FileNotFoundError:
        return


def tail(path: Path, lines: int, start: int = 0) -> list[str]:
    """The last lines behind the byte `start`, without their ends; none when there is no log."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            return [line.decode(errors="replace").rstrip("\n") for line in deque(file, maxlen=lines)]
    except FileNotFoundError:
        return []
