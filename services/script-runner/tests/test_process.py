"""What a script is given and how its own ending is seen."""

import asyncio
import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from interpose.contracts.limits import ASK_BYTES, SCRIPT_OUTPUT_BYTES
from interpose_script_runner import process
from interpose_script_runner.ending import Exited, NotSpawned, Signalled, TooMuchOutput
from interpose_script_runner.process import STDERR_BYTES

PYTHON = f"#!{sys.executable}"


async def test_reads_the_very_bytes(run, write_script):
    """A script reads exactly the bytes it was given, up to the largest ask, and what it prints comes back as it is."""
    stdin = bytes(range(256)) * 4000
    script = write_script("cat; echo said >&2")

    assert Exited(0, stdin, b"said\n") == await run(script, stdin)


async def test_reads_the_largest_ask(run, write_script):
    """The largest ask there can be reaches a script whole."""
    script = write_script("wc -c")

    assert Exited(0, b"%d\n" % ASK_BYTES, b"") == await run(script, b"x" * ASK_BYTES)


@pytest.mark.parametrize("code", [0, 1, 2, 125, 126, 127, 128, 255])
async def test_exit_code(run, write_script, code):
    """An exit code is told as it is."""

    assert Exited(code, b"", b"") == await run(write_script(f"exit {code}"))


@pytest.mark.parametrize("signal", [6, 9, 11, 15])
async def test_ends_by_a_signal(run, write_script, signal):
    """A script that a signal ended did not exit."""

    assert Signalled(signal, b"going\n") == await run(write_script(f"echo going >&2; kill -{signal} $$"))


async def test_is_its_own_session_leader_in_its_folder(run, write_script, tmp_path):
    """A script leads its own session and group, and starts in the folder it was told."""
    script = write_script("import os; print(os.getsid(0) == os.getpgrp() == os.getpid(), os.getcwd())", first=PYTHON)

    assert Exited(0, f"True {tmp_path.resolve()}\n".encode(), b"") == await run(script)


async def test_no_shell_reads_its_name(run, write_script):
    """A script whose name a shell would take apart is started as it is."""
    script = write_script("echo $#", name="a; touch b $(touch c) *")

    assert Exited(0, b"0\n", b"") == await run(script)
    assert [script.name] == [entry.name for entry in script.parent.iterdir()]


@pytest.mark.parametrize(
    ("write", "why"),
    [
        (None, "there is no such file"),
        ({"mode": 0o600}, "it may not be executed: chmod +x"),
        ({"first": "#!/no/such/interpreter"}, "the interpreter in its first line, or its folder, does not exist"),
        ({"first": "plain text"}, "it is no program: let its first line name an interpreter, such as #!/bin/sh"),
    ],
)
async def test_cannot_be_started(run, write_script, tmp_path, write, why):
    """What cannot be started says why and what to do."""
    script = tmp_path / "script" if write is None else write_script("exit 0", **write)
    ending = await run(script)

    assert isinstance(ending, NotSpawned)
    assert f"script {script} cannot be started: {why}" in ending.error


async def test_a_zero_byte_in_its_environment_does_not_start(write_script, tmp_path):
    """What no environment can hold is an ending like the others, not an exception."""
    ending = await process.run(
        write_script("exit 0"), b"", timeout_ms=60_000, cwd=tmp_path, output_limit=1, env={"ID": "a\0b"}
    )

    assert isinstance(ending, NotSpawned)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (SCRIPT_OUTPUT_BYTES, Exited(0, b"x" * SCRIPT_OUTPUT_BYTES, b"")),
        (SCRIPT_OUTPUT_BYTES + 1, TooMuchOutput("stdout")),
    ],
)
async def test_output_limit(run, write_script, size, expected):
    """A script may print exactly the limit and not one byte more."""

    assert expected == await run(write_script(f"head -c {size} /dev/zero | tr '\\0' x"))


async def test_surplus_of_stderr_is_dropped(run, write_script):
    """A script may say as much on stderr as it likes: what is kept is bounded, and it is no error."""
    script = write_script("head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 3")

    assert Exited(3, b"", b"x" * STDERR_BYTES) == await run(script)


async def test_twenty_at_once(run, write_script):
    """Twenty scripts at once each get their own input and give their own answer."""
    script = write_script("cat; echo left >&2; (sleep 1000 &) ; exit 7")
    endings = await asyncio.gather(*(run(script, b"%d" % number) for number in range(20)))

    assert [Exited(7, b"%d" % number, b"left\n") for number in range(20)] == endings


def _open_descriptors():
    return len([*Path("/dev/fd").iterdir()])


async def test_fifty_runs_leave_no_descriptor(run, write_script):
    """Runs of every ending, fifty in all, leave as many open descriptors as there were."""
    scripts = [
        write_script("cat", name="reads"),
        write_script("exit 1", name="ignores"),
        write_script("yes", name="floods"),
        write_script("exit 0", name="nothing", mode=0o600),
        write_script("kill -9 $$", name="dies"),
    ]
    before = _open_descriptors()
    for number in range(50):
        await run(scripts[number % len(scripts)], b"x" * 100_000)

    assert before == _open_descriptors()


async def test_a_start_that_fails_half_way_is_undone(run, write_script, monkeypatch):
    """Where the kernel cannot watch one more process, the one just started is killed and every descriptor closed."""

    def refuse(_pid):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(process, "Exit", refuse)
    script = write_script("exec sleep 1000")
    before = _open_descriptors()
    ending = await run(script)

    assert NotSpawned(f"script {script} cannot be started: Too many open files") == ending
    assert before == _open_descriptors()


LOST = """
import asyncio, os, signal, sys
from pathlib import Path
from interpose_script_runner import process
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
script = Path(sys.argv[1])
print(type(asyncio.run(process.run(
    script, b"", timeout_ms=60_000, cwd=script.parent, output_limit=10, env=dict(os.environ)))).__name__)
"""


def test_a_lost_exit_status_is_no_yes(write_script):
    """Where the kernel throws exit statuses away (SIGCHLD ignored), a refusal does not turn into an exit 0."""
    told = subprocess.run(
        [sys.executable, "-W", "error", "-c", LOST, write_script("exit 1")], capture_output=True, text=True, check=False
    )

    assert ("Lost\n", "") == (told.stdout, told.stderr)
