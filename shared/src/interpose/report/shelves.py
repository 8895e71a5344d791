"""Where reservations lie: in memory for an agent that lives as long as its calls, in a folder for command shims.

A shim's before and after are two processes, so what the one reserves the other must find.
"""

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Lock

from interpose.report import folder, log
from interpose.report.claims import Reservation

PATIENCE_MS = 1_000
"""How long another process may hold the folder; what it does there takes less than a millisecond."""
_LOCK, _DRAFT = "lock", "draft"
_SUFFIX = ".json"


class MemoryShelf:
    """The reservations of one process."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._lock = Lock()
        self._now_ms = now_ms
        self._held: dict[str, tuple[int, Reservation]] = {}

    def held(self) -> AbstractContextManager[object]:
        """One thread at a time."""
        return self._lock

    def get(self, name: str) -> Reservation | None:
        """What lies there."""
        return self._held.get(name, (0, None))[1]

    def put(self, name: str, reservation: Reservation) -> None:
        """Lay it there."""
        self._held[name] = (self._now_ms(), reservation)

    def remove(self, name: str) -> None:
        """Take it away."""
        self._held.pop(name, None)

    def written_before(self, time_ms: int) -> Iterable[str]:
        """The names of what lies there for longer."""
        return [name for name, (written_ms, _) in self._held.items() if written_ms < time_ms]


class FolderShelf:
    """One small file for each reservation, readable by their owner alone, and a lock that dies with its holder.

    Nothing is synchronised with the disk: a machine that stopped has no call under way.
    """

    def __init__(self, path: Path, patience_ms: int = PATIENCE_MS) -> None:
        self._path = path
        self._patience_ms = patience_ms

    def held(self) -> AbstractContextManager[object]:
        """One thread of one process at a time. Raises OSError."""
        return folder.locked(self._path / _LOCK, self._patience_ms)

    def get(self, name: str) -> Reservation | None:
        """What lies there."""
        try:
            data = self._file(name).read_bytes()
        except FileNotFoundError:
            return None
        try:
            ticket, tool, until_ms, evaluation_id, approval_id = json.loads(data)
            return Reservation(str(ticket), str(tool), int(until_ms), str(evaluation_id), str(approval_id))
        except (ValueError, TypeError):
            log.error("a reservation in %s cannot be read and is taken away", self._path)
            self.remove(name)
            return None

    def put(self, name: str, reservation: Reservation) -> None:
        """Lay it there, whole. Only the lock's holder writes, so one draft is enough."""
        draft = self._path / _DRAFT
        folder.write_over(draft, json.dumps(reservation).encode())
        draft.replace(self._file(name))

    def remove(self, name: str) -> None:
        """Take it away."""
        self._file(name).unlink(missing_ok=True)

    def written_before(self, time_ms: int) -> Iterable[str]:
        """The names of the files that are older."""
        files = [found for found in self._path.iterdir() if found.suffix == _SUFFIX]
        return [found.stem for found in files if found.stat().st_mtime_ns < time_ms * 1_000_000]

    def _file(self, name: str) -> Path:
        return self._path / f"{name}{_SUFFIX}"
