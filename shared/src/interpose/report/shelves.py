"""Where reservations lie: in memory for an agent that lives as long as its calls, in a folder for command shims.

A shim's before and after are two processes, so what the one reserves the other must find.
"""

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Lock

from interpose.report import folder, forking, log
from interpose.report.claims import Reservation

PATIENCE_MS = 1_000
"""How long another process may hold the folder; what it does there takes less than a millisecond."""
_LOCK, _DRAFT = "lock", "draft"
_SUFFIX = ".json"


class MemoryShelf:
    """The reservations of one process."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._held: dict[str, tuple[int, list[Reservation]]] = {}
        self.begin_afresh()
        forking.remember(self)

    def begin_afresh(self) -> None:
        """With a lock that nobody holds."""
        self._lock = Lock()

    def held(self) -> AbstractContextManager[object]:
        """One thread at a time."""
        return self._lock

    def get(self, name: str) -> list[Reservation]:
        """What lies there."""
        return self._held.get(name, (0, []))[1]

    def put(self, name: str, reservations: list[Reservation]) -> None:
        """Lay these there."""
        if reservations:
            self._held[name] = (self._now_ms(), reservations)
        else:
            self._held.pop(name, None)

    def written_before(self, time_ms: int) -> Iterable[str]:
        """The names of what lies there for longer."""
        return [name for name, (written_ms, _) in self._held.items() if written_ms < time_ms]


class FolderShelf:
    """One small file for each place, readable by their owner alone, and a lock that dies with its holder.

    Nothing is synchronised with the disk: a machine that stopped has no call under way.
    """

    def __init__(self, path: Path, patience_ms: int = PATIENCE_MS) -> None:
        self._path = path
        self._patience_ms = patience_ms

    def held(self) -> AbstractContextManager[object]:
        """One thread of one process at a time. Raises OSError."""
        return folder.locked(self._path / _LOCK, self._patience_ms)

    def get(self, name: str) -> list[Reservation]:
        """What lies there."""
        try:
            data = self._file(name).read_bytes()
        except FileNotFoundError:
            return []
        try:
            return [_reservation(*fields) for fields in json.loads(data)]
        except (ValueError, TypeError):
            log.error("reservations in %s cannot be read and are taken away", self._path)
            self.put(name, [])
            return []

    def put(self, name: str, reservations: list[Reservation]) -> None:
        """Lay these there, whole. Only the lock's holder writes, so one draft is enough."""
        if not reservations:
            self._file(name).unlink(missing_ok=True)
            return
        draft = self._path / _DRAFT
        folder.write_over(draft, json.dumps(reservations).encode())
        draft.replace(self._file(name))

    def written_before(self, time_ms: int) -> Iterable[str]:
        """The names of the files that are older."""
        files = [found for found in self._path.iterdir() if found.suffix == _SUFFIX]
        return [found.stem for found in files if found.stat().st_mtime_ns < time_ms * 1_000_000]

    def _file(self, name: str) -> Path:
        return self._path / f"{name}{_SUFFIX}"


def _reservation(*fields: object) -> Reservation:
    """What was written. Raises TypeError for anything else."""
    ticket, until_ms, *names = fields
    if not isinstance(until_ms, int) or not all(isinstance(text, str) for text in (ticket, *names)):
        raise TypeError("no reservation")
    return Reservation(*fields)  # type: ignore[arg-type]  # checked above
