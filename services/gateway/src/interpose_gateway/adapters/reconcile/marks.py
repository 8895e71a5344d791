"""How far all is closed, and that a gateway has started: keys of the bucket `CALLS` without an end."""

import logging
from dataclasses import dataclass

from interpose.bus import subjects
from interpose_gateway.adapters.keys import Keys

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KvMarks:
    """The core's `Marks`, under one key."""

    keys: Keys
    key: str

    async def read(self) -> int:
        """The place; the stream's beginning where none was kept, or nobody can read it. Raises Unavailable."""
        found = await self.keys.read(self.key)
        if found is None:
            return 1
        if not found.data.isdigit():
            log.error("the mark %s says %r, so all records are read again", self.key, found.data[:40])
            return 1
        return max(1, int(found.data))

    async def write(self, start: int) -> None:
        """Keep it, whatever stands there. Raises Unavailable."""
        await self.keys.write(self.key, str(start).encode(), after=None)


@dataclass(frozen=True, slots=True)
class KvStarts:
    """What the key says is of no account: each writing of it is another start."""

    keys: Keys

    async def tell(self, instance: str) -> None:
        """This gateway has started. Raises Unavailable."""
        await self.keys.write(subjects.SWEEP, instance.encode(), after=None)

    async def seen(self) -> int:
        """The key's revision; 0 where none ever started. Raises Unavailable."""
        found = await self.keys.read(subjects.SWEEP)
        return 0 if found is None else found.revision
