"""The gateway's process: reads settings, builds the adapters, joins them to the core, serves, drains."""

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from interpose import __version__
from interpose.bus.loop import loop_factory
from interpose.bus.memory import keep_for_good
from interpose.errors import InterposeError
from interpose.telemetry import logs
from interpose.telemetry.setup import set_up
from interpose_gateway.adapters.local_socket import bound
from interpose_gateway.composition import Running, start
from interpose_gateway.settings import GatewaySettings

KEEP_ALIVE_S = 75
"""How long an idle connection stays open: longer than usual clients keep one. Of two that let go at the same time the
client may be sending a call, which is lost. httpx takes 5 s, as uvicorn does by itself, and undici 4 s."""

log = logging.getLogger("interpose.gateway")


def main() -> int:
    """Serve until SIGTERM or SIGINT."""
    try:
        settings = GatewaySettings.from_environment()
        instance = settings.instance or "gateway"
        logs.set_up("gateway", instance)
        flush_telemetry = set_up("gateway", instance, __version__)
        try:
            with asyncio.Runner(loop_factory=loop_factory()) as runner:
                runner.run(serve(settings))
        finally:
            flush_telemetry()
    except InterposeError as error:
        print(f"interpose-gateway: {error}", file=sys.stderr)
        return 1
    return 0


async def serve(settings: GatewaySettings) -> None:
    """Everything from start to drain."""
    running = await start(settings)
    keep_for_good()
    try:
        await listen(settings, running)
    finally:
        await running.stop()


async def listen(settings: GatewaySettings, running: Running) -> None:
    """Serve HTTP until told to stop."""
    with bound(settings.http_socket) as local:
        log.info("listening on http://%s:%s", settings.http_host, settings.http_port)
        await Server(configured(settings, running.application), local).serve()


def configured(settings: GatewaySettings, application: FastAPI) -> uvicorn.Config:
    """How HTTP is served."""
    return uvicorn.Config(
        application,
        host=settings.http_host,
        port=settings.http_port,
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=int(settings.drain_s),
    )


class Server(uvicorn.Server):
    """uvicorn, whose end is not the process's end.

    Its own handling raises the signal again once HTTP is closed, which would kill the process before calls over the
    bus are answered, owed records are written and spans have left. `local` is a bound socket that it serves as well.
    """

    def __init__(self, config: uvicorn.Config, local: socket.socket | None = None) -> None:
        super().__init__(config)
        self._local = local

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """The same, on the local socket too; it is closed with the others."""
        await super().startup(sockets)
        if self._local is not None:
            loop = asyncio.get_running_loop()
            self.servers.append(await loop.create_unix_server(self._protocol, sock=self._local))
            log.info("listening on %s", self._local.getsockname())

    def _protocol(self) -> asyncio.Protocol:
        state, app_state = self.server_state, self.lifespan.state
        kind: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        return kind(config=self.config, server_state=state, app_state=app_state)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals and keep them: what comes behind HTTP must not be interrupted either."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.handle_exit)
        yield


if __name__ == "__main__":
    sys.exit(main())
