"""Joins the adapters to the core. The only place that knows both."""

import asyncio
import contextlib
import logging
import os
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from nats.aio.client import Client

from interpose import __version__
from interpose.bus import connection, subjects
from interpose.bus.announcer import Announcer
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners
from interpose.bus.responder import Handler, Responder
from interpose.contracts.clients import Scope
from interpose.contracts.ids import secret
from interpose.contracts.names import token
from interpose.errors import ConfigurationError
from interpose_gateway.adapters.agent_door import AgentDoor
from interpose_gateway.adapters.agent_http import AgentApi
from interpose_gateway.adapters.approvals import KvApprovals
from interpose_gateway.adapters.asking import BusAsker
from interpose_gateway.adapters.bus_calls import BusCalls, BusRequests, own_inbox
from interpose_gateway.adapters.choosing import ChosenExecutor
from interpose_gateway.adapters.claims import KvClaims
from interpose_gateway.adapters.clients_file import ClientsFile
from interpose_gateway.adapters.clock import SystemClock
from interpose_gateway.adapters.door import Door
from interpose_gateway.adapters.evidence import KvEvidence
from interpose_gateway.adapters.executing import BusExecutor
from interpose_gateway.adapters.http import Api
from interpose_gateway.adapters.http_tools.executor import HttpExecutor
from interpose_gateway.adapters.http_tools.wire import Wire
from interpose_gateway.adapters.keys import Keys
from interpose_gateway.adapters.metrics import Metrics
from interpose_gateway.adapters.reconcile.building import Wanted, build
from interpose_gateway.adapters.reconcile.running import Reconciling
from interpose_gateway.adapters.record_reading import LeadersRecords
from interpose_gateway.adapters.recording import StreamRecorder
from interpose_gateway.adapters.registry_kv import KvRegistry
from interpose_gateway.core.evaluated.calls import AgentCalls
from interpose_gateway.core.evaluated.desk import Desk
from interpose_gateway.core.journey import Gateway
from interpose_gateway.core.judge import Judge
from interpose_gateway.core.reconcile.opening import Terms
from interpose_gateway.core.records import RecordMaker
from interpose_gateway.core.shadows import Shadows
from interpose_gateway.core.stations import Stations
from interpose_gateway.settings import GatewaySettings

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Line:
    """One connection, the asker on it, and the prefix of its inboxes."""

    client: Client
    asker: Asker
    listeners: Listeners
    inbox: str


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
        self.watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.watching
        await self.wire.close()
        for line in self.lines:
            await connection.close(line.client)


async def start(settings: GatewaySettings) -> Running:
    """Connect, read the registry, open the bus endpoint. The HTTP application is ready to be served."""
    clients = ClientsFile(settings.clients)
    if not settings.is_loopback and clients.is_empty:
        raise ConfigurationError(
            f"will not listen on {settings.http_host} without clients: set INTERPOSE_CLIENTS to a clients file,"
            " or bind to 127.0.0.1"
        )
    instance = settings.instance or f"gateway-{secret()[:6]}"
    metrics, clock = Metrics(), SystemClock()
    calls, records = await _line(settings, instance, "calls"), await _line(settings, instance, "records")
    registry = KvRegistry(records.asker, lambda trouble: metrics.alarm("registry-unusable", trouble))
    await registry.start(records.client, records.listeners)
    recorder = StreamRecorder(records.asker)
    wire = Wire()
    judge, maker = Judge(BusAsker(calls.asker), clock, metrics), RecordMaker(instance, clock)
    shadows = Shadows(judge, maker, recorder)
    stations = Stations(
        judge=judge,
        recorder=recorder,
        records=maker,
        executor=ChosenExecutor(bus=BusExecutor(calls.asker), http=HttpExecutor(wire, os.environ)),
        clock=clock,
        observer=metrics,
        shadows=shadows,
    )
    door = Door(Gateway(registry, stations, clock), metrics, settings.most_in_flight)
    kept = Keys(records.asker, subjects.CALLS_STREAM, subjects.CALLS_READ)
    desk = Desk(
        registry=registry,
        stations=stations,
        tally=metrics,
        records=LeadersRecords(records.asker),
        claims=KvClaims(kept),
        approvals=KvApprovals(kept),
        approval_records=recorder,
        evidence=KvEvidence(Keys(records.asker, subjects.LABELS_STREAM, subjects.LABELS_READ), clock),
        pause=asyncio.sleep,
        instance=instance,
        open_s=settings.evaluation_ttl_s,
    )
    agents = AgentDoor(door, AgentCalls(desk))

    def listen(subject: str, handle: Handler) -> Responder:
        return Responder(
            calls.client,
            subject,
            subjects.GATEWAY_QUEUE,
            instance,
            handle,
            own_inbox,
            concurrency=settings.most_in_flight,
        )

    responder = listen(subjects.CALLS, BusCalls(door, clients).handle)
    responders = [
        responder,
        listen(subjects.EVALUATIONS, BusRequests(clients, agents.evaluate, (Scope.EVALUATE,)).handle),
        listen(subjects.REPORTS, BusRequests(clients, agents.report, (Scope.EVALUATE,)).handle),
        listen(subjects.INSTALLS, BusRequests(clients, agents.install, (Scope.EVALUATE,)).handle),
        listen(subjects.APPROVALS, BusRequests(clients, agents.resolve, (Scope.EVALUATE, Scope.OPERATE)).handle),
    ]
    for each in responders:
        await each.start()
    await Announcer(
        calls.client,
        responder,
        subjects.GATEWAY_QUEUE,
        instance,
        __version__,
        lambda: _told(registry),
        endpoint="call",
    ).start()
    lines = (calls, records)
    api = Api(
        door,
        AgentApi(agents, clients),
        clients,
        metrics,
        trouble=lambda: _trouble(registry, lines),
        state=lambda: _state(registry, instance),
        refresh_metrics=lambda: _refresh(metrics, lines, recorder, responders, shadows),
    )
    watching = asyncio.create_task(registry.watch())
    apart = await _line(settings, instance, "reconciler")
    reconciling = await _reconciling(apart, settings, maker, clock, metrics)
    reconciling.start()
    return Running(
        api.application(),
        door,
        recorder,
        responders,
        wire,
        shadows,
        (*lines, apart),
        watching,
        reconciling,
        settings.drain_s,
    )


async def _reconciling(
    line: Line, settings: GatewaySettings, maker: RecordMaker, clock: SystemClock, metrics: Metrics
) -> Reconciling:
    terms = Terms(slack_s=settings.expiry_slack_s, orphan_after_s=settings.orphan_after_s)
    wanted = Wanted(settings.evaluation_ttl_s, terms)
    return await build(line.client, line.asker, line.listeners, line.inbox, maker, clock, metrics, wanted)


async def _line(settings: GatewaySettings, instance: str, purpose: str) -> Line:
    listeners = Listeners()
    inbox = f"{subjects.GATEWAY_INBOX}.{token(instance)}-{secret()[:8]}"
    name = f"{instance}/{purpose}"
    client = await connection.connect(settings, name=name, inbox_prefix=inbox, listeners=listeners)
    asker = Asker(client, f"{inbox}.asks")
    await asker.start(listeners)
    return Line(client, asker, listeners, inbox)


def _trouble(registry: KvRegistry, lines: tuple[Line, ...]) -> list[str]:
    found = [] if registry.confirmed() else [registry.trouble()]
    if not all(line.client.is_connected for line in lines):
        found.append("the broker is not connected")
    return found


def _state(registry: KvRegistry, instance: str) -> dict[str, Any]:
    revision = registry.confirmed()
    return {
        "instance": instance,
        "revision": revision.number if revision else None,
        "registry_digest": revision.digest if revision else None,
        "hooks": len({entry.hook.name for entry in revision.entries}) if revision else 0,
    }


def _told(registry: KvRegistry) -> dict[str, str]:
    """What is said to whoever asks for its presence: `hooks apply` waits for the revision."""
    revision = registry.confirmed()
    own = {"role": subjects.GATEWAY_QUEUE}
    return own if revision is None else own | {"revision": str(revision.number), "digest": revision.digest}


def _refresh(
    metrics: Metrics, lines: tuple[Line, ...], recorder: StreamRecorder, responders: list[Responder], shadows: Shadows
) -> None:
    metrics.stray_replies.set(sum(line.asker.stray for line in lines))
    metrics.repeated_asks.set(sum(line.asker.repeated for line in lines))
    metrics.owed_records.set(recorder.owed)
    metrics.lost_shadows.set(shadows.lost)
    metrics.dropped_requests.set(sum(each.tally.dropped for each in responders))
