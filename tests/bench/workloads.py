"""What is measured, as a table; which process makes each load; and the drivers that are told to make it."""

import asyncio
import json
import os
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import policy
from gateway import OFF
from load import Sample
from processes import Processes
from system import System


@dataclass(frozen=True, slots=True)
class Workload:
    """`hops`: messages of a call that wait for each other on the bus; its records and parallel asks are not counted."""

    name: str
    what: str
    driver: str
    in_flight: int
    hops: int

    @property
    def key(self) -> str:
        """What targets call it."""
        return f"{self.driver}, {self.in_flight} in flight"


@dataclass(frozen=True, slots=True)
class Driver:
    """A process that makes one kind of load when it is told."""

    process: Process
    processes: Processes

    async def drive(self, in_flight: int, seconds: float) -> Sample:
        """So many at once, for so long; raises RuntimeError where a call was not answered as it should be."""
        before = self.processes.cpu_ms()
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"in_flight": in_flight, "seconds": seconds}).encode() + b"\n")
        told = await self.told()
        used = {name: spent - before.get(name, 0.0) for name, spent in self.processes.cpu_ms().items()}
        return Sample(told["times_ms"], told["seconds"], Counter({name: ms for name, ms in used.items() if ms > 0}))

    async def told(self) -> dict[str, list[float]]:
        """Its next line."""
        assert self.process.stdout
        line = await self.process.stdout.readline()
        if not line:
            raise RuntimeError("a driver ended; what it said of it stands above")
        told: dict[str, list[float]] = json.loads(line)
        return told


FLOOR, WHOLE = "floor: raw nats-py request-reply", "1 before hook, tool, 1 after hook"
# Driver, what it measures, and how many hops further than the plain call.
INSIDE = [
    ("W1 off", WHOLE + "; records off", 0),
    ("W1 acknowledged", WHOLE + "; records acknowledged", 0),
    ("W1 synced", WHOLE + "; records synced", 0),
    ("W1 service", WHOLE + "; records off, canonicalizer as a service", 1),
    ("W1 1 %", WHOLE + "; records off, 1 % traced", 0),
    ("W1 100 %", WHOLE + "; records off, 100 % traced", 0),
]
OVER_HTTP = [
    ("W2 off", "HTTP, 3 parallel before hooks, tool; records off", 0),
    ("W2 synced", "HTTP, 3 parallel before hooks, tool; records synced", 0),
    ("W2 service", "HTTP, 3 parallel before hooks, tool; records synced, canonicalizer as a service", 1),
]
SPAWNED = [
    ("W3 sh", "the original design: a process for each of 3 hooks, sh"),
    ("W3 python", "the original design: a process for each of 3 hooks, Python"),
]
WORKLOADS = [
    *(Workload("W0", FLOOR, "W0", many, 1) for many in (1, 16)),
    Workload("W0", "raw nats-py: 1 request, then another", "W0 one", 1, 2),
    Workload("W0", "raw nats-py: 8 parallel requests to 8 processes, then another", "W0 eight", 1, 2),
    *(Workload("W1", what, driver, many, 3 + further) for driver, what, further in INSIDE for many in (1, 16)),
    *(Workload("W2", what, driver, many, 2 + further) for driver, what, further in OVER_HTTP for many in (1, 32)),
    Workload("W2", "HTTP, 1 before hook, tool; records off", "W2 one hook", 1, 2),
    Workload("W2", "HTTP, 8 parallel before hooks, tool; records off", "W2 eight hooks", 1, 2),
    *(Workload("W3", what, driver, many, 0) for driver, what in SPAWNED for many in (1, 8)),
]


async def start_drivers(systems: Mapping[str, System]) -> dict[str, Driver]:
    """Every driver by its name, ready. Gateways over HTTP are started with them."""
    synced, acknowledged, service = (systems[name] for name in ("synced", "acknowledged", "service"))
    off, shipped = await synced.start_gateway(OFF), await synced.start_gateway("synced")
    starts = {
        "W0": _floor(synced, 0),
        "W0 one": _floor(synced, 1),
        "W0 eight": _floor(synced, 8),
        "W1 off": _inside(synced, OFF),
        "W1 acknowledged": _inside(acknowledged, "acknowledged"),
        "W1 synced": _inside(synced, "synced"),
        "W1 service": _inside(service, OFF),
        "W1 1 %": _inside(synced, OFF, ratio="0.01"),
        "W1 100 %": _inside(synced, OFF, ratio="1"),
        "W2 off": _http(synced, off, "three"),
        "W2 synced": _http(synced, shipped, "three"),
        "W2 service": _http(service, await service.start_gateway("synced"), "three"),
        "W2 one hook": _http(synced, off, "one"),
        "W2 eight hooks": _http(synced, off, "eight"),
        "W2 hung": _http(synced, off, "hung", "403"),
        "W3 sh": (synced, ["spawned", "sh"], {}),
        "W3 python": (synced, ["spawned", "python"], {}),
    }
    drivers = await asyncio.gather(*(_start(name, *how) for name, how in starts.items()))
    return dict(zip(starts, drivers, strict=True))


Start = tuple[System, list[str], dict[str, str]]
"""Whose driver it is, its words, its environment."""


def _floor(system: System, parallel: int) -> Start:
    return system, ["floor", str(parallel)], system.environment("operator", "floor", exports=False)


def _http(system: System, port: int, kind: str, status: str = "200") -> Start:
    token = system.home.token(policy.CLIENT).read_text().strip()
    return system, ["http", str(port), token, kind, status], {}


def _inside(system: System, records: str, ratio: str | None = None) -> Start:
    traced = {}
    if ratio is not None:
        sampler = {"OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": ratio}
        traced = {"OTEL_EXPORTER_OTLP_ENDPOINT": system.collector} | sampler
    environment = system.gateway_environment(f"inside-{records}-{ratio or 'untraced'}", traced)
    return system, ["inside", records], environment


async def _start(name: str, system: System, words: list[str], environment: dict[str, str]) -> Driver:
    environment = {"PYTHONUNBUFFERED": "1"} | environment
    process = await system.processes.python(f"driver {name}", "driver.py", *words, environment=environment, piped=True)
    driver = Driver(process, system.processes)
    await driver.told()
    return driver


def cores() -> int:
    """How many processors this machine lends us."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
