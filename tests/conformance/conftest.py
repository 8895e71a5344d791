"""Every hook service of this tree, as a process on a real server, ready for its exam.

A service or an example brings its own sample: `exam.json` beside its code, with the fields of an ask that it judges
and, where it needs one, a configuration (`{root}` stands for this tree). A folder without one fails, so that nothing
goes unexamined.
"""

import asyncio
import json
import os
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from interpose.bus import connection, presence, subjects
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners
from interpose.bus.settings import BusSettings
from interpose.cli.found import import_file, runnables
from interpose.config.load import load
from interpose.contracts.ask import Ask
from interpose.contracts.reply import NoReply, Replied
from interpose.embedded import stream
from interpose.registry.apply import apply_file
from interpose.registry.store import Store
from interpose.testing.asks import make_ask

ROOT = Path(__file__).parents[2]
EXAM_FILE = "exam.json"
NO_HOOK = {"gateway"}
"""Services that ask instead of being asked."""
PATIENCE_S = 60


@dataclass(frozen=True)
class Candidate:
    """One hook service: how it is started and what it is asked."""

    name: str
    folder: Path
    command: tuple[str, ...]

    @property
    def exam(self) -> dict[str, Any]:
        """Its sample."""
        file = self.folder / EXAM_FILE
        assert file.exists(), f"{self.name} brings no {EXAM_FILE}: write one in {self.folder.relative_to(ROOT)}"
        return json.loads(file.read_text().replace("{root}", str(ROOT)))


def services() -> list[Candidate]:
    """Every folder of `services/` that is asked."""
    folders = sorted(path.parent for path in (ROOT / "services").glob("*/pyproject.toml"))
    asked = [folder for folder in folders if folder.name not in NO_HOOK]
    modules = {folder: f"interpose_{folder.name.replace('-', '_')}" for folder in asked}
    return [Candidate(folder.name, folder, ("-m", modules[folder])) for folder in asked]


def examples() -> list[Candidate]:
    """Every hook written in one file of `examples/`."""
    files = sorted((ROOT / "examples").glob("*/*.py"))
    return [
        Candidate(found.name, file.parent, ("-m", "interpose.cli", "run", str(file), found.name))
        for file in files
        for found in runnables(import_file(file))
        if found.role == "service"
    ]


CANDIDATES = services() + examples()


@dataclass(frozen=True)
class BusTarget:
    """A service on the bus, asked as a gateway asks it."""

    asker: Asker
    subject: str

    async def ask(self, raw: bytes, fields: Mapping[str, str]) -> Replied | NoReply:
        """One request."""
        return await self.asker.ask(self.subject, raw, PATIENCE_S, fields)


@dataclass(frozen=True)
class Seat:
    """A candidate in its place: where to ask it, what to ask, and a gateway's own line for raw looks."""

    target: BusTarget
    sample: Ask
    gateway: Any


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=CANDIDATES, ids=lambda one: one.name)
async def seat(
    request: pytest.FixtureRequest, new_broker: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Seat]:
    """The candidate's own process on a broker of its own."""
    candidate: Candidate = request.param
    folder = tmp_path_factory.mktemp(candidate.name)
    broker = new_broker(folder, (candidate.name,), ())
    exam, config = candidate.exam, folder / "interpose.json"
    config.write_text(json.dumps(exam.get("configuration", {"hooks": {}})))
    own = {"INTERPOSE_HOME": str(folder / "own")}
    environment = broker.environment(f"service-{candidate.name}", "examined-1") | own
    process: Process | None = None
    try:
        await broker.start()
        operator = await broker.connect("operator")
        await stream.ensure(operator)
        await apply_file(Store(operator), load(config), "the exam")
        with (folder / "log").open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable, *candidate.command, env=os.environ | environment, stdout=log, stderr=log
            )
        await present(operator, candidate.name, process, folder / "log")
        listeners, inbox = Listeners(), f"{subjects.GATEWAY_INBOX}.exam"
        settings = BusSettings(nats_url=broker.url, nats_seed=broker.seed("gateway"))
        gateway = await connection.connect(settings, name="exam", inbox_prefix=inbox, listeners=listeners)
        asker = Asker(gateway, f"{inbox}.asks")
        await asker.start(listeners)
        sample = make_ask(**exam["ask"])
        yield Seat(BusTarget(asker, subjects.ask(sample.phase, candidate.name)), sample, gateway)
        await gateway.close()
    finally:
        if process is not None and process.returncode is None:
            process.terminate()
            await process.wait()
        await broker.close()


async def present(operator: Any, service: str, process: Process, log: Path) -> None:
    """Return when the service answers PING; fail with its log when it ends before."""
    async with asyncio.timeout(PATIENCE_S):
        while not await presence.ping(operator, service, wait_ms=100):
            assert process.returncode is None, log.read_text()  # noqa: ASYNC240 - the test is over
