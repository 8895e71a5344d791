"""The system under fault: two gateways, two hook workers and two tool workers on a broker of their own.

A scenario breaks something while its callers call, mends it, and lets the judge look at all that was left behind.
"""

import asyncio
import json
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from nats.aio.client import Client
from tests.integration.conftest import Governed, Program, Witness

from .judge import Evidence, Outage, Rules, breaches, lateness, orphans
from .lag import Lag, Span
from .load import BusWay, Ending, HttpWay, Kind, Load, Told, Way

PROGRAMS = Path(__file__).parent / "programs"
SERVICES = ("gatekeeper", "rogue", "audit-logger")
TOOLS = ("echo",)
CLIENTS = ("local", "other")
GATEWAYS = ("gateway-1", "gateway-2")
HOOKS = ("gatekeeper-1", "gatekeeper-2")
ECHOES = ("echo-1", "echo-2")
RECOVERY_S = 10.0
"""After the end of a fault calls are delivered again within this time, and what the machine let processes wait."""
TRY_AGAIN_S = 0.05
HOOK_MS = 600
"""The load's least budget has room for the whole plan, for the tool and for the record behind it."""

GATE = {"name": "gate", "service": "gatekeeper", "timeout": HOOK_MS}
STAMP = {"name": "stamp", "service": "gatekeeper", "timeout": HOOK_MS, "failMode": "transform"}
ROGUE = {"name": "rogue", "service": "rogue", "timeout": HOOK_MS}
ECHO = {"echo": {"executor": {"bus": {}}, "timeout": 700}}
STANDARD: dict[str, Any] = {
    "hooks": {
        "before:echo": [STAMP, GATE],
        "after:echo": [GATE],
        "before:echo.rogue": [ROGUE],
    },
    "tools": ECHO,
}
DEMANDED = Rules(before=frozenset({"stamp", "gate"}), after=frozenset({"gate"}))
"""What STANDARD demands of each call whose hooks tell the truth."""


class Stage(Governed):
    """The system, who may be away of it, and which rules each revision stands for."""

    def __init__(self, broker: Any, folder: Path, operator: Client, witness: Witness) -> None:
        super().__init__(broker, folder, operator, witness)
        self.programs = PROGRAMS
        self.diary = folder / "diary"
        self.diary.mkdir()
        self.environment = {"INTERPOSE_TEST_DIARY": str(self.diary)}
        self.rules: dict[int, Rules] = {}
        self.standing: dict[str, Program] = {}
        self._rooms: dict[str, Governed] = {}

    async def begin(self) -> None:
        """Rules in force, everybody present."""
        await self.rule(STANDARD, DEMANDED)
        self.clients = {
            name: await self.broker.connect(f"client-{name}", pending_size=0) for name in ("local", "other")
        }
        self._rooms = {GATEWAYS[0]: self, GATEWAYS[1]: self._beside()}
        await self._start("operator", "pacemaker", [str(PROGRAMS / "pacemaker.py")], {})
        await asyncio.gather(*(self.start(name) for name in GATEWAYS + HOOKS + ECHOES))

    async def close(self) -> None:
        """End every process of every room."""
        for room in self._rooms.values():
            await Governed.close(room)

    def _beside(self) -> Governed:
        (folder := self.folder / GATEWAYS[1]).mkdir()
        return self.beside(folder)

    async def rule(self, configuration: dict[str, Any], demands: Rules) -> int:
        """Put a configuration in force; the judge knows what it demands before anybody plans by it."""
        return self.stands_for(await self.configure(configuration), demands)

    def stands_for(self, revision: int, demands: Rules) -> int:
        """Say what a revision demands."""
        self.rules[revision] = demands
        return revision

    async def start(self, name: str, **environment: str) -> Program:
        """Start one of ours by its instance's name; on return it serves."""
        kind = name.rpartition("-")[0]
        match kind:
            case "gateway":
                program = await self._rooms[name].start_gateway(name)
            case "echo":
                program = await self.start_tool(name, **environment)
            case "audit-logger":
                own = {"INTERPOSE_AUDIT_DB": str(self.folder / "audit.sqlite")}
                program = await self._start("service-audit-logger", name, ["-m", "interpose_audit_logger"], own)
                await self.present(kind, name)
            case _:
                program = await self.start_hook(kind, name, **environment)
        self.standing[name] = program
        return program

    async def play(self, label: str, name: str) -> Program:
        """Start a program that only these tests have, when it listens."""
        program = await self._start(label, name, [str(PROGRAMS / f"{name}.py")], {})
        self.standing[name] = program

        async def listens() -> bool:
            return bool(self.written("listens", name))

        await self.until(listens)
        return program

    async def restore(self) -> None:
        """Whatever an earlier scenario left broken: frozen ones go on, dead ones are started again, rules stand."""
        for name in GATEWAYS + HOOKS + ECHOES:
            if self.standing[name].is_running:
                self.standing[name].send(signal.SIGCONT)
            else:
                await self.start(name)

    def written(self, event: str, instance: str = "") -> list[dict[str, Any]]:
        """What programs wrote into their diaries, of one instance where it is named."""
        lines = [
            line
            for path in sorted(self.diary.glob(f"{instance or '*'}-*.jsonl" if instance else "*.jsonl"))
            for line in path.read_text().splitlines(keepends=True)
        ]
        found = [json.loads(line) for line in lines if line.endswith("\n")]
        return [each for each in found if each["event"] == event]

    def ways(self) -> list[Way]:
        """HTTP to each gateway, and the bus for two clients."""
        over_http = [HttpWay(f"http {name}", frozenset({name}), room.http) for name, room in self._rooms.items()]
        leans_on = frozenset({"broker", *GATEWAYS})
        over_bus = [BusWay(f"bus {name}", leans_on, client, name) for name, client in self.clients.items()]
        return [*over_http, *over_bus]

    async def settled(self) -> None:
        """Return when no call is under way in any gateway and no record is owed."""

        async def is_quiet() -> bool:
            names = ("interpose_calls_in_flight", "interpose_owed_records")
            return not any([await room.metric(name) for room in self._rooms.values() for name in names])

        await self.until(is_quiet)

    async def evidence(self, scene: "Scene") -> Evidence:
        """All that is left of one scenario."""
        await self.settled()
        mark = scene.load.mark + "-"
        bodies = [each.body for each in await self.records()]
        records = [each for each in bodies if str((each["native"]["arguments"] or {}).get("number")).startswith(mark)]
        befores = {each["call_id"] for each in records}
        first = scene.first_call
        return Evidence(
            told=scene.load.told,
            records=[each for each in bodies if each["call_id"] in befores],
            runs=[each for each in self.written("ran") if each["call_id"] in befores or each["call_id"] >= first],
            said=self.written("said"),
            rules=self.rules,
            lag=scene.lag.seen(),
            outages=scene.outages,
            kills=scene.kills,
        )


class Scene:
    """One scenario: its load, its faults, its judgement."""

    def __init__(self, stage: Stage, load: Load, lag: Lag) -> None:
        self.stage = stage
        self.load = load
        self.lag = lag
        self.outages: list[Outage] = []
        self.kills: list[Span] = []
        self.first_call = ""
        self._away: dict[str, float] = {}

    def away(self, *names: str) -> None:
        """From now on these are not there, or do not answer."""
        self._away |= dict.fromkeys(names, time.monotonic())

    async def kill(self, *names: str) -> None:
        """kill -9 of each, and gone on return; callers of a gateway may lose their connection from now on."""
        for name in names:
            before = time.monotonic()
            if name in GATEWAYS:
                self.away(name)
            await self.stage.standing[name].kill()
            if name in GATEWAYS:
                self.kills.append((before, time.monotonic()))

    async def freeze(self, seconds: float, *programs: Program) -> None:
        """SIGSTOP them for so long."""
        for program in programs:
            program.send(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            for program in programs:
                program.send(signal.SIGCONT)

    async def recovered(self, since: float) -> None:
        """Each way delivers again, within RECOVERY_S from the end of the fault; what was away is there again."""
        answers = await asyncio.gather(*(self._delivered(way) for way in self.load.ways))
        last = max(told.ended for told in answers)
        self.outages += [Outage(name, start, last) for name, start in self._away.items()]
        self._away.clear()
        took_s, waited_s = last - since, self.lag.seen().within(since, last)
        print(f"delivered again on every way after {took_s:.2f} s")
        assert took_s <= RECOVERY_S + waited_s, "\n".join(told.line() for told in self.load.told[-20:])

    async def _delivered(self, way: Way) -> Told:
        while True:
            told = await self.load.call(way, self.load.make(Kind.FINE, self.load.dice))
            if told.is_delivered:
                return told
            await asyncio.sleep(TRY_AGAIN_S)

    async def judge(self) -> Evidence:
        """Nothing was broken of what was promised; the evidence, for what a scenario wants to know besides."""
        evidence = await self.stage.evidence(self)
        told = evidence.told
        late = max((lateness(each, evidence.lag) for each in told if not evidence.is_excused(each)), default=0)
        endings = {ending.value: sum(each.ending is ending for each in told) for ending in Ending}
        print(
            f"{len(told)} calls {endings}, {len(evidence.runs)} runs, {len(evidence.records)} records,"
            f" {len(orphans(evidence))} orphans, {sum(map(evidence.is_excused, told))} excused,"
            f" latest {late * 1000:.0f} ms against its deadline"
        )
        found = breaches(evidence)
        assert not found, "\n".join(found)
        return evidence


@asynccontextmanager
async def scene(stage: Stage, load: Load) -> AsyncIterator[Scene]:
    """Callers call while the body breaks things; on leaving they have ended. Calls are delivered before it begins."""
    lag = Lag(stage.folder / "pacemaker.log")
    opened = Scene(stage, load, lag)
    watching, calling = asyncio.create_task(lag.watch()), asyncio.create_task(load.run())
    try:
        await load.delivered(len(load.ways))
        opened.first_call = min(str(told.answer["call_id"]) for told in load.told if told.answer)
        yield opened
    finally:
        load.stop()
        await calling
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
