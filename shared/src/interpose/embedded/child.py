"""One child process: started in a session of its own, logged, tied to our life, ended politely or not."""

import asyncio
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from interpose.embedded import launcher, logs
from interpose.embedded.backoff import Backoff
from interpose.embedded.files import open_private
from interpose.embedded.processes import mark
from interpose.embedded.programs import Program
from interpose.embedded.state import ProcessState


class Child:
    """A program and its current process. One task starts and waits; `stop` and `kill` may come from another."""

    def __init__(self, program: Program, log: Path, backoff: Backoff) -> None:
        self.program = program
        self.log = log
        self.backoff = backoff
        self._process: asyncio.subprocess.Process | None = None
        self._began: str | None = None
        self._started_at = 0.0
        self._log_start = 0

    @property
    def name(self) -> str:
        """The program's name."""
        return self.program.name

    @property
    def lives(self) -> bool:
        """Whether its process runs now."""
        return self._process is not None and self._process.returncode is None

    @property
    def lived_ms(self) -> float:
        """How long ago its process was started."""
        return (time.monotonic() - self._started_at) * 1000

    @property
    def state(self) -> ProcessState | None:
        """Its process for the state file, while it runs."""
        if self._process is None or not self.lives:
            return None
        return ProcessState(name=self.name, pid=self._process.pid, began=self._began)

    def said(self, lines: int) -> list[str]:
        """The last lines that its present process wrote."""
        return logs.tail(self.log, lines, self._log_start)

    async def spawn(self) -> None:
        """Start it. In its own session a Ctrl-C of the terminal does not reach it: the supervisor says when to stop."""
        logs.rotate(self.log)
        with open_private(self.log) as output:
            self._log_start = os.fstat(output).st_size
            self._process = await asyncio.create_subprocess_exec(
                *tied(self.program.command),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=dict(self.program.environment),
                start_new_session=True,
            )
        self._began = mark(self._process.pid)
        self._started_at = time.monotonic()

    async def wait(self) -> int:
        """Its exit code, negative for a signal, when it ends."""
        if self._process is None:
            raise RuntimeError(f"{self.name} was never started")
        return await self._process.wait()

    async def stop(self, grace_ms: int) -> bool:
        """SIGTERM, wait, SIGKILL. True when it had to be killed."""
        if self._process is None or not self.lives:
            return False
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(grace_ms / 1000):
                await self._process.wait()
        except TimeoutError:
            self.kill()
            await self._process.wait()
            return True
        return False

    def kill(self) -> None:
        """SIGKILL to the process and all that it left in its process group."""
        if self._process is not None and self.lives:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)


def tied(command: tuple[str, ...]) -> tuple[str, ...]:
    """The command, on Linux behind the launcher: a child must not outlive a supervisor that was killed."""
    if sys.platform != "linux":
        return command
    return (sys.executable, "-I", "-S", launcher.__file__, str(os.getpid()), *command)


def ending(code: int) -> str:
    """An exit code in words."""
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
