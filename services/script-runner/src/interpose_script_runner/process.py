"""Running one script: no shell, a session of its own, bounded in time and output, and nothing left of it afterwards.

However a run ends (exit, signal, time, output, cancellation), its process group is killed whole, on Linux also what
left the group (`orphans`), everything is reaped and every descriptor closed. The run is over when the script itself
has exited, even when a child of it still holds the pipes. What cannot be helped: a runner that is itself killed with
SIGKILL leaves its scripts running; they end by themselves, or by SIGPIPE when they next print.
"""

import asyncio
import errno
import logging
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Self, cast

from interpose_script_runner.ending import Ending, Exited, Lost, NotSpawned, Signalled, TimedOut, TooMuchOutput
from interpose_script_runner.exits import Exit
from interpose_script_runner.orphans import PATIENCE_S, TOKEN_VARIABLE, Family, adopt, new_token
from interpose_script_runner.pipes import Catch, Feed

STDERR_BYTES = 64 * 1024
"""How much of stderr is kept; the rest is read and dropped."""

REAP_TRIES = 50
REAP_PAUSE_S = 0.002
"""Reaping hits at the first try except where starting failed half-way or a killed process is stuck in the kernel."""

LOST = 255
"""What Popen is told about a status that nobody knows, so that it does not ask for it again."""

_log = logging.getLogger(__name__)
_cleanups: set[asyncio.Task[None]] = set()


async def run(  # noqa: PLR0913  each is one independent bound of the run
    program: Path, stdin: bytes, *, timeout_ms: float, cwd: Path, output_limit: int, env: Mapping[str, str]
) -> Ending:
    """Run `program` (an absolute path) with exactly `env`, feed it `stdin`, and say how it ended.

    More than `output_limit` bytes on stdout end it as TooMuchOutput. Many runs may go on at once in one event loop.
    Cancelling kills the script before CancelledError comes out.
    """
    try:
        script = _Script.start(program, stdin, cwd, output_limit, env)
    except (OSError, ValueError) as error:
        return NotSpawned(_explain(program, error))
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            await script.exit.seen.wait()
    except TimeoutError:
        return TimedOut()
    finally:
        await script.end()
    return script.ending()


class _Script:
    """One running script and all that belongs to it; `closing` gives it back, the process itself last."""

    def __init__(self, popen: subprocess.Popen[bytes], token: str, stdin: bytes, output_limit: int) -> None:
        self._popen = popen
        self._code: int | None = None
        # Popen's types cannot know that all three were asked for.
        to_stdin, from_stdout, from_stderr = cast("tuple[IO[bytes], ...]", (popen.stdin, popen.stdout, popen.stderr))
        with ExitStack() as closing:
            closing.callback(self._reap)
            for pipe in (to_stdin, from_stdout, from_stderr):
                closing.callback(pipe.close)
            self._family = Family(popen.pid, token)
            closing.callback(self._family.forget)
            self.exit = Exit(popen.pid)
            closing.callback(self.exit.close)
            closing.callback(Feed(to_stdin, stdin).close)
            self._stdout = Catch(from_stdout, output_limit, on_surplus=self._kill)
            closing.callback(self._stdout.drain)
            self._stderr = Catch(from_stderr, STDERR_BYTES)
            closing.callback(self._stderr.drain)
            self._closing = closing.pop_all()

    @classmethod
    def start(cls, program: Path, stdin: bytes, cwd: Path, output_limit: int, env: Mapping[str, str]) -> Self:
        """Spawn it. Raises OSError or ValueError, and then nothing runs."""
        adopt()
        token = new_token()
        popen = subprocess.Popen(  # noqa: S603  the program is the operator's own, and no shell reads it
            [str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=cwd,
            env={**env, TOKEN_VARIABLE: token},
            start_new_session=True,
        )
        return cls(popen, token, stdin, output_limit)

    async def end(self) -> None:
        """Kill what still runs, then reap and close. The kill is immediate, and the rest outlives a cancellation."""
        self._kill()
        cleanup = asyncio.create_task(self._clean())
        _cleanups.add(cleanup)
        cleanup.add_done_callback(_cleanups.discard)
        await asyncio.shield(cleanup)

    async def _clean(self) -> None:
        with self._closing:
            with suppress(TimeoutError):
                # Without it, `_reap` says so in the log.
                await asyncio.wait_for(self.exit.seen.wait(), PATIENCE_S)
            await self._family.end()

    def _kill(self) -> None:
        # Nobody left in the group; macOS says "not permitted" when only the unreaped leader is.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)

    def _reap(self) -> None:
        """Take the exit code. Popen's own wait is not used: it takes a lost exit status for a 0, which is a yes."""
        self._kill()
        for _ in range(REAP_TRIES):
            try:
                pid, status = os.waitpid(self._popen.pid, os.WNOHANG)
            except ChildProcessError:
                self._popen.returncode = LOST
                return
            if pid:
                self._popen.returncode = self._code = os.waitstatus_to_exitcode(status)
                return
            time.sleep(REAP_PAUSE_S)
        _log.error("script %s (process %d) was killed and is still there", self._popen.args, self._popen.pid)

    def ending(self) -> Ending:
        """How it ended; ask after `end`."""
        if self._stdout.overflowed:
            return TooMuchOutput("stdout")
        if self._code is None:
            return Lost()
        if self._code < 0:
            return Signalled(-self._code, self._stderr.data)
        return Exited(self._code, self._stdout.data, self._stderr.data)


def _explain(program: Path, error: OSError | ValueError) -> str:
    """What keeps it from starting, and the remedy where it is known."""
    match error:
        case FileNotFoundError() if program.exists():
            why = "the interpreter in its first line, or its folder, does not exist"
        case FileNotFoundError():
            why = "there is no such file"
        case PermissionError():
            why = f"it may not be executed: chmod +x {program}"
        case OSError(errno=errno.ENOEXEC):
            why = "it is no program: let its first line name an interpreter, such as #!/bin/sh"
        case OSError():
            why = error.strerror or str(error)
        case _:
            why = str(error)
    return f"script {program} cannot be started: {why}"
