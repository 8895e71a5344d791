"""The scripts that are in force, from the registry on the broker (docs/adr/0015-trust-on-the-bus.md).

An ask tells the revision that its call was planned on. Where that is another one than was read here, or the reading
is old, the leader is asked before anything runs; so a script counts as soon as a gateway plans with it. What nobody
can use leaves the last good scripts, as it leaves the gateways their last good revision.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from nats.aio.client import Client

from interpose.bus import subjects
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners
from interpose.contracts.config import SCRIPT_RUNNER, HookSpec
from interpose.contracts.ids import secret
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Phase
from interpose.errors import BusUnavailable, InvalidInput, NoRegistry
from interpose.registry.version import REQUEST, Version, read_answer
from interpose_script_runner.scripts import Scripts

READ_S = 2.0
FRESH_S = 2.0
"""For how long a reading needs no other: as often as a gateway looks at the least."""
SILENT_S = 0.25
"""For how long a look that told nothing needs no other: asks that wait for it do not look one after another."""

Read = Callable[[float], Awaitable[Replied | NoReply]]
"""Asks the leader for the registry, within so many seconds."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class InForce:
    """One reading at a time, with `read`; without it over the worker's own connection, from `beside` on."""

    read: Read | None = None
    _scripts: Scripts = field(default_factory=lambda: Scripts({}))
    _revision: int = 0
    """Of the scripts; what cannot be used has none."""
    _seen: Version | None = None
    _looked_at: float = float("-inf")
    _ended_at: float = float("-inf")
    _silence: str = ""
    """Why the last look told nothing; empty when it did."""
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def revision(self) -> int:
        """The last good one; 0 before there was any."""
        return self._revision

    @asynccontextmanager
    async def beside(self, client: Client) -> AsyncIterator[None]:
        """Open the inbox. It stays open: what was asked before the end is still answered then."""
        asker = Asker(client, f"{subjects.service_inbox(SCRIPT_RUNNER)}.{secret()}")
        await asker.start(Listeners())
        self.read = partial(asker.ask, subjects.REGISTRY_READ, REQUEST)
        yield

    async def find(self, hook_name: str, phase: Phase, revision: int, within_s: float) -> HookSpec | None:
        """The hook of the newest good document, or None.

        Raises BusUnavailable where nobody tells what is in force, and an ask was planned on what is not known here.
        """
        arrived = asyncio.get_running_loop().time()
        async with self._looking:
            if not self._is_known(revision, arrived):
                await self._look(min(READ_S, within_s))
        if self._silence and revision != self._revision:
            raise BusUnavailable(f"the scripts of revision {revision} are not known here: {self._silence}")
        return self._scripts.find(hook_name, phase)

    def _is_known(self, revision: int, arrived: float) -> bool:
        """Whether the last look is good enough: it began after the ask, or it is fresh and of the ask's revision."""
        now = asyncio.get_running_loop().time()
        if self._looked_at >= arrived:
            return True
        if self._silence:
            return now - self._ended_at <= SILENT_S
        return revision == self._revision and now - self._looked_at <= FRESH_S

    async def _look(self, within_s: float) -> None:
        loop = asyncio.get_running_loop()
        self._looked_at = loop.time()
        try:
            version = await self._read_version(within_s)
        except BusUnavailable as error:
            self._silence = str(error)
        else:
            self._silence = ""
            self._take(version)
        self._ended_at = loop.time()

    async def _read_version(self, within_s: float) -> Version:
        if self.read is None:
            raise BusUnavailable("the registry is read over the worker's connection, and there is none yet")
        reply = await self.read(within_s)
        if isinstance(reply, NoReply):
            raise BusUnavailable(f"the broker does not tell what is in force ({reply.detail})")
        return read_answer(reply.body)

    def _take(self, version: Version) -> None:
        if version == self._seen:
            return
        self._seen = version
        try:
            self._scripts, self._revision = Scripts.of(version.document()), version.revision
        except (NoRegistry, InvalidInput) as error:
            _log.error("the scripts of revision %s stay in force: %s", self._revision, error)
        else:
            _log.info("the scripts of revision %s are in force", self._revision)
