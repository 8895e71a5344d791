"""What HTTP and the bus share: how many calls may be under way, and that a caller who leaves does not end its call."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar

from opentelemetry.context import Context

from interpose.telemetry import names, spans
from interpose_gateway.adapters.metrics import Metrics
from interpose_gateway.core.answers import Reply
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.journey import Gateway, refuse_at_door

T = TypeVar("T")


@dataclass(slots=True)
class Door:
    """Lets calls in. A call that is in is finished and recorded, whoever still waits for it."""

    gateway: Gateway
    metrics: Metrics
    most_in_flight: int
    _calls: set[asyncio.Task[Any]] = field(default_factory=set)

    @property
    def full(self) -> str:
        """Why nobody is let in."""
        return f"{self.most_in_flight} calls are under way; try again shortly"

    async def call(self, caller: Caller, body: bytes, parent: Context) -> Reply:
        """Answer one call."""
        reply = await self.let_in(lambda: self._traced(caller, body, parent))
        return refuse_at_door(429, "too-many-calls", self.full) if reply is None else reply

    async def let_in(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T | None:
        """Do this to its end, also when whoever waits for it leaves; None when too much is under way."""
        if len(self._calls) >= self.most_in_flight:
            return None
        task = asyncio.create_task(self._count(work()))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        return await asyncio.shield(task)

    async def drain(self, timeout_s: float) -> int:
        """Wait for the calls under way; returns how many were cut off."""
        if self._calls:
            await asyncio.wait(self._calls, timeout=timeout_s)
        return len(self._calls)

    async def _count(self, work: Coroutine[Any, Any, T]) -> T:
        with self.metrics.in_flight.track_inprogress():
            return await work

    async def _traced(self, caller: Caller, body: bytes, parent: Context) -> Reply:
        with spans.start(names.CALL, parent=parent) as span:
            reply = await self.gateway.handle(caller, body, span)
            if reply.status != HTTPStatus.OK:
                spans.keep(span)
            return reply
