"""Everything that `interpose up` starts, killed with -9 in the middle of its calls and started again."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.embedded.conftest import Machine, Up
from tests.integration.conftest import Program

from interpose.embedded.state import RunState

from .diary import Diary
from .judge import Rules
from .load import HttpWay, Load
from .scene import scene
from .stage import BASE, DEMANDED, GATE, PROGRAMS, STAMP

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="function")]

WITH = [word for name in ("gatekeeper", "echo") for word in ("--with", str(PROGRAMS / f"{name}.py"))]
RULES = BASE | {"hooks": {"before:echo": [STAMP, GATE], "after:echo": [GATE]}}
CONFIGURATIONS = (RULES, RULES | {"defaults": {"unknownTool": "reject"}}, RULES | {"toolAliases": {"say": "echo"}})
"""Put in force one after the other, so that there is a history to lose."""
PATIENCE_S = 60


class Household:
    """A machine with the whole system on it, its callers, and what both leave behind."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.diary = Diary(machine.folder / "diary")
        self.diary.folder.mkdir()
        self.pacemaker = machine.folder / "pacemaker.log"
        self.pacemaker.touch()
        self.rules: dict[int, Rules] = {}
        self.standing: Mapping[str, Program] = {}
        machine.environment |= self.diary.environment | {"INTERPOSE_RESTART_BACKOFF_MS": "200"}
        self.http = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{machine.environment['INTERPOSE_HTTP_PORT']}",
            trust_env=False,
            timeout=PATIENCE_S,
        )

    async def up(self) -> Up:
        """Start everything; on return it serves, and callers know its token."""
        started = await self.machine.up(*WITH)
        await started.started()
        token = self.machine.home.token("local").read_text().strip()
        self.http.headers["Authorization"] = f"Bearer {token}"
        return started

    async def said(self, *words: str) -> list[Any]:
        """What a command answers, as JSON, line by line."""
        ran = await asyncio.to_thread(self.machine.run, *words, "--json")
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return [json.loads(line) for line in ran.stdout.split("\n") if line]

    async def rule(self, configuration: dict[str, Any]) -> None:
        """Write the file, and return when its revision is in force in the gateway."""
        before = max(self.rules, default=0)
        self.machine.write(configuration)

        async def is_in_force() -> bool:
            return bool((await self.http.get("/readyz")).json()["revision"] == before + 1)

        if before:
            await self.until(is_in_force)
        self.rules[before + 1] = DEMANDED

    async def until(self, is_so: Any) -> None:
        """Return when it is so."""
        async with asyncio.timeout(PATIENCE_S):
            while not await is_so():  # noqa: ASYNC110 - what is waited for happens in another process
                await asyncio.sleep(0.05)

    async def settled(self) -> None:
        """As a scene wants it."""

        async def is_quiet() -> bool:
            page = (await self.http.get("/metrics")).text
            names = ("interpose_calls_in_flight", "interpose_owed_records")
            samples = [sample for family in text_string_to_metric_families(page) for sample in family.samples]
            return not any(sample.value for sample in samples if sample.name in names)

        await self.until(is_quiet)

    async def stored(self, source: str) -> list[Any]:
        """Every record of one source, in its order, without the source's name."""
        listed = await self.said("records", "list", "--source", source, "--limit", "100000")
        return [{name: value for name, value in each.items() if name != "source"} for each in listed]

    async def bodies(self) -> list[dict[str, Any]]:
        """Every record of a call, in the stream's order."""
        return [each["record"] for each in await self.stored("stream") if "call_id" in each["record"]]


@pytest.fixture
async def household(tmp_path: Path) -> AsyncIterator[Household]:
    """The whole system in a folder; nothing runs yet."""
    machine = Machine(tmp_path)
    made = Household(machine)
    with made.pacemaker.open("ab") as log:
        pacemaker = await asyncio.create_subprocess_exec(sys.executable, PROGRAMS / "pacemaker.py", stdout=log)
    try:
        yield made
    finally:
        await made.http.aclose()
        await machine.clean()
        pacemaker.kill()
        await pacemaker.wait()


async def test_the_whole_system_is_killed_and_started_again(household: Household, dice: Random) -> None:
    """The same revision, the same history, every acknowledged record; the audit store has exactly the stream."""
    await household.rule(CONFIGURATIONS[0])
    up = await household.up()
    for configuration in CONFIGURATIONS[1:]:
        await household.rule(configuration)
    way = HttpWay("http gateway", frozenset({"gateway-1"}), household.http)
    load = Load(os.urandom(6).hex(), [way], dice)
    async with scene(household, load) as play:
        await load.at_random()
        history, acknowledged = await household.said("hooks", "history"), await household.stored("stream")
        await load.at_random()
        before = time.monotonic()
        play.away("gateway-1")
        await kill_everything(household, up, dice)
        play.killed(before)
        await household.up()
        await play.recovered(time.monotonic())

    await play.judge()
    assert history == await household.said("hooks", "history")
    assert len(CONFIGURATIONS) == (await household.http.get("/readyz")).json()["revision"]
    stream = await household.stored("stream")
    assert acknowledged == stream[: len(acknowledged)]

    async def has_all() -> bool:
        return len(stream) == len(await household.stored("store"))

    await household.until(has_all)
    assert stream == await household.stored("store")


async def kill_everything(household: Household, up: Up, dice: Random) -> None:
    """kill -9 of the supervisor and of each of its processes, in an order that nobody chose."""
    state = RunState.running(household.machine.home)
    pids = [each.pid for each in (*state.children, state.supervisor)]
    for pid in dice.sample(pids, len(pids)):
        os.kill(pid, signal.SIGKILL)
    await up.process.wait()
