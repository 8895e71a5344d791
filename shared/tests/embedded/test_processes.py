"""Real processes: told apart from later ones, ended, and tied to the life of their supervisor."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpose.embedded import logs, processes
from interpose.embedded.backoff import Backoff
from interpose.embedded.child import Child, ending
from interpose.embedded.programs import Program

PATIENCE_MS = 20_000

STUBBORN = """
trap '' TERM
echo "started $NAME" >> "$JOURNAL"
while :; do sleep 0.02; done
"""

PARENT = """
import asyncio, sys
from pathlib import Path
from typing import Any
from interpose.embedded.backoff import Backoff
from interpose.embedded.child import Child
from interpose.embedded.programs import Program, Stage

async def main():
    child = Child(Program("x", Stage.SERVICES, ("/bin/sleep", "1000"), {}), Path(sys.argv[1]), Backoff(1))
    await child.spawn()
    print(child.state.pid, child.state.began, flush=True)
    await child.wait()

asyncio.run(main())
"""


@pytest.fixture
def child(program: Callable[..., Program], tmp_path: Path) -> Callable[..., Child]:
    """A child that is not started yet."""

    def make(name: str = "one", script: str | None = None) -> Child:
        made = program(name) if script is None else program(name, script=script)
        return Child(made, tmp_path / f"{name}.log", Backoff(1))

    return make


def test_a_process_is_itself_and_no_other() -> None:
    """The same number with another beginning is another process; a number that nobody has is nobody."""
    mine = processes.mark(os.getpid())

    assert processes.is_same(os.getpid(), mine)
    assert not processes.is_same(os.getpid(), f"{mine}0")
    assert not processes.is_same(os.getpid(), None)
    assert processes.mark(2**22 + 1) is None


async def test_a_polite_process_is_ended_by_its_first_signal(child: Callable[..., Child], journal: Any) -> None:
    """SIGTERM is enough, so nothing was killed."""
    polite = child()
    await polite.spawn()
    await journal.has("started one")

    was_killed = await polite.stop(PATIENCE_MS)

    assert not was_killed
    assert ["started one", "stopped one"] == journal.lines
    assert not polite.lives


async def test_a_stubborn_process_is_killed_after_the_grace(child: Callable[..., Child], journal: Any) -> None:
    """Who ignores SIGTERM is killed, and that is told."""
    stubborn = child(script=STUBBORN)
    await stubborn.spawn()
    await journal.has("started one")

    was_killed = await stubborn.stop(grace_ms=50)

    assert was_killed
    assert -signal.SIGKILL == await stubborn.wait()


async def test_a_stopped_process_is_killed_after_the_grace(child: Callable[..., Child], journal: Any) -> None:
    """SIGSTOP does not keep a process from being ended."""
    frozen = child()
    await frozen.spawn()
    await journal.has("started one")
    state = frozen.state
    assert state is not None
    os.kill(state.pid, signal.SIGSTOP)

    assert await frozen.stop(grace_ms=50)
    assert not state.lives


async def test_a_child_has_a_session_of_its_own(child: Callable[..., Child], journal: Any) -> None:
    """Ctrl-C in the terminal, which goes to the foreground group, does not reach it."""
    own = child()
    await own.spawn()
    await journal.has("started one")

    assert own.state is not None
    assert os.getsid(own.state.pid) == own.state.pid != os.getsid(0)

    await own.stop(PATIENCE_MS)


async def test_what_a_child_says_is_in_its_log_behind_what_an_earlier_one_said(child: Callable[..., Child]) -> None:
    """Standard output and error are kept over restarts; `said` is the present process's own."""
    talking = child(script='echo "out $$"; echo "err $$" >&2')
    for _ in range(2):
        await talking.spawn()
        await talking.wait()

    assert len(logs.tail(talking.log, 10)) == 4
    assert ["out", "err"] == [line.split()[0] for line in talking.said(10)]


async def test_leftovers_are_ended_and_later_processes_are_not(child: Callable[..., Child], journal: Any) -> None:
    """`end` kills the process that began then, and leaves alone whoever has its number by now."""
    left = child(script=STUBBORN)
    await left.spawn()
    await journal.has("started one")
    state = left.state
    assert state is not None

    assert not await processes.end(state.pid, f"{state.began}0", grace_ms=50)
    assert state.lives
    assert await processes.end(state.pid, state.began, grace_ms=50)
    assert not state.lives
    # Its transport is closed when the loop hears of it, which may be after the loop is gone.
    assert await left.wait() == -signal.SIGKILL


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the next `interpose up` ends what was left")
async def test_children_die_with_a_supervisor_that_was_killed(tmp_path: Path) -> None:
    """After kill -9 of the supervisor its child is gone, although nobody told it."""
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, tmp_path / "x.log", stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    pid, began = (await parent.stdout.readline()).split()
    assert processes.is_same(int(pid), began.decode())

    parent.kill()
    await parent.wait()

    assert await processes.gone(int(pid), began.decode(), PATIENCE_MS)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, "exited with code 0"),
        (3, "exited with code 3"),
        (-9, "was ended by SIGKILL"),
        (-250, "was ended by signal 250"),
    ],
)
def test_an_ending_in_words(code: int, words: str) -> None:
    """Codes and signals are named."""
    assert words == ending(code)
