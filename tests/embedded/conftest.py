"""The command line as a person uses it: real processes, in a folder with the examples, in a home of its own."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from interpose.embedded.home import Home
from interpose.embedded.ports import own_ports
from interpose.embedded.state import RunState

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120
LINE_BYTES = 16 * 1024 * 1024


class Up:
    """A running `interpose up --json` in the foreground and what it tells."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.told: list[dict[str, Any]] = []

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next thing it tells that is wanted; everything up to it is kept in `told`."""
        async for told in self._telling():
            if wanted(told):
                return told
        raise AssertionError(f"it ended with {await self.process.wait()} after {self.told}")

    async def event(self, kind: str, name: str) -> str:
        """Its next event of that kind; the message."""
        found = await self.until(lambda told: _is(told, kind, name))
        return str(found["event"]["message"])

    async def started(self) -> dict[str, Any]:
        """The state, when everything is ready."""
        found = await self.until(lambda told: "started" in told)
        return dict(found["started"])

    async def ended(self) -> int:
        """Its exit code; the rest of what it tells is kept."""
        async for _ in self._telling():
            pass
        return await self.process.wait()

    async def _telling(self) -> AsyncIterator[dict[str, Any]]:
        assert self.process.stdout is not None
        try:
            async with asyncio.timeout(PATIENCE_S):
                while line := await self.process.stdout.readline():
                    self.told.append(json.loads(line))
                    yield self.told[-1]
        except TimeoutError as error:
            raise AssertionError(f"it told nothing more within {PATIENCE_S} s after {self.told}") from error

    def order(self, kind: str) -> list[str]:
        """The names of its events of that kind so far."""
        return [told["event"]["name"] for told in self.told if "event" in told and told["event"]["kind"] == kind]


def _is(told: dict[str, Any], kind: str, name: str) -> bool:
    event = told.get("event", {})
    return (event.get("kind"), event.get("name")) == (kind, name)


class Machine:
    """A folder with the examples, an empty home, and the `interpose` command."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = Home(folder / ".interpose")
        self._started: list[asyncio.subprocess.Process] = []
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("INTERPOSE_", "OTEL_"))}
        folders = {"PYTHONPATH": str(folder / "site"), "XDG_CONFIG_HOME": str(folder / "none")}
        # Another Interpose may start on the usual ports while this one does.
        self.environment = kept | own_ports() | folders

    def write(self, configuration: dict[str, Any]) -> None:
        """The folder's own configuration."""
        (self.folder / "interpose.json").write_text(json.dumps(configuration))

    def run(self, *arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            [sys.executable, "-m", "interpose.cli", *arguments],
            cwd=self.folder,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    async def start(self, *arguments: str) -> asyncio.subprocess.Process:
        """Start a command; its standard output can be read line by line."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "interpose.cli", *arguments),
            cwd=self.folder,
            env=self.environment,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE_BYTES,
        )
        self._started.append(process)
        return process

    async def up(self, *arguments: str) -> Up:
        """`interpose up --json` in the foreground."""
        return Up(await self.start("up", "--json", *arguments))

    async def up_lean(self, *arguments: str) -> Up:
        """The same without the sanitizer, which takes longest to start: for tests in which nothing is its to judge."""
        return await self.up("--scale", "sanitizer=0", *arguments)

    async def clean(self) -> None:
        """End whatever still runs of this home, the hard way, and wait for what was started here."""
        state = RunState.read(self.home)
        for each in [state.supervisor, *state.children] if state is not None else []:
            if each.lives:
                os.kill(each.pid, signal.SIGKILL)
        for process in self._started:
            if process.returncode is None:
                process.kill()
            await process.communicate()


@pytest.fixture
async def machine(tmp_path: Path) -> AsyncIterator[Machine]:
    """A machine with the examples and no configuration of its own."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    made = Machine(tmp_path)
    yield made
    await made.clean()
