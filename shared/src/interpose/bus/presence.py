"""Who is present: asking every worker, or those of one service (NATS micro services protocol, ADR-32).

Presence says who answers now. It never says who must: an absent service is a failure, not an empty list.
"""

import asyncio
from contextlib import suppress
from typing import Any, TypeVar

from nats.aio.client import Client
from nats.aio.msg import Msg
from pydantic import Field, ValidationError

from interpose.bus import headers, subjects
from interpose.contracts.model import Open

WAIT_MS = 300
"""How long to listen: a worker on the same machine answers within a millisecond or two."""


class Present(Open):
    """One worker as it describes itself. `name` is the service's subject token, `instance` the worker's own name."""

    name: str
    id: str
    version: str = ""
    metadata: dict[str, str] = Field(default_factory=dict)

    @property
    def instance(self) -> str:
        """What the worker calls itself in replies and logs."""
        return self.metadata.get("instance", self.id)


class Endpoint(Open):
    """The counts of one endpoint since its worker started; times in ns."""

    name: str = ""
    subject: str = ""
    queue_group: str = ""
    num_requests: int = 0
    num_errors: int = 0
    last_error: str = ""
    processing_time: int = 0
    average_processing_time: int = 0
    data: dict[str, Any] = Field(default_factory=dict)


class Stats(Present):
    """One worker with its counts."""

    started: str = ""
    endpoints: list[Endpoint] = Field(default_factory=list)

    @property
    def requests(self) -> int:
        """Asks answered, with or without an error."""
        return sum(endpoint.num_requests for endpoint in self.endpoints)

    @property
    def errors(self) -> int:
        """Asks answered with a service error."""
        return sum(endpoint.num_errors for endpoint in self.endpoints)


async def ping(client: Client, service: str | None = None, wait_ms: int = WAIT_MS) -> list[Present]:
    """The workers of one service, or all of them, that answered in time; sorted by name and instance."""
    return _sorted(_read(Present, await _ask(client, "PING", service, wait_ms)))


async def info(client: Client, service: str | None = None, wait_ms: int = WAIT_MS) -> list[Present]:
    """The same with what each says of itself at this moment: the revision of a gateway, the manifest of a hook."""
    return _sorted(_read(Present, await _ask(client, "INFO", service, wait_ms)))


async def stats(client: Client, service: str | None = None, wait_ms: int = WAIT_MS) -> list[Stats]:
    """The same with the workers' counts."""
    return _sorted(_read(Stats, await _ask(client, "STATS", service, wait_ms)))


async def tell(client: Client, worker: Present, said: str) -> None:
    """Tell one worker something that its own log shall say. Nobody but the operator may; nothing is answered."""
    await client.publish(subjects.presence_tell(worker.name, worker.id), said.encode(), reply=client.new_inbox())


async def _ask(client: Client, verb: str, service: str | None, wait_ms: int) -> list[bytes]:
    """Every reply within the time. That nobody is there is known at once: the server says so (no responders)."""
    replies: list[bytes] = []
    nobody = asyncio.Event()

    async def receive(msg: Msg) -> None:
        if (msg.headers or {}).get("Status") == headers.BUSY:
            nobody.set()
        else:
            replies.append(msg.data)

    inbox = client.new_inbox()
    subscription = await client.subscribe(inbox, cb=receive)
    try:
        await client.publish(subjects.presence_ask(verb, service), b"", reply=inbox)
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_ms / 1000):
                await nobody.wait()
    finally:
        await subscription.unsubscribe()
    return replies


_P = TypeVar("_P", bound=Present)


def _read(model: type[_P], bodies: list[bytes]) -> list[_P]:
    """Replies that are what the protocol says; a stranger's malformed one is nobody's presence."""
    read: list[_P] = []
    for body in bodies:
        with suppress(ValidationError):
            read.append(model.model_validate_json(body))
    return read


def _sorted(present: list[_P]) -> list[_P]:
    return sorted(present, key=lambda each: (each.name, each.instance))
