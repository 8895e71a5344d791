"""The state of everything, asked now: broker, gateway, workers, hooks, and what to do about what is wrong.

What hooks there are is the registry's word, not the file's.
"""

import asyncio
from dataclasses import dataclass, field

from nats.aio.client import Client
from nats.errors import Error as NatsError
from pydantic import Field

from interpose.bus import presence
from interpose.bus.subjects import RECORDS_STREAM
from interpose.client.http import Gateway
from interpose.contracts.model import Closed
from interpose.contracts.names import token
from interpose.contracts.registry import Document
from interpose.embedded import operator
from interpose.embedded.home import Home
from interpose.embedded.needs import Needs, needs_of
from interpose.embedded.programs import GATEWAY, installed
from interpose.embedded.state import RunState
from interpose.errors import BusUnavailable, GatewayUnreachable
from interpose.registry.apply import standing
from interpose.registry.listing import Listed, listed
from interpose.registry.store import Store


class BrokerStatus(Closed):
    """The broker, and how many records it holds in how many bytes."""

    url: str
    ready: bool
    records: int | None = None
    bytes: int | None = None
    trouble: str | None = None


class GatewayStatus(Closed):
    """What `/readyz` says."""

    url: str
    ready: bool
    revision: int | None = None
    trouble: list[str] = Field(default_factory=list)


class WorkerStatus(Closed):
    """One worker that answers now. `pid` is known for those that `interpose up` started."""

    instance: str
    version: str
    answered: int
    errors: int
    pid: int | None = None


class ServiceStatus(Closed):
    """One service or tool: who needs it, and who answers for it."""

    name: str
    role: str
    needed_by: list[str]
    workers: list[WorkerStatus]

    @property
    def ready(self) -> bool:
        """Whether it answers, or nobody needs it."""
        return bool(self.workers) or not self.needed_by


class Status(Closed):
    """Everything. `ready`: every call can be judged as configured. `revision` is the registry's."""

    home: str
    supervisor_pid: int
    ready: bool
    revision: int | None
    broker: BrokerStatus
    gateway: GatewayStatus
    services: list[ServiceStatus]
    hooks: list[Listed]
    warnings: list[str]
    remedies: list[str]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the bus told."""

    broker: BrokerStatus
    workers: list[presence.Stats] = field(default_factory=list)
    revision: int | None = None
    document: Document | None = None

    @property
    def needs(self) -> Needs:
        """What the rules in force need; nothing where there are none."""
        return Needs() if self.document is None else needs_of(self.document.configuration())

    @property
    def hooks(self) -> list[Listed]:
        """Every hook of the registry."""
        present = {each.name for each in self.workers if each.metadata.get("role", "service") == "service"}
        return [] if self.document is None else listed(self.document, present)


async def read_status(home: Home) -> Status:
    """Ask everybody. Raises NotRunning when nothing runs."""
    state = RunState.running(home)
    gateway = await asyncio.to_thread(_gateway, state.url)
    asked = await _on_the_bus(home, state)
    services = _services(asked.needs, asked.workers, {child.name: child.pid for child in state.children if child.lives})
    remedies = [*_trouble(state, asked, gateway), *_remedies(asked.broker, gateway, services)]
    return Status(
        home=str(home.root),
        supervisor_pid=state.supervisor.pid,
        ready=state.ready and not remedies,
        revision=asked.revision,
        broker=asked.broker,
        gateway=gateway,
        services=services,
        hooks=asked.hooks,
        warnings=state.warnings,
        remedies=remedies,
    )


def _gateway(url: str) -> GatewayStatus:
    try:
        status, said = Gateway(url).readiness()
    except GatewayUnreachable as error:
        return GatewayStatus(url=url, ready=False, trouble=[str(error)])
    trouble = [str(each) for each in said.get("trouble", [])]
    return GatewayStatus(url=url, ready=status == 200, revision=said.get("revision"), trouble=trouble)


async def _on_the_bus(home: Home, state: RunState) -> _Asked:
    try:
        client = await operator.connect(home)
    except BusUnavailable as error:
        return _Asked(BrokerStatus(url=state.nats_url, ready=False, trouble=str(error)))
    try:
        version = await Store(client).read()
        workers = [each for each in await presence.stats(client) if each.metadata.get("role") != GATEWAY]
        return _Asked(await _broker(client, state.nats_url), workers, version.revision, standing(version))
    except BusUnavailable as error:
        return _Asked(BrokerStatus(url=state.nats_url, ready=False, trouble=str(error)))
    finally:
        await client.close()


def _trouble(state: RunState, asked: _Asked, gateway: GatewayStatus) -> list[str]:
    """Where what is in force is not what stands in the file or in the registry."""
    said = [] if state.trouble is None else [f"the configuration: {state.trouble}"]
    if asked.document is not None and gateway.ready and gateway.revision != asked.revision:
        said.append(
            f"the gateway enforces revision {gateway.revision}, and the registry is at {asked.revision}: look again in"
            " a moment, then see `interpose logs gateway`"
        )
    return said


async def _broker(client: Client, url: str) -> BrokerStatus:
    try:
        stored = (await client.jetstream().stream_info(RECORDS_STREAM)).state
    except NatsError as error:
        return BrokerStatus(url=url, ready=False, trouble=f"the stream {RECORDS_STREAM} is not usable: {error}")
    return BrokerStatus(url=url, ready=True, records=stored.messages, bytes=stored.bytes)


def _services(needs: Needs, workers: list[presence.Stats], pids: dict[str, int]) -> list[ServiceStatus]:
    """Everything installed, needed or present, services before tools."""
    names = {_key("service", name): name for name in [*(installed().keys() - {GATEWAY}), *needs.services]}
    names |= {_key("tool", name): name for name in needs.tools}
    found: dict[tuple[str, str], list[WorkerStatus]] = {key: [] for key in names}
    for each in workers:
        key = (each.metadata.get("role", "service"), each.name)
        found.setdefault(key, []).append(_worker(each, pids.get(each.instance)))
    return [
        ServiceStatus(name=name, role=key[0], needed_by=_needed_by(key[0], name, needs), workers=present)
        for key, present in sorted(found.items())
        for name in [names.get(key, key[1])]
    ]


def _key(role: str, name: str) -> tuple[str, str]:
    return role, token(name)


def _worker(each: presence.Stats, pid: int | None) -> WorkerStatus:
    return WorkerStatus(
        instance=each.instance, version=each.version, answered=each.requests, errors=each.errors, pid=pid
    )


def _needed_by(role: str, name: str, needs: Needs) -> list[str]:
    """The hooks that a service answers for; a tool is needed by its calls."""
    if role == "service":
        return needs.services.get(name, [])
    return [f"calls of {name}"] if name in needs.tools else []


def _remedies(broker: BrokerStatus, gateway: GatewayStatus, services: list[ServiceStatus]) -> list[str]:
    said = []
    if not broker.ready:
        said.append(f"the broker: {broker.trouble}; it is started again by itself, else `interpose logs broker`")
    if not gateway.ready:
        trouble = "; ".join(gateway.trouble) or "not ready"
        said.append(f"the gateway refuses every call: {trouble}; see `interpose logs gateway`")
    said += [
        f"{service.role} {service.name} has no worker, and {', '.join(service.needed_by)} need it: "
        f"see `interpose logs {service.name}`, or serve it with `interpose run FILE.py`"
        for service in services
        if not service.ready
    ]
    return said
