"""A gateway that is up, and how it ends."""

import asyncio
import logging
from dataclasses import dataclass

from fastapi import FastAPI

from interpose.bus import connection
from interpose.bus.responder import Responder
from interpose.bus.tasks import end
from interpose_gateway.adapters.door import Door
from interpose_gateway.adapters.http_tools.wire import Wire
from interpose_gateway.adapters.reconcile.running import Reconciling
from interpose_gateway.adapters.recording import StreamRecorder
from interpose_gateway.composition.line import Line
from interpose_gateway.core.shadows import Shadows

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Running:
    """A gateway that is up. `stop` answers what is in, writes what is owed, and closes."""

    application: FastAPI
    door: Door
    recorder: StreamRecorder
    responders: list[Responder]
    wire: Wire
    shadows: Shadows
    lines: tuple[Line, ...]
    watching: asyncio.Task[None]
    reconciling: Reconciling
    drain_s: float

    async def stop(self) -> None:
        """Drain: take no more, finish the calls, write the records, close."""
        await self.reconciling.stop()
        await asyncio.gather(*(responder.drain() for responder in self.responders))
        cut_off = await self.door.drain(self.drain_s)
        await self.shadows.drain(self.drain_s)
        unwritten = await self.recorder.drain(self.drain_s)
        if cut_off or unwritten:
            log.error("stopped with %s calls cut off and %s records unwritten", cut_off, unwritten)
        await end(self.watching)
        await self.wire.close()
        for line in self.lines:
            await connection.close(line.client)
