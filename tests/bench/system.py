"""A real broker with its stream on disk, worker processes, and a gateway: in this process, or as one of its own."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import nats
import orjson
from nats.aio.client import Client

from interpose.bus import connection, presence, subjects
from interpose.bus.asker import Asker
from interpose.bus.settings import BusSettings
from interpose.contracts.record import Record
from interpose.embedded import broker, operator, provision, stream
from interpose.embedded.home import Home
from interpose.embedded.ports import free_port
from interpose_gateway.adapters.asking import BusAsker
from interpose_gateway.adapters.clients_file import ClientsFile
from interpose_gateway.adapters.clock import SystemClock
from interpose_gateway.adapters.door import Door
from interpose_gateway.adapters.executing import BusExecutor
from interpose_gateway.adapters.metrics import Metrics
from interpose_gateway.adapters.recording import StreamRecorder
from interpose_gateway.adapters.registry_file import FileRegistry
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.journey import Gateway
from interpose_gateway.core.judge import Judge
from interpose_gateway.core.ports import Recorder
from interpose_gateway.core.records import RecordMaker
from interpose_gateway.core.travel import Stations

HOOKS = ("first", "second", "third", "last")
TOOL = "nothing"
CLIENT = "bench"
PATIENCE_S = 60
LOOK_AGAIN_S = 0.05
MOST_IN_FLIGHT = 512


class NoRecords:
    """Keeps nothing, to see what records cost. It exists here only: the product always records."""

    async def write(self, record: Record) -> None:
        """Nothing."""

    def owe(self, record: Record) -> None:
        """Nothing."""


class System:
    """What runs, and what is started in it ends with it."""

    def __init__(self, home: Home, url: str, client: Client) -> None:
        self.home = home
        self.url = url
        self.operator = client
        self._processes: list[Process] = []
        self._clients: list[Client] = []
        self._watching: list[asyncio.Task[None]] = []

    async def start_workers(self) -> None:
        """One worker of each hook and of the tool, and the floor's; all answer on return."""
        for name in HOOKS:
            await self.start(f"service-{name}", "hook", name)
        await self.start(f"tool-{TOOL}", "tool", TOOL)
        await self.start("operator", "floor")
        await _until(self._are_present)

    async def start(self, label: str, *words: str) -> None:
        """A process of worker.py."""
        await self._spawn(label, words[-1], [str(Path(__file__).parent / "worker.py"), *words])

    async def start_gateway(self, configuration: Path) -> int:
        """A gateway process, when it is ready; returns its port."""
        port = free_port()
        more = {"INTERPOSE_CONFIG": str(configuration), "INTERPOSE_CLIENTS": str(self.home.clients)}
        await self._spawn("gateway", "gateway", ["-m", "interpose_gateway"], more | {"INTERPOSE_HTTP_PORT": str(port)})
        await _until(lambda: _is_open(port))
        return port

    async def open_gateway(self, configuration: Path, *, is_recording: bool) -> tuple[Door, Caller]:
        """The gateway's core over its real adapters, in this process; returns its door and who calls."""
        calls, records = await self._line("calls"), await self._line("records")
        recorder: Recorder = StreamRecorder(records) if is_recording else NoRecords()
        clock, metrics = SystemClock(), Metrics()
        registry = FileRegistry(configuration, _fail)
        registry.look()
        self._watching.append(asyncio.create_task(registry.watch()))
        stations = Stations(
            judge=Judge(BusAsker(calls), clock, metrics),
            recorder=recorder,
            records=RecordMaker("bench", clock),
            executor=BusExecutor(calls),
            clock=clock,
            observer=metrics,
        )
        caller = ClientsFile(self.home.clients).by_subject_token(CLIENT)
        assert caller is not None
        return Door(Gateway(registry, stations, clock), metrics, MOST_IN_FLIGHT), caller

    async def connect_plainly(self) -> Client:
        """A connection as nats-py makes it."""
        client = await nats.connect(self.url, nkeys_seed=str(self.home.seed("operator")))
        self._clients.append(client)
        return client

    async def close(self) -> None:
        """End everything that was started or opened here."""
        for watching in self._watching:
            watching.cancel()
        for client in self._clients:
            await client.close()
        for process in self._processes:
            process.kill()
            await process.wait()

    async def _are_present(self) -> bool:
        return {one.instance for one in await presence.ping(self.operator)} == {*HOOKS, TOOL}

    async def _line(self, purpose: str) -> Asker:
        listeners, inbox = connection.Listeners(), f"{subjects.GATEWAY_INBOX}.bench-{os.urandom(4).hex()}"
        settings = BusSettings(nats_url=self.url, nats_seed=self.home.seed("gateway"))
        client = await connection.connect(settings, name=purpose, inbox_prefix=inbox, listeners=listeners)
        self._clients.append(client)
        asker = Asker(client, f"{inbox}.asks")
        await asker.start(listeners)
        return asker

    async def _spawn(self, label: str, instance: str, command: list[str], more: dict[str, str] | None = None) -> None:
        own = {"INTERPOSE_NATS_URL": self.url, "INTERPOSE_NATS_SEED": str(self.home.seed(label))}
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("INTERPOSE_", "OTEL_"))}
        environment = clean | own | {"INTERPOSE_INSTANCE": instance} | (more or {})
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, env=environment, stdout=DEVNULL, stderr=DEVNULL
        )
        self._processes.append(process)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[System]:
    """Everything but the gateway."""
    given = provision.ensure(Home(folder / "home"), HOOKS, (TOOL,), (CLIENT,), broker=free_port())
    command = [str(broker.locate()), "-c", str(given.home.broker_config)]
    server = await asyncio.create_subprocess_exec(*command, stdout=DEVNULL, stderr=DEVNULL)
    try:
        client = await operator.connect(given.home, PATIENCE_S * 1000)
        await stream.ensure(client)
        system = System(given.home, given.directory.url, client)
        try:
            await system.start_workers()
            yield system
        finally:
            await system.close()
            await client.close()
    finally:
        server.kill()
        await server.wait()


def write_policy(path: Path, before: tuple[str, ...], after: tuple[str, ...]) -> Path:
    """A configuration with these hooks, each served by the worker of its name."""
    hooks = {
        f"{phase}:{TOOL}": [{"name": name, "service": name} for name in names]
        for phase, names in (("before", before), ("after", after))
    }
    path.write_bytes(orjson.dumps({"hooks": hooks, "tools": {TOOL: {"executor": {"bus": {}}}}}))
    return path


async def _until(is_so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await is_so():  # noqa: ASYNC110 (another process cannot set an event of ours)
            await asyncio.sleep(LOOK_AGAIN_S)


async def _is_open(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


def _fail(trouble: str) -> None:
    raise RuntimeError(trouble)
