"""Real scripts in a folder of their own, and a way to see whatever they leave behind."""

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from interpose.contracts.ask import Ask, Native
from interpose.contracts.limits import SCRIPT_OUTPUT_BYTES
from interpose.contracts.words import Phase
from interpose_script_runner import process
from interpose_script_runner.ending import Ending
from interpose_script_runner.runner import ScriptRunner

LONG_MS = 60_000
"""A time limit that no test reaches unless something hangs."""


@dataclass(frozen=True)
class Traces:
    """Every script of one test is told `mark`; whatever still runs and knows it was left behind."""

    mark: str

    def living(self) -> list[int]:
        """Processes that carry the mark in their environment or on their command line."""
        return [pid for pid in _pids() if pid != os.getpid() and self._is_marked(pid)]

    def zombies(self) -> list[int]:
        """Children of this process that ended and were not reaped."""
        stats = {pid: _read(pid, "stat").rpartition(b")")[2].split() for pid in _pids()}
        return [pid for pid, fields in stats.items() if fields[:2] == [b"Z", str(os.getpid()).encode()]]

    def _is_marked(self, pid: int) -> bool:
        return any(self.mark.encode() in _read(pid, file) for file in ("environ", "cmdline"))


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _read(pid: int, file: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{file}").read_bytes()
    except OSError:
        return b""


@pytest.fixture
def traces() -> Iterator[Traces]:
    """The mark of this test. Whatever a test does, nothing of its scripts may be left after it."""
    traces = Traces(f"mark-{secrets.token_hex(8)}")
    yield traces

    assert ([], []) == (traces.living(), traces.zombies())


@pytest.fixture
def write_script(tmp_path: Path) -> Callable[..., Path]:
    """Write an executable file of a first line and a body; a shell script when no other first line is given."""

    def write(body: str, *, first: str = "#!/bin/sh", name: str = "script", mode: int = 0o700) -> Path:
        path = tmp_path / name
        path.write_text(f"{first}\n{body}\n")
        path.chmod(mode)
        return path

    return write


@pytest.fixture
def run(traces: Traces) -> Iterator[Callable[..., Awaitable[Ending]]]:
    """`process.run` in the script's own folder, with the real limits and the test's mark in the environment.

    No callback of the loop may break meanwhile: asyncio would only log it.
    """
    broken: list[dict[str, Any]] = []

    async def run_marked(program: Path, stdin: bytes = b"{}", *, timeout_ms: float = LONG_MS) -> Ending:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: broken.append(context))
        return await process.run(
            program,
            stdin,
            timeout_ms=timeout_ms,
            cwd=program.parent,
            output_limit=SCRIPT_OUTPUT_BYTES,
            env={"PATH": os.environ["PATH"], "MARK": traces.mark},
        )

    yield run_marked

    assert [] == broken


@pytest.fixture
def runner(traces: Traces) -> ScriptRunner:
    """A runner whose own environment holds secrets, settings for scripts, and the mark of this test."""
    return ScriptRunner(
        {
            "PATH": os.environ["PATH"],
            "HOME": "/home/somebody",
            "INTERPOSE_NATS_SEED": "/keys/seed",
            "INTERPOSE_SCRIPT_RUNNER_TOKEN": "secret",
            "INTERPOSE_SCRIPT_AUDIT_FOLDER": "/var/audit",
            "INTERPOSE_SCRIPT_MARK": traces.mark,
            "AWS_SECRET_ACCESS_KEY": "secret",
        }
    )


@pytest.fixture
def ask() -> Ask:
    """An ask as the gateway sends it before a message."""
    return Ask(
        tool="message",
        action="send",
        parameters={"channel": "C123456789", "text": "Hello world"},
        phase=Phase.BEFORE,
        call_id="0192f0c1-0000-7000-8000-000000000001",
        revision=17,
        hook="block-kit-enforcer",
        ask_id="a1",
        canonical_tool="message",
        native=Native(tool="message", digest="sha256:00"),
    )
