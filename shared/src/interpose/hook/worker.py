"""A worker process: FastStream owns its life, one responder of ours answers.

The asks go past FastStream's subscribers on purpose: those give no reply when a handler raises and cost four times
the time (docs/adr/0003-faststream.md). Its application, signals, start and stop are what we use.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from faststream import FastStream
from faststream.nats.security import NatsNKey
from nats.aio.client import Client
from nats.aio.msg import Msg

from interpose.bus import connection, readiness, subjects
from interpose.bus.announcer import Announcer
from interpose.bus.loop import loop_factory
from interpose.bus.memory import keep_for_good
from interpose.bus.responder import Handler, Responder
from interpose.bus.settings import BusSettings
from interpose.contracts.ids import secret
from interpose.errors import ConfigurationError
from interpose.hook.broker import Broker
from interpose.telemetry import logs
from interpose.telemetry.setup import set_up

log = logging.getLogger("interpose.worker")


Companion = Callable[[Client], AbstractAsyncContextManager[None]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What a worker serves: a subject, its queue group, and the function that answers.

    `metadata` is told to whoever asks for its presence; the manifest of a hook stands there. `beside` is what else the
    process does on the same connection, from before it answers until it is told to stop.
    """

    role: Literal["service", "tool"]
    name: str
    version: str
    subject: str
    queue: str
    handle: Handler
    metadata: Mapping[str, str] = field(default_factory=dict)
    beside: Companion | None = None


def serve(endpoint: Endpoint) -> None:
    """Run one worker until it is told to stop. Settings come from the environment (`BusSettings`)."""
    try:
        settings = BusSettings.from_environment()
        instance = settings.instance or f"{endpoint.name}-{secret()[:6]}"
        logs.set_up(endpoint.name, instance)
    except ConfigurationError as error:
        sys.exit(f"{endpoint.name}: {error}")
    flush_telemetry = set_up(endpoint.name, instance, endpoint.version)
    try:
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(application(endpoint, settings, instance).run())
    finally:
        flush_telemetry()


def application(endpoint: Endpoint, settings: BusSettings, instance: str) -> FastStream:
    """The FastStream application of one endpoint."""
    broker = Broker(
        settings.nats_url,
        name=instance,
        logger=log,
        security=NatsNKey.from_file(settings.nats_seed) if settings.nats_seed else None,
        inbox_prefix=subjects.SERVICE_INBOX if endpoint.role == "service" else subjects.TOOL_INBOX,
        pending_size=0,
        ping_interval=connection.PING_INTERVAL_S,
        max_outstanding_pings=connection.MAX_PINGS_OUT,
        reconnect_time_wait=1,
        max_reconnect_attempts=-1,
    )
    app = FastStream(broker, logger=log)
    answering: list[Responder] = []
    beside = AsyncExitStack()

    @app.after_startup
    async def start() -> None:
        # Plain handlers run in threads: as many as there may be asks at work, not the five that asyncio starts with.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(settings.concurrency, endpoint.name))
        if endpoint.beside is not None:
            await beside.enter_async_context(endpoint.beside(broker.connection))
        keep_for_good()
        responder = await attend(broker.connection, endpoint, instance, settings.concurrency)
        answering.append(responder)
        trouble = partial(connection.trouble, broker.connection)
        await beside.enter_async_context(readiness.answering(settings.ready_socket, trouble))
        log.info("%s %s answers on %s", endpoint.role, instance, endpoint.subject)

    @app.on_shutdown
    async def drain() -> None:
        await beside.aclose()
        for responder in answering:
            await responder.drain()
        log.info("%s %s has finished everything it was asked", endpoint.role, instance)

    return app


async def attend(client: Client, endpoint: Endpoint, instance: str, concurrency: int) -> Responder:
    """Start answering on a connection; on return the broker knows of it."""
    responder = Responder(
        client=client,
        subject=endpoint.subject,
        queue=endpoint.queue,
        worker=instance,
        handle=endpoint.handle,
        reply_prefix=gateway_inbox,
        concurrency=concurrency,
    )
    await responder.start()
    announcer = Announcer(
        client,
        responder,
        endpoint.name,
        instance,
        endpoint.version,
        lambda: {**endpoint.metadata, "role": endpoint.role},
    )
    await announcer.start()
    return responder


def gateway_inbox(_msg: Msg) -> str:
    """Only gateways ask services and tools."""
    return subjects.GATEWAY_INBOX
