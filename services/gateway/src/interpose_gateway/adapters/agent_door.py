"""What HTTP and the bus share of agents' requests: they take a place like any call, and are finished once begun."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from opentelemetry.context import Context

from interpose.contracts.protocol_error import Error
from interpose_gateway.adapters.door import Door
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.calls import AgentCalls
from interpose_gateway.core.evaluated.told import Told, failed


@dataclass(frozen=True, slots=True)
class AgentDoor:
    """Lets requests in."""

    door: Door
    calls: AgentCalls

    async def evaluate(self, caller: Caller, body: bytes, parent: Context) -> Told:
        """May this call run?"""
        return await self._let_in(lambda: self.calls.evaluate(caller, body, parent))

    async def report(self, caller: Caller, body: bytes, parent: Context) -> Told:
        """What came of it?"""
        return await self._let_in(lambda: self.calls.report(caller, body, parent))

    async def install(self, caller: Caller, body: bytes, parent: Context) -> Told:
        """May this package be installed?"""
        return await self._let_in(lambda: self.calls.install(caller, body, parent))

    async def resolve(self, caller: Caller, body: bytes, parent: Context, identifier: str | None = None) -> Told:
        """What a person said; without an `identifier` the body says about what."""
        return await self._let_in(lambda: self.calls.resolve(caller, identifier, body, parent))

    async def _let_in(self, work: Callable[[], Coroutine[Any, Any, Told]]) -> Told:
        told = await self.door.let_in(work)
        return failed(Error.TOO_MANY, self.door.full) if told is None else told
