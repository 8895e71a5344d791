"""The walk of docs/write-a-hook.md: its files in an empty folder, its commands in order, its outcomes."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interpose.embedded.ports import own_ports

pytestmark = pytest.mark.server

FENCE = re.compile(r"^```sh run(?: expect=(?P<code>\d+))?\n(?P<command>.*?)^```$", re.MULTILINE | re.DOTALL)
TIMEOUT_S = 240

Shell = Callable[[str], subprocess.CompletedProcess[str]]


@pytest.fixture
def folder(snippets: Path, tmp_path: Path) -> Path:
    """The reader's folder."""
    return shutil.copytree(snippets / "first-hook", tmp_path / "mine")


@pytest.fixture
def shell(folder: Path) -> Iterator[Shell]:
    """Types a command as the reader does, with this environment's programs and ports that nobody else uses."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("INTERPOSE_", "OTEL_"))}
    own["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), own["PATH"]])
    own |= own_ports()

    def run(command: str) -> subprocess.CompletedProcess[str]:
        typed = ["sh", "-c", command]
        options: dict[str, Any] = {"cwd": folder, "env": own, "capture_output": True, "text": True}
        return subprocess.run(typed, timeout=TIMEOUT_S, check=False, **options)

    yield run
    run("interpose down")


def test_the_walk_ends_in_a_refused_call(root: Path, folder: Path, shell: Shell) -> None:
    """Started, delivered, refused with the place, on the record, stopped: each with the exit code the page promises."""
    page = (root / "docs/write-a-hook.md").read_text()
    steps = [(found["command"], int(found["code"] or 0)) for found in FENCE.finditer(page)]

    outcomes = [shell(command) for command, _ in steps]

    said = [outcome.stdout + outcome.stderr for outcome in outcomes]
    assert [code for _, code in steps] == [outcome.returncode for outcome in outcomes], "\n".join(said)
    assert "deliver" in said[1]
    assert "$.channel: is not on the list of channels" in said[2]
    assert 3 == len(said[3].splitlines())
    assert not (folder / ".interpose/run.json").exists()
