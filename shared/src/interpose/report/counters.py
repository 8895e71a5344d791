"""What happened, counted. In a folder the counts outlive the process, and several processes count together."""

import os
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Protocol

from interpose.report import forking, log


class Counted(StrEnum):
    """What is counted."""

    FINALISED = "finalised"
    """A report that the gateway took."""
    MISSED = "missed"
    """The end of a call that nobody had evaluated, or too long ago: nothing was sent."""
    SHED = "shed"
    """A report that left something out to fit."""
    TRUNCATED = "truncated"
    """A report whose error was cut."""
    RETRIED = "retried"
    """A report that was sent once more."""
    EXPIRED = "expired"
    """An evaluation that nobody claimed in its time, or a report that waited too long to be sent."""
    REJECTED = "rejected"
    """A report that the gateway will never take."""
    DROPPED = "dropped"
    """A report that could not be kept, because the outbox was full or could not be written."""
    UNAVAILABLE = "unavailable"
    """A call or an install that was blocked because there was no decision."""
    REPLACED = "replaced"
    """An evaluation whose call came once more, under the same call id, before it was reported."""
    AMBIGUOUS = "ambiguous"
    """A call that was blocked because its end could not have been told from another's."""


class Counters(Protocol):
    """Somewhere to count. Never raises, and may be used by several threads."""

    def count(self, what: Counted, number: int = 1) -> None:
        """Add to a count."""

    def read(self) -> dict[Counted, int]:
        """Every count, also those that are 0."""


class MemoryCounters:
    """The counts of one process."""

    def __init__(self) -> None:
        self._counts = dict.fromkeys(Counted, 0)
        self.begin_afresh()
        forking.remember(self)

    def begin_afresh(self) -> None:
        """With a lock that nobody holds."""
        self._lock = Lock()

    def count(self, what: Counted, number: int = 1) -> None:
        """Add to a count."""
        with self._lock:
            self._counts[what] += number

    def read(self) -> dict[Counted, int]:
        """Every count."""
        with self._lock:
            return dict(self._counts)


class FolderCounters:
    """One file for each count, whose size is the number.

    Adding a byte to a file needs no lock, and a process that is killed leaves no half count.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def count(self, what: Counted, number: int = 1) -> None:
        """Add to a count; where that cannot be written, the log has it."""
        if not number:
            return
        try:
            handle = os.open(self._folder / what, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
            try:
                os.write(handle, b"." * number)
            finally:
                os.close(handle)
        except OSError as error:
            log.warning("%s was not counted: %s", what.value, error.strerror)

    def read(self) -> dict[Counted, int]:
        """Every count of every process."""
        return {what: _size(self._folder / what) for what in Counted}


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
