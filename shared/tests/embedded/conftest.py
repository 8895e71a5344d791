"""Small real programs for the supervisor: shell scripts that write what they do into one journal."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from interpose.embedded.home import Home
from interpose.embedded.programs import Program, Stage

PATIENCE_S = 20

POLITE = """
trap 'echo "stopped $NAME" >> "$JOURNAL"; exit 0' TERM
echo "started $NAME" >> "$JOURNAL"
while :; do sleep 0.02; done
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A prepared home."""
    return Home(tmp_path / "home").prepared()


async def until(condition: Callable[[], bool]) -> None:
    """Return as soon as it is so; fail when PATIENCE_S are over."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - other processes make it so, and they set no event here
            await asyncio.sleep(0.01)


class Journal:
    """Where every program writes a line when it starts and when it is told to stop."""

    until = staticmethod(until)

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()

    @property
    def lines(self) -> list[str]:
        """What was written so far."""
        return self.path.read_text().splitlines()

    async def has(self, line: str) -> None:
        """Return when the line was written."""
        await until(lambda: line in self.lines)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """One journal for all programs of a test."""
    return Journal(tmp_path / "journal")


@pytest.fixture
def program(journal: Journal) -> Callable[..., Program]:
    """A program of a stage; by default one that runs until SIGTERM."""

    def make(name: str, stage: Stage = Stage.SERVICES, script: str = POLITE) -> Program:
        environment = {"PATH": "/usr/bin:/bin", "NAME": name, "JOURNAL": str(journal.path)}
        return Program(name, stage, ("/bin/sh", "-c", script), environment)

    return make
