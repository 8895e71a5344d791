"""Reports that the gateway does not have yet, on disk before they are first sent: one file each, in the bytes to send.

A file's name tells when it was written, and its time of modification when it is to be sent next. Whoever sends it holds
a lock on it, so several processes may share the folder; a report that two of them send all the same is one to the
gateway, because the bytes are the same.
"""

import os
from collections.abc import Callable
from pathlib import Path

from interpose.report import folder, log
from interpose.report.counters import Counted, Counters

MOST_FILES = 1_000
LONGEST_MS = 60 * 60 * 1000
"""An hour. The gateway closes an evaluation after ten minutes, as soon as it is there again."""
_SUFFIX = ".json"
_NS_OF_MS = 1_000_000


class Parcel:
    """One report, held by nobody else until it is closed. `path` None: it could not be written, and dies with us."""

    def __init__(self, body: bytes, written_ms: int, path: Path | None = None, handle: int | None = None) -> None:
        self.body = body
        self.written_ms = written_ms
        self.path = path
        self._handle = handle

    @property
    def is_kept(self) -> bool:
        """Whether it is there when this process is not."""
        return self.path is not None

    def postpone(self, due_ms: int) -> None:
        """Nobody sends it before that time. Raises OSError."""
        if self._handle is not None:
            os.utime(self._handle, ns=(due_ms * _NS_OF_MS, due_ms * _NS_OF_MS))

    def remove(self) -> None:
        """It has arrived, or never will."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Let somebody else have it."""
        if self._handle is not None:
            folder.let_go(self._handle)
            self._handle = None


class Outbox:
    """The folder. Nothing in it is ever changed but a file's time."""

    def __init__(
        self,
        path: Path,
        counters: Counters,
        now_ms: Callable[[], int],
        most_files: int = MOST_FILES,
        longest_ms: int = LONGEST_MS,
    ) -> None:
        self._path = path
        self._counters = counters
        self._now_ms = now_ms
        self._most_files = most_files
        self._longest_ms = longest_ms

    def put(self, body: bytes) -> Parcel:
        """Keep a report; it is on the disk when this returns. One that cannot be kept can still be sent."""
        now_ms = self._now_ms()
        try:
            self._make_room(now_ms)
            return self._write(body, now_ms)
        except OSError as error:
            log.error("a report cannot be kept in %s: %s", self._path, error.strerror)
            return Parcel(body, now_ms)

    def waiting(self) -> list[Path]:
        """Every report, the oldest first. Raises OSError."""
        return sorted(found for found in self._path.iterdir() if found.suffix == _SUFFIX)

    def due_ms(self, path: Path) -> int | None:
        """When it is to be sent; None where it is gone."""
        try:
            return path.stat().st_mtime_ns // _NS_OF_MS
        except FileNotFoundError:
            return None

    def open(self, path: Path) -> Parcel | None:
        """Take a report; None where it is gone, or another has it. One that is too old is dropped. Raises OSError."""
        try:
            handle = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            return None
        if not folder.try_lock(handle) or os.fstat(handle).st_nlink == 0:
            os.close(handle)
            return None
        parcel = Parcel(_read(handle), _written_ms(path), path, handle)
        if self._now_ms() - parcel.written_ms <= self._longest_ms:
            return parcel
        self._drop(parcel, Counted.EXPIRED, "it waited too long for the gateway")
        return None

    def _write(self, body: bytes, now_ms: int) -> Parcel:
        path = self._path / f"{now_ms:014d}-{os.urandom(8).hex()}{_SUFFIX}"
        draft = path.with_suffix(".draft")
        handle = folder.write_new(draft, body)
        try:
            folder.try_lock(handle)
            os.fsync(handle)
            draft.rename(path)
            folder.synchronise(self._path)
        except OSError:
            os.close(handle)
            draft.unlink(missing_ok=True)
            raise
        return Parcel(body, now_ms, path, handle)

    def _make_room(self, now_ms: int) -> None:
        """Drop the oldest where there are too many, and what a killed writer left behind."""
        found = sorted(self._path.iterdir())
        for path in found:
            if path.suffix != _SUFFIX and now_ms - _written_ms(path) > self._longest_ms:
                path.unlink(missing_ok=True)
        kept = [path for path in found if path.suffix == _SUFFIX]
        for path in kept[: max(0, len(kept) - self._most_files + 1)]:
            parcel = self.open(path)
            if parcel is not None:
                self._drop(parcel, Counted.DROPPED, f"more than {self._most_files} reports wait")

    def _drop(self, parcel: Parcel, why: Counted, reason: str) -> None:
        log.error("a report was dropped: %s", reason)
        self._counters.count(why)
        parcel.remove()


def _read(handle: int) -> bytes:
    with os.fdopen(os.dup(handle), "rb") as file:
        return file.read()


def _written_ms(path: Path) -> int:
    """A file that is not named by us counts as new: it is none of ours to drop."""
    digits = path.name.partition("-")[0]
    return int(digits) if digits.isascii() and digits.isdigit() else 2**62
