"""What HTTP and the bus share: how many calls may be under way, and that a caller who leaves does not end its call."""

import asyncio
from dataclasses import dataclass, field
from http import HTTPStatus

from opentelemetry.context import Context

from interpose.telemetry import names, spans
from interpose_gateway.adapters.metrics import Metrics
from interpose_gateway.core.answers import Reply
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.journey import Gateway, refuse_at_door


@dataclass(slots=True)
class Door:
    """Lets calls in. A call that is in is finished and recorded, whoever still waits for it."""

    gateway: Gateway
    metrics: Metrics
    most_in_flight: int
    _calls: set[asyncio.Task[Reply]] = field(default_factory=set)

    async def call(self, caller: Caller, body: bytes, parent: Context) -> Reply:
        """Answer one call."""
        if len(self._calls) >= self.most_in_flight:
            return refuse_at_door(
                429, "too-many-calls", f"{self.most_in_flight} calls are under way; try again shortly"
            )
        task = asyncio.create_task(self._traced(caller, body, parent))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        return await asyncio.shield(task)

    async def drain(self, timeout_s: float) -> int:
        """Wait for the calls under way; returns how many were cut off."""
        if self._calls:
            await asyncio.wait(self._calls, timeout=timeout_s)
        return len(self._calls)

    async def _traced(self, caller: Caller, body: bytes, parent: Context) -> Reply:
        with self.metrics.in_flight.track_inprogress(), spans.start(names.CALL, parent=parent) as span:
            reply = await self.gateway.handle(caller, body, span)
            if reply.status != HTTPStatus.OK:
                spans.keep(span)
            return reply
