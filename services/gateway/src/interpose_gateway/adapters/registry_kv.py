"""The registry from the KV bucket. The last good revision stays in force; with none every call is refused.

The bell is a plain subscription on the key and only a hint: after a crash of the broker it may be deaf without an
error. So the leader is asked every second, after each bell and after each reconnect, and nothing is planned on a
revision that it did not confirm within 10 s, counted from the moment of asking.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from nats.aio.client import Client
from nats.aio.msg import Msg

from interpose.bus import subjects
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners, settle
from interpose.contracts.reply import NoReply
from interpose.errors import InterposeError, NoRegistry
from interpose.registry.version import REQUEST, Version, read_answer, read_document
from interpose_gateway.adapters.schemas import compile_schemas
from interpose_gateway.core.registry import Revision

LOOK_S = 1.0
READ_S = 1.0
AFTER_BELL_S = 0.1
"""The bell may ring before the document is stored: then it is found at this second look."""
CONFIRMED_FOR_S = 10.0
NEVER_READ = "the registry was not read yet"

log = logging.getLogger(__name__)


@dataclass(slots=True)
class KvRegistry:
    """The revision in force, read with one connection's asker. `on_fault` hears when what stands there is unusable."""

    asker: Asker
    on_fault: Callable[[str], None]
    now: Callable[[], float] = time.monotonic
    _revision: Revision | None = None
    _seen: Version | None = None
    _confirmed_at: float = field(default=float("-inf"))
    _trouble: str = NEVER_READ
    _silence: str = NEVER_READ
    """Why the last look told nothing; empty when it did."""
    _bell: asyncio.Event = field(default_factory=asyncio.Event)

    def confirmed(self) -> Revision | None:
        """The revision, while it is confirmed."""
        return self._revision if self.now() - self._confirmed_at <= CONFIRMED_FOR_S else None

    def trouble(self) -> str:
        """Why there is none."""
        if self._revision is None:
            return f"no configuration is in force, so every call is refused: {self._silence or self._trouble}"
        silence = self._silence or "the gateway is overloaded or broken, restart it"
        return (
            f"revision {self._revision.number} was not confirmed for {CONFIRMED_FOR_S:g} s, so every call is refused:"
            f" {silence}; look at the broker with `interpose status`"
        )

    async def start(self, client: Client, listeners: Listeners) -> None:
        """Hang up the bell and look for the first time."""
        listeners.reconnected.append(self._ring)
        await client.subscribe(subjects.REGISTRY_KEY, cb=self._ring)
        await settle(client)
        await self.look()

    async def watch(self) -> None:
        """Look until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._bell.wait()
            has_rung = self._bell.is_set()
            self._bell.clear()
            if not await self.look() and has_rung:
                await asyncio.sleep(AFTER_BELL_S)
                await self.look()

    async def look(self) -> bool:
        """Ask for what stands there; True when something new does.

        Never raises: what is wrong is told, and the last good revision stays.
        """
        asked_at = self.now()
        reply = await self.asker.ask(subjects.REGISTRY_READ, REQUEST, READ_S)
        if isinstance(reply, NoReply):
            self._silence = f"the broker does not tell what is in force ({reply.detail})"
            return False
        try:
            version = read_answer(reply.body)
        except InterposeError as error:
            self._silence = str(error)
            return False
        self._silence, is_new = "", version != self._seen
        if is_new:
            self._take(version)
        # Only now: whatever is planned from here on knows what stood there when we asked.
        self._seen, self._confirmed_at = version, asked_at
        return is_new

    async def _ring(self, _msg: Msg | None = None) -> None:
        self._bell.set()

    def _take(self, version: Version) -> None:
        try:
            if version.data is None:
                raise NoRegistry(version.absence)
            self._apply(version.revision, version.data)
            self._trouble = ""
        except InterposeError as error:
            self._refuse(version, str(error))

    def _apply(self, number: int, data: bytes) -> None:
        document, configuration = read_document(data)
        schemas = compile_schemas(configuration.tools)
        origins = {entry.hook.name: f"the {entry.owner} ({entry.source})" for entry in document.entries}
        self._revision = Revision.of(number, document.digest, configuration, schemas, origins)
        log.info("revision %s is in force: %s hooks", number, len(self._revision.entries))

    def _refuse(self, version: Version, trouble: str) -> None:
        kept = "" if self._revision is None else f"; revision {self._revision.number} stays in force"
        self._trouble = f"{trouble}{kept}. Put a good one in force with `interpose hooks apply FILE`, or go back with \
`interpose hooks rollback`"
        log.error("revision %s of the registry cannot be used: %s", version.revision, self._trouble)
        self.on_fault(self._trouble)
