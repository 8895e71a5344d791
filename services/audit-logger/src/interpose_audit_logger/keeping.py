"""From the stream into the store: take, store, and only then acknowledge.

A process that is killed between storing and acknowledging gets the same records again and finds them stored. A store
that cannot be written keeps its records unacknowledged; they are tried again for as long as the process lives, and
delivered again to the next one.
"""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from nats.aio.client import Client
from nats.errors import Error as NatsError

from interpose.errors import StoreUnavailable
from interpose.records.store import Store
from interpose_audit_logger.progress import Progress
from interpose_audit_logger.taking import NothingTaken, Taken, Taker

WAITS_S = (0.2, 0.5, 1.0, 2.0, 5.0)
"""How long to wait after the first, the second… failure in a row."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Keeper:
    """Keeps one store at one with the stream. One per process; other processes may write to the same store."""

    store: Store
    progress: Progress

    @asynccontextmanager
    async def keeping(self, client: Client) -> AsyncIterator[None]:
        """Keep, for as long as this is open. On leaving, the batch at hand is stored where that is possible."""
        self.progress.through = await asyncio.to_thread(self.store.through)
        taker, told = Taker(client), asyncio.Event()
        await taker.start()
        work = asyncio.create_task(self._keep(taker, told))
        work.add_done_callback(_end_if_broken)
        try:
            yield
        finally:
            told.set()
            await taker.stop()
            await asyncio.wait({work})

    async def _keep(self, taker: Taker, told: asyncio.Event) -> None:
        fails = 0
        while not told.is_set():
            try:
                taken = await taker.batch()
            except NothingTaken as error:
                self._tell_trouble(str(error))
                await _pause(told, fails)
                fails += 1
                continue
            fails = 0
            if not taken:
                self._tell_well()
            elif await self._store(taken, told):
                with suppress(NatsError, OSError):  # not heard = delivered again, and known then
                    await taker.acknowledge(taken)

    async def _store(self, taken: list[Taken], told: asyncio.Event) -> bool:
        """Store a batch, however long that takes; False when the process is to end before it could."""
        fails = 0
        while True:
            try:
                added = await asyncio.to_thread(self.store.add, [each.stored for each in taken])
            except StoreUnavailable as error:
                self._tell_trouble(str(error))
                if told.is_set():
                    return False
                await _pause(told, fails)
                fails += 1
                continue
            self._tell_well()
            for note in added.notes:
                log.error("%s", note)
            self.progress.through = max(self.progress.through, *(each.stored.sequence for each in taken))
            self.progress.waiting = taken[-1].waiting
            return True

    def _tell_trouble(self, said: str) -> None:
        if said != self.progress.trouble:
            log.error("nothing is stored: %s", said)
        self.progress.trouble = said

    def _tell_well(self) -> None:
        if self.progress.trouble is not None:
            log.warning("records are stored again, after: %s", self.progress.trouble)
        self.progress.trouble = None


async def _pause(told: asyncio.Event, fails: int) -> None:
    """Wait before the next attempt, or until the process is to end."""
    with suppress(TimeoutError):
        async with asyncio.timeout(WAITS_S[min(fails, len(WAITS_S) - 1)]):
            await told.wait()


def _end_if_broken(work: asyncio.Task[None]) -> None:
    """A worker that answers and stores nothing would look well: end it, and whoever supervises it starts another."""
    error = None if work.cancelled() else work.exception()
    if error is not None:
        log.critical("the keeper broke; this process ends", exc_info=error)
        signal.raise_signal(signal.SIGTERM)
