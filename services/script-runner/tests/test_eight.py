"""The eight misbehaviours of a script, asked as the service asks it: each ends as the table says and leaves nothing.

DESIGN: section 3 ("Script") and section 6. That no process is left, living or dead, the `traces` fixture checks after
each test; variants of each, one level below, stand in test_misbehaviour.
"""

import os
import sys

import pytest

from interpose.contracts.limits import ASK_BYTES
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Failure, VerdictKind
from interpose_script_runner.verdict import Broke

ALLOW = Verdict(verdict=VerdictKind.ALLOW)
LARGEST_ASK = b'"' + b"x" * (ASK_BYTES - 2) + b'"'
TEN_GIGABYTES = 10 * 1000**3
LONG_MS, SHORT_MS = 60_000, 300
"""A time that is never used up, and one that is the subject of its test."""


@pytest.fixture
def asked(runner, ask):
    """What the runner says of a script, which by default is given the largest ask there can be."""

    async def asked(script, *, transform=False, time_ms=LONG_MS):
        return await runner.answer(ask, LARGEST_ASK, str(script), transform, time_ms)

    return asked


async def test_ignores_term(asked, write_script):
    """One that ignores every signal it may, and never ends, is killed in its time: no verdict, `deadline_exceeded`."""
    script = write_script("trap '' TERM INT HUP QUIT; sleep 1000; while :; do sleep 1000; done")

    assert Broke(Failure.DEADLINE_EXCEEDED, "the script did not end in time and was killed") == await asked(
        script, time_ms=SHORT_MS
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers")
@pytest.mark.parametrize(
    ("end", "expected"),
    [("exit 0", ALLOW), ("echo no >&2; exit 1", Verdict(verdict=VerdictKind.REJECT, reason="no"))],
    ids=["says yes", "says no"],
)
async def test_forks_away(asked, write_script, tmp_path, end, expected):
    """What it left behind in a session of its own does not outlive it, and its own exit code is its verdict."""
    os.mkfifo(tmp_path / "away")
    write_script("trap '' HUP TERM; echo > away; exec sleep 1000", name="daemon")
    script = write_script(f"setsid ./daemon < /dev/null > /dev/null 2>&1 & read line < away; {end}")

    assert expected == await asked(script)


@pytest.mark.parametrize("transform", [True, False], ids=["transforming", "judging"])
async def test_prints_ten_gigabytes(asked, write_script, transform):
    """One that prints without end is killed at the first MiB: `malformed_verdict`, also where output does not count."""
    script = write_script(f"head -c {TEN_GIGABYTES} /dev/zero")

    assert Broke(Failure.MALFORMED_VERDICT, "the script printed more than 1024 KiB on stdout") == await asked(
        script, transform=transform
    )


@pytest.mark.parametrize(
    ("end", "expected"),
    [("exit 0", ALLOW), ("echo no >&2; exit 1", Verdict(verdict=VerdictKind.REJECT, reason="no"))],
    ids=["says yes", "says no"],
)
async def test_never_reads_stdin(asked, write_script, end, expected):
    """Not to read the ask is no fault: the exit code is the verdict."""
    assert expected == await asked(write_script(end))


async def test_never_reads_stdin_and_never_ends(asked, write_script):
    """An ask that nobody takes off the pipe holds up neither the runner nor the kill."""
    told = await asked(write_script("exec sleep 1000"), time_ms=SHORT_MS)

    assert Failure.DEADLINE_EXCEEDED is told.failure


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("cat > /dev/null; exit 0", ALLOW),
        ("cat > /dev/null; echo no >&2; exit 1", Verdict(verdict=VerdictKind.REJECT, reason="no")),
    ],
    ids=["says yes", "says no"],
)
async def test_closes_stdout(asked, write_script, end, expected):
    """A closed stdout is not the end of a script: its exit code is still its verdict, and nothing printed is allow."""
    assert expected == await asked(write_script(f"exec >&-; {end}"), transform=True)


async def test_closes_stdout_and_never_ends(asked, write_script):
    """One that closes both of its outputs and stays is killed in its time, and has said neither yes nor no."""
    told = await asked(write_script("exec >&- 2>&-; exec sleep 1000"), time_ms=SHORT_MS)

    assert Failure.DEADLINE_EXCEEDED is told.failure


@pytest.mark.parametrize("signal", [6, 9, 11, 15])
async def test_exits_by_signal(asked, write_script, signal):
    """One that a signal ended broke: `hook_error`, with the signal and what it last said."""
    script = write_script(f"echo going >&2; kill -{signal} $$")

    assert Broke(Failure.HOOK_ERROR, f"ended by signal {signal}: going") == await asked(script)


async def test_is_missing(asked, tmp_path):
    """One that is not there is a broken hook: `hook_error`, with the place."""
    told = await asked(tmp_path / "script")

    assert Failure.HOOK_ERROR is told.failure
    assert told.reason.startswith(f"script {tmp_path / 'script'} cannot be used: [Errno 2] No such file or directory")


async def test_its_interpreter_is_missing(asked, write_script):
    """One whose first line names nothing that is there is a broken hook, and the reason says which of the two it is."""
    script = write_script("", first="#!/nowhere/sh")
    why = "the interpreter in its first line, or its folder, does not exist"

    assert Broke(Failure.HOOK_ERROR, f"script {script} cannot be started: {why}") == await asked(script)


async def test_is_not_executable(asked, write_script):
    """One that may not be executed is a broken hook: `hook_error`, with the remedy."""
    script = write_script("exit 0", mode=0o600)
    why = f"it may not be executed: chmod +x {script}"

    assert Broke(Failure.HOOK_ERROR, f"script {script} cannot be started: {why}") == await asked(script)
