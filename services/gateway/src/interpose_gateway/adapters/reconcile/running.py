"""The reconciler's loops, on a connection of its own: one gateway works, the others wait for its lease to end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from interpose.bus.tasks import end
from interpose_gateway.adapters.reconcile.lease import RENEWALS, KvLease
from interpose_gateway.adapters.reconcile.marks import KvMarks, KvStarts
from interpose_gateway.adapters.reconcile.stream import CallRecords
from interpose_gateway.adapters.reconcile.tally import ClosingTally
from interpose_gateway.core.evaluated.ports import Unavailable
from interpose_gateway.core.reconcile.closer import Closer, Means
from interpose_gateway.core.reconcile.following import Follower
from interpose_gateway.core.reconcile.ledger import Ledger
from interpose_gateway.core.reconcile.opening import Terms
from interpose_gateway.core.reconcile.ports import Marks
from interpose_gateway.core.reconcile.watching import Expiry, Sweep

LOOK_S = 1.0
FOLLOW_PAUSE_S = 0.01
SWEEP_PAUSE_S = 0.1
"""Sweeping reads every record once: at most 2 MiB, or one large record, and then this long nothing."""

Look = Callable[[], Awaitable[None]]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Places:
    """Where the records and the marks of both kinds of call are."""

    agents: CallRecords
    gateways: CallRecords
    reconciled: KvMarks
    swept: KvMarks
    starts: KvStarts


@dataclass(slots=True)
class Reconciling:
    """Runs until stopped; never raises."""

    places: Places
    lease: KvLease
    means: Means
    terms: Terms
    tally: ClosingTally
    _running: asyncio.Task[None] | None = None
    _last_said: str = ""

    def start(self) -> None:
        """Begin, in the background."""
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End, and leave the work to another gateway. A call that is being closed just now is looked at by that one."""
        if self._running is not None:
            await end(self._running)
            await self.lease.let_go()

    async def _run(self) -> None:
        while True:
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self.lease.keep())
                    group.create_task(self._tell_start())
                    group.create_task(self._work())
            except Exception as error:
                # The one broad catch: without it a fault in here would end all reconciling, and nobody would know.
                log.exception("reconciling broke and begins again")
                self.tally.alarm("gateway-error", f"reconciling broke: {type(error).__name__}")
            await asyncio.sleep(LOOK_S)

    async def _tell_start(self) -> None:
        while True:
            try:
                return await self.places.starts.tell(self.lease.instance)
            except Unavailable as error:
                self._say(error)
            await asyncio.sleep(LOOK_S)

    async def _work(self) -> None:
        while True:
            if self.lease.left_s() > 0:
                await self._term()
            await asyncio.sleep(LOOK_S)

    async def _term(self) -> None:
        """As long as the lease is ours; what was read is forgotten with it."""
        try:
            agents = await self._follower(self.places.agents, self.places.reconciled, FOLLOW_PAUSE_S)
            gateways = await self._follower(self.places.gateways, self.places.swept, SWEEP_PAUSE_S)
        except Unavailable as error:
            self._say(error)
            return
        means, lease, tally = self.means, self.lease, self.tally
        expiry = Expiry(agents, Closer(means, agents, lease), means.clock, tally)
        sweep = Sweep(gateways, Closer(means, gateways, lease), means.clock, self.places.starts.seen)
        mark_s = lease.lease_s / RENEWALS
        tally.begin(lambda: len(agents.ledger))
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._while_ours(expiry.look, LOOK_S))
                group.create_task(self._while_ours(sweep.look, LOOK_S))
                group.create_task(self._while_ours(_marking(agents, self.places.reconciled), mark_s))
                group.create_task(self._while_ours(_marking(gateways, self.places.swept), mark_s))
        finally:
            tally.end()

    async def _while_ours(self, look: Look, pause_s: float) -> None:
        while self.lease.left_s() > 0:
            try:
                await look()
            except Unavailable as error:
                self._say(error)
            await asyncio.sleep(pause_s)

    async def _follower(self, records: CallRecords, marks: Marks, pause_s: float) -> Follower:
        async def pause() -> None:
            await asyncio.sleep(pause_s)
            if self.lease.left_s() <= 0:
                raise Unavailable("another gateway may be the reconciler now")

        return Follower(records, Ledger(self.terms, ahead=await marks.read()), pause)

    def _say(self, error: Unavailable) -> None:
        # A broker that is away says the same every second: once is enough.
        if str(error) != self._last_said:
            self._last_said = str(error)
            log.warning("reconciling waits: %s", error)


def _marking(follower: Follower, marks: Marks) -> Look:
    kept = follower.ledger.mark

    async def mark() -> None:
        nonlocal kept
        if (now := follower.ledger.mark) != kept:
            await marks.write(now)
            kept = now

    return mark
