"""Calls over the bus, `gateway.call.<client>`: the client's name stands in the subject, held by its permissions.

So do the requests of agents that run their own tools, `gateway.evaluate.<client>` and what follows.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from nats.aio.msg import Msg
from opentelemetry.context import Context

from interpose.bus import headers, subjects
from interpose.bus.responder import Incoming, Outgoing
from interpose.contracts.clients import Scope
from interpose.contracts.protocol_error import Error
from interpose.telemetry import spans
from interpose_gateway.adapters.arriving import lacking
from interpose_gateway.adapters.clients_file import ClientsFile
from interpose_gateway.adapters.door import Door
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.told import Told, failed
from interpose_gateway.core.journey import refuse_at_door


@dataclass(frozen=True, slots=True)
class BusCalls:
    """The handler behind a responder on `gateway.call.*`."""

    door: Door
    clients: ClientsFile

    async def handle(self, request: Incoming) -> Outgoing:
        """The same answer as over HTTP; the status travels in a header."""
        caller = self.clients.by_subject_token(subjects.client_of(request.subject))
        if caller is None:
            reply = refuse_at_door(401, "unknown-client", "this client is not in the clients file")
        elif (lacks := caller.lacks(Scope.CALL)) is not None:
            reply = refuse_at_door(401, "unauthorized", lacks)
        else:
            reply = await self.door.call(caller, request.body, spans.extract(request.headers))
        return Outgoing(reply.answer.to_bytes(), {headers.STATUS: str(reply.status)})


Answer = Callable[[Caller, bytes, Context], Awaitable[Told]]


@dataclass(frozen=True, slots=True)
class BusRequests:
    """The handler behind a responder on one kind of agents' requests, for clients that have one of the scopes."""

    clients: ClientsFile
    answer: Answer
    scopes: tuple[Scope, ...]

    async def handle(self, request: Incoming) -> Outgoing:
        """The same answer as over HTTP; the status travels in a header."""
        told = await self._told(request)
        return Outgoing(told.body.to_bytes(), {headers.STATUS: str(told.status)})

    async def _told(self, request: Incoming) -> Told:
        caller = self.clients.by_subject_token(subjects.client_of(request.subject))
        if caller is None:
            return failed(Error.UNAUTHORIZED, "this client is not in the clients file")
        if (lacks := lacking(caller, *self.scopes)) is not None:
            return failed(Error.UNAUTHORIZED, lacks)
        return await self.answer(caller, request.body, spans.extract(request.headers))


def own_inbox(msg: Msg) -> str:
    """A client may only be answered below its own inbox."""
    return f"{subjects.CLIENT_INBOX}.{subjects.client_of(msg.subject)}"
