"""The bus in memory: attach hooks and tools, ask them, and get what the real bus would bring, without a broker.

Requests take the way they take in production, as bytes through the worker's own handler, and every failure is there:
nobody attached, too slow, broken, too large, not permitted, connection lost. What is not: users and permissions,
streams, a network. For those a test runs a real server.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from interpose.bus import headers, replies, subjects
from interpose.bus.responder import (
    DEFAULT_TIMEOUT_S,
    Incoming,
    Outgoing,
    ServiceError,
    attempt,
    receive,
    refusal,
    signed,
)
from interpose.contracts.ask import Ask
from interpose.contracts.digest import encode
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Phase
from interpose.embedded.nats_config import MAX_PAYLOAD_BYTES
from interpose.hook.worker import Endpoint
from interpose.telemetry import spans

Answer = asyncio.Future[Replied | NoReply]


class Serving(Protocol):
    """Whatever answers on one subject: a `Hook`, a `Tool`, a service of yours."""

    def endpoint(self) -> Endpoint:
        """Where and how it is served."""
        ...


@dataclass(slots=True)
class MemoryBus:
    """Any number of requests at once. Workers of one queue group take turns, beginning with the first attached."""

    _workers: list[tuple[Endpoint, str]] = field(default_factory=list)
    _forbidden: set[str] = field(default_factory=set)
    _waiting: set[Answer] = field(default_factory=set)
    _at_work: set[asyncio.Task[None]] = field(default_factory=set)
    _is_connected: bool = True

    def attach(self, serving: Serving, worker: str | None = None) -> Endpoint:
        """Start a worker under its own name; attach again and a second one shares the load."""
        endpoint = serving.endpoint()
        self._workers.append((endpoint, worker or f"{endpoint.name}-{len(self._workers) + 1}"))
        return endpoint

    def detach(self, name: str) -> None:
        """Stop every worker of a service or tool. What they were asked before, they still answer."""
        self._workers = [worker for worker in self._workers if worker[0].name != name]

    def forbid(self, service: str) -> None:
        """From now on the asker may not ask this service."""
        self._forbidden |= {subjects.ask(phase, service) for phase in Phase}

    def disconnect(self) -> None:
        """Lose the broker: whoever waits is told at once, and nothing can be sent until `reconnect`."""
        self._is_connected = False
        for answer in self._waiting:
            if not answer.done():
                answer.set_result(replies.connection_lost())

    def reconnect(self) -> None:
        """The broker is back, and with it every worker."""
        self._is_connected = True

    async def ask(
        self, service: str, ask: Ask, *, timeout_s: float = 5.0, extra: Mapping[str, str] | None = None
    ) -> Replied | NoReply:
        """Ask a hook service. Never raises for what it does or does not do."""
        return await self.request(subjects.ask(ask.phase, service), encode(ask.to_wire()), timeout_s, extra)

    async def request(
        self, subject: str, body: bytes, timeout_s: float, extra: Mapping[str, str] | None = None
    ) -> Replied | NoReply:
        """Send bytes to a subject and wait, as `interpose.bus.asker.Asker` does. `extra` headers win over the usual."""
        if not self._is_connected:
            return replies.not_sent("the bus is disconnected")
        if len(body) > MAX_PAYLOAD_BYTES:
            return replies.not_sent("maximum payload exceeded", too_large=True)
        if subject in self._forbidden:
            return replies.not_permitted()
        found = self._next_worker(subject)
        if found is None:
            return replies.nobody_there()
        sent = {headers.VERSION: headers.WIRE_VERSION, headers.TIMEOUT_MS: str(max(1, int(timeout_s * 1000)))}
        request = receive(subject, body, spans.inject(sent | dict(extra or {})), DEFAULT_TIMEOUT_S)
        return await self._answered(found, request, timeout_s)

    async def _answered(self, worker: tuple[Endpoint, str], request: Incoming, timeout_s: float) -> Replied | NoReply:
        answer: Answer = asyncio.get_running_loop().create_future()
        # A task of its own: a worker goes on after its asker gave up.
        task = asyncio.create_task(_serve(worker, request, answer))
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        self._waiting.add(answer)
        try:
            async with asyncio.timeout(timeout_s):
                return await answer
        except TimeoutError:
            return replies.not_in_time(timeout_s)
        finally:
            self._waiting.discard(answer)

    def _next_worker(self, subject: str) -> tuple[Endpoint, str] | None:
        found = next((worker for worker in self._workers if _hears(worker[0].subject, subject)), None)
        if found is not None:
            # To the end of the line: the next request goes to the next worker of the group.
            self._workers.remove(found)
            self._workers.append(found)
        return found


async def _serve(worker: tuple[Endpoint, str], request: Incoming, answer: Answer) -> None:
    endpoint, name = worker
    reply = await attempt(endpoint.handle, request)
    if isinstance(reply, Outgoing) and len(reply.body) > MAX_PAYLOAD_BYTES:
        reply = ServiceError(headers.BROKE, "the answer could not be sent: maximum payload exceeded")
    told = refusal(reply) if isinstance(reply, ServiceError) else reply
    if not answer.done():
        answer.set_result(replies.read_reply(signed(told, name), told.body))


def _hears(pattern: str, subject: str) -> bool:
    heard, said = pattern.split("."), subject.split(".")
    return len(heard) == len(said) and all(token in ("*", other) for token, other in zip(heard, said, strict=True))
