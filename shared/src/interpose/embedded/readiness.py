"""When a process is ready: the broker takes us and holds the stream, a worker answers our ping, the gateway says so."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress

from nats.aio.client import Client
from nats.errors import Error as NatsError

from interpose.bus import connection, presence
from interpose.client.http import Gateway
from interpose.embedded import operator, stream
from interpose.embedded.home import Home
from interpose.embedded.programs import Program, Stage
from interpose.errors import BusUnavailable, GatewayUnreachable

_LOOK_S = 0.1
_PING_MS = 200


class Probes:
    """Asks each process of a home whether it is ready. Holds the operator's connection; close it at the end."""

    def __init__(self, home: Home, gateway: Gateway, connect_timeout_ms: int) -> None:
        self._home = home
        self._connect_timeout_ms = connect_timeout_ms
        self._gateway = gateway
        self._client: Client | None = None

    @property
    def client(self) -> Client:
        """The operator's connection. Raises BusUnavailable before the broker was ready once."""
        if self._client is None:
            raise BusUnavailable("the broker was not ready yet")
        return self._client

    async def ready(self, program: Program) -> str | None:
        """Return when it is ready; the sentence is a warning for people. Bound it in time from outside."""
        match program.stage:
            case Stage.BROKER:
                await self.open()
            case Stage.SERVICES | Stage.WORKERS:
                await self._worker(program)
            case Stage.GATEWAY:
                return await self._listening(program.environment["INTERPOSE_INSTANCE"])
        return None

    async def open(self) -> None:
        """Connect as the operator, or wait until the connection is back, and see to the stream of records."""
        if self._client is None:
            self._client = await operator.connect(self._home, self._connect_timeout_ms)
        while not await self._holds_records(self._client):  # noqa: ASYNC110 - the broker is asked, it tells nothing
            await asyncio.sleep(_LOOK_S)

    async def _holds_records(self, client: Client) -> bool:
        """False while a broker that comes back does not answer yet. Raises BusUnavailable when it refuses."""
        try:
            await stream.ensure(client)
        except NatsError:
            return False
        return True

    async def absent(self, services: Iterable[str]) -> list[str]:
        """Those of these services for which nobody answers now."""
        return [name for name in services if not await presence.ping(self.client, name, _PING_MS)]

    async def close(self) -> None:
        """Close the operator's connection."""
        if self._client is not None:
            await connection.close(self._client)

    async def _worker(self, program: Program) -> None:
        """A file's service is known only to its own process, so there everybody is asked for the instance's name."""
        wanted = program.environment["INTERPOSE_INSTANCE"]
        while True:
            with suppress(NatsError):  # the broker is away; it is asked again
                present = await presence.ping(self.client, program.service, _PING_MS)
                if any(each.instance == wanted for each in present):
                    return
            await asyncio.sleep(_LOOK_S)

    async def _listening(self, instance: str) -> str | None:
        """200, or 503 without a revision: the gateway runs, and refuses every call until it has a configuration.

        Only our own gateway's word counts: with its port taken at the last moment, somebody else's would answer.
        """
        while True:
            try:
                status, said = await asyncio.to_thread(self._gateway.readiness)
            except GatewayUnreachable:
                status, said = 0, {}
            is_ours = said.get("instance") == instance
            if is_ours and status == 200:
                return None
            if is_ours and said.get("revision") is None:
                return "; ".join(str(each) for each in said.get("trouble", [])) or "no configuration is in force"
            await asyncio.sleep(_LOOK_S)
