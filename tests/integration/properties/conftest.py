"""The gateway's core in this process, over its real adapters and a real server; hooks and tools are processes."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Any

import orjson
import pytest
from nats.aio.client import Client
from opentelemetry.context import Context

from interpose.bus import connection, subjects
from interpose.bus.asker import Asker
from interpose.bus.settings import BusSettings
from interpose_gateway.adapters.asking import BusAsker
from interpose_gateway.adapters.clients_file import ClientsFile
from interpose_gateway.adapters.clock import SystemClock
from interpose_gateway.adapters.door import Door
from interpose_gateway.adapters.executing import BusExecutor
from interpose_gateway.adapters.metrics import Metrics
from interpose_gateway.adapters.recording import StreamRecorder
from interpose_gateway.adapters.registry_kv import KvRegistry
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.journey import Gateway
from interpose_gateway.core.judge import Judge
from interpose_gateway.core.records import RecordMaker
from interpose_gateway.core.stations import Stations

INSTANCE = "properties"
MOST_IN_FLIGHT = 100


class System:
    """A gateway whose registry is looked at when the test says so, and whose calls are plain function calls."""

    def __init__(self, governed: Any, registry: KvRegistry, door: Door, caller: Caller) -> None:
        self.governed = governed
        self.registry = registry
        self.door = door
        self.caller = caller
        self.seen_records = 0

    async def apply(self, configuration: dict[str, Any]) -> None:
        """Put a configuration into force; one that refuses fails the test."""
        await self.governed.configure(configuration)
        await self.registry.look()

    async def call(self, parameters: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """One call of `echo`: status and answer as they leave the gateway."""
        body = orjson.dumps({"tool": "echo", "parameters": parameters})
        reply = await self.door.call(self.caller, body, Context())
        return reply.status, orjson.loads(orjson.dumps(reply.answer.to_wire()))

    async def new_records(self) -> list[dict[str, Any]]:
        """What the stream got since the last time, in its order."""
        streams = self.governed.operator.jetstream()
        first, self.seen_records = self.seen_records + 1, (await streams.stream_info("TOOL_CALLS")).state.last_seq
        sequences = range(first, self.seen_records + 1)
        stored = [await streams.get_msg("TOOL_CALLS", each) for each in sequences]
        return [orjson.loads(each.data) for each in stored if each.subject != subjects.REGISTRY_RECORDS]

    def runs_of(self, call_ids: Sequence[str]) -> list[tuple[str, dict[str, Any]]]:
        """What the tool says it ran for these calls: call and parameters."""
        ran = self.governed.witness.of("ran")
        return [(each.call_id, each.parameters) for each in ran if each.call_id in call_ids]


@pytest.fixture
async def system(open_governed: Any, caplog: pytest.LogCaptureFixture) -> AsyncIterator[System]:
    """Three workers of one service and two of the tool, each a process, and the gateway's core in this one."""
    async with open_governed() as governed:
        await governed.broker.add_service("performer")
        workers = [governed.start_hook("performer", f"performer-{number}") for number in range(3)]
        tools = [governed.start_tool(f"echo-{number}") for number in range(2)]
        await asyncio.gather(*workers, *tools)
        client, asker = await _connect(governed.broker)
        with caplog.at_level(logging.CRITICAL, "interpose_gateway"):  # hundreds of policies warn of themselves
            yield _compose(governed, asker)
        await client.close()


def _compose(governed: Any, asker: Asker) -> System:
    clock, metrics = SystemClock(), Metrics()
    stations = Stations(
        judge=Judge(BusAsker(asker), clock, metrics),
        recorder=StreamRecorder(asker),
        records=RecordMaker(INSTANCE, clock),
        executor=BusExecutor(asker),
        clock=clock,
        observer=metrics,
    )
    registry = KvRegistry(asker, pytest.fail)
    caller = ClientsFile(governed.broker.home.clients).by_subject_token("local")
    assert caller is not None
    return System(governed, registry, Door(Gateway(registry, stations, clock), metrics, MOST_IN_FLIGHT), caller)


async def _connect(broker: Any) -> tuple[Client, Asker]:
    listeners, inbox = connection.Listeners(), f"{subjects.GATEWAY_INBOX}.{INSTANCE}"
    settings = BusSettings(nats_url=broker.url, nats_seed=broker.seed("gateway"))
    client = await connection.connect(settings, name=INSTANCE, inbox_prefix=inbox, listeners=listeners)
    asker = Asker(client, f"{inbox}.asks")
    await asker.start(listeners)
    return client, asker
