"""The processes of a run: started in a clean environment, watched for their processor time, killed at the end."""

import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process, create_subprocess_exec
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
STATS = Path("/proc")
_TICK_MS = 1000 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 10.0
_USED = slice(11, 15)
"""Of /proc/<pid>/stat behind the name: user and system time, its own and that of children it waited for (proc(5))."""


@dataclass(slots=True)
class Processes:
    """All that were started, by name."""

    _started: dict[str, Process] = field(default_factory=dict)

    async def start(
        self, name: str, command: list[str], environment: Mapping[str, str], *, piped: bool = False
    ) -> Process:
        """Start one. With `piped` we talk to it through its standard input and output."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("INTERPOSE_", "OTEL_"))}
        flow = PIPE if piped else DEVNULL
        process = await create_subprocess_exec(
            *command, env=clean | environment, stdin=flow, stdout=flow, stderr=None if piped else DEVNULL, limit=2**26
        )
        self._started[name] = process
        return process

    async def python(
        self, name: str, program: str, *words: str, environment: Mapping[str, str], piped: bool = False
    ) -> Process:
        """Start a program of this folder."""
        return await self.start(name, [sys.executable, str(HERE / program), *words], environment, piped=piped)

    def cpu_ms(self) -> dict[str, float]:
        """Processor time of each so far, in ms; empty where the system does not tell."""
        if not STATS.is_dir():
            return {}
        return {name: _cpu_ms(process.pid) for name, process in self._started.items() if process.returncode is None}

    async def kill(self) -> None:
        """End all of them, the youngest first."""
        for process in reversed(self._started.values()):
            if process.returncode is None:
                process.kill()
            await process.wait()


def _cpu_ms(pid: int) -> float:
    told = (STATS / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return sum(map(int, told[_USED])) * _TICK_MS
