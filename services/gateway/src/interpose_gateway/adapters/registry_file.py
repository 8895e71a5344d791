"""The registry from one configuration file. The last good revision stays in force; with none every call is refused.

The file is looked at every second. A revision counts as confirmed while that looking goes on: should it ever stop,
the gateway stops planning instead of enforcing rules that nobody knows to be current.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from interpose.config.load import Loaded, load
from interpose.errors import ConfigurationError
from interpose_gateway.adapters.schemas import compile_schemas
from interpose_gateway.core.registry import Revision

LOOK_S = 1.0
CONFIRMED_FOR_S = 10.0

log = logging.getLogger(__name__)

Print = tuple[int, int, int]
"""A file's modification time, size and inode: what tells that it was written anew."""


@dataclass(slots=True)
class FileRegistry:
    """The revision in force. `on_fault` hears when a new file refuses."""

    path: Path | None
    on_fault: Callable[[str], None]
    now: Callable[[], float] = time.monotonic
    _revision: Revision | None = None
    _seen: Print | None = None
    _looked_at: float = field(default=float("-inf"))
    _trouble: str = "no configuration was read yet"

    def confirmed(self) -> Revision | None:
        """The revision, while it is confirmed."""
        return self._revision if self.now() - self._looked_at <= CONFIRMED_FOR_S else None

    def trouble(self) -> str:
        """Why there is none."""
        if self._revision is not None and self.confirmed() is None:
            return "the configuration was not looked at for 10 s; the gateway is overloaded or broken, restart it"
        return f"no configuration is in force, so every call is refused: {self._trouble}"

    async def watch(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            self.look()

    def look(self) -> None:
        """Read the file when it changed. Never raises: what is wrong is told and the last good revision stays."""
        if self.path is None:
            self._trouble = "no interpose.json or interpose.yaml was found; write one, or name it with --config"
        else:
            self._look_at(self.path)
        self._looked_at = self.now()

    def _look_at(self, path: Path) -> None:
        seen = _print(path)
        if seen == self._seen and seen is not None:
            return
        try:
            self._apply(load(path))
            self._trouble = ""  # mended: the same fault is news when it comes back
        except ConfigurationError as error:
            if seen != self._seen or self._revision is None:
                self._refuse(str(error))
        self._seen = seen

    def _apply(self, loaded: Loaded) -> None:
        if self._revision is not None and self._revision.digest == loaded.digest:
            return
        number = 1 if self._revision is None else self._revision.number + 1
        schemas = compile_schemas(loaded.configuration.tools)
        self._revision = Revision.of(number, loaded.digest, loaded.configuration, schemas)
        log.info("revision %s of %s is in force: %s hooks", number, loaded.path, len(self._revision.entries))
        for warning in loaded.warnings:
            log.warning("%s", warning)

    def _refuse(self, trouble: str) -> None:
        kept = "" if self._revision is None else f" Revision {self._revision.number} stays in force."
        if trouble != self._trouble:
            log.error("the configuration refuses:%s\n%s", kept, trouble)
            self.on_fault(trouble)
        self._trouble = trouble


def _print(path: Path) -> Print | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
