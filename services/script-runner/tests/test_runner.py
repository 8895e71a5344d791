"""One ask answered by one script."""

import os
import sys

import pytest

from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Failure, VerdictKind
from interpose_script_runner.verdict import Broke

ALLOW = Verdict(verdict=VerdictKind.ALLOW)
RAW = b'{"tool": "message",  "spaces": "kept"}\n'
LONG_MS = 60_000


async def test_the_script_reads_the_very_ask(runner, ask, write_script):
    """A script that declares transform and prints what it reads transforms into the ask, byte for byte."""
    script = write_script("cat")
    told = await runner.answer(ask, RAW, str(script), True, LONG_MS)

    assert Verdict(verdict=VerdictKind.TRANSFORM, output={"tool": "message", "spaces": "kept"}) == told


async def test_output_counts_only_when_declared(runner, ask, write_script):
    """What a script prints without declaring transform changes nothing."""

    assert ALLOW == await runner.answer(ask, RAW, str(write_script("cat")), False, LONG_MS)


async def test_a_rejection_carries_its_reason(runner, ask, write_script):
    """A script that exits with 1 refuses with what it said on stderr."""
    script = write_script("echo 'no plain text' >&2; exit 1")

    assert Verdict(verdict=VerdictKind.REJECT, reason="no plain text") == await runner.answer(
        ask, RAW, str(script), False, LONG_MS
    )


async def test_the_environment_holds_no_secrets(runner, ask, write_script, traces):
    """A script sees what it needs, what is meant for scripts and the call it is asked about; nothing else."""
    script = write_script(
        "import json, os; print(json.dumps({k: v for k, v in os.environ.items() if k != 'INTERPOSE_SCRIPT_RUN'}))",
        first=f"#!{sys.executable} -IS",
    )
    told = await runner.answer(ask, RAW, str(script), True, LONG_MS)
    expected = {
        "PATH": os.environ["PATH"],
        "HOME": "/home/somebody",
        "INTERPOSE_SCRIPT_AUDIT_FOLDER": "/var/audit",
        "INTERPOSE_SCRIPT_MARK": traces.mark,
        "INTERPOSE_CALL_ID": ask.call_id,
        "INTERPOSE_HOOK": "block-kit-enforcer",
        "INTERPOSE_PHASE": "before",
    }

    # Python itself sets LC_CTYPE where no locale is set (PEP 538).
    assert expected == {name: value for name, value in told.output.items() if name != "LC_CTYPE"}


async def test_it_runs_in_its_own_folder(runner, ask, write_script):
    """A script finds what lies beside it, wherever the runner was started."""
    write_script("exit 4", name="beside")

    assert (
        "exited with code 4"
        == (await runner.answer(ask, RAW, str(write_script("exec ./beside")), False, LONG_MS)).reason
    )


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("script", "is not an absolute path"),
        ("{}/missing", "cannot be used: [Errno 2] No such file or directory"),
        ("{}/missing/script", "cannot be used: [Errno 2] No such file or directory"),
        ("{}", "is not a regular file"),
        ("/dev/null", "is not a regular file"),
        ("{}/a\0b", "cannot be used: embedded null byte"),
        ("{}/" + "x" * 5000, "cannot be used: [Errno 36] File name too long"),
    ],
)
async def test_what_is_no_script(runner, ask, tmp_path, name, why):
    """What is not an absolute path to a regular file is a broken hook, with the reason."""
    script = name.format(tmp_path)
    told = await runner.answer(ask, RAW, script, False, LONG_MS)

    assert Failure.HOOK_ERROR == told.failure
    assert told.reason.startswith(f"script {script} {why}".replace("\0", "\ufffd")[:1999])


async def test_what_cannot_be_started_is_a_hook_error(runner, ask, write_script):
    """A file that is no program breaks the hook and says how to mend it."""
    script = write_script("exit 0", mode=0o600)
    told = await runner.answer(ask, RAW, str(script), False, LONG_MS)

    assert (
        Broke(Failure.HOOK_ERROR, f"script {script} cannot be started: it may not be executed: chmod +x {script}")
        == told
    )


async def test_time_that_is_up(runner, ask, write_script, tmp_path):
    """An ask whose time is up does not start its script."""
    script = write_script("touch started")
    told = await runner.answer(ask, RAW, str(script), False, 0)

    assert Failure.DEADLINE_EXCEEDED == told.failure
    assert not (tmp_path / "started").exists()


async def test_too_slow(runner, ask, write_script):
    """A script that outlasts its time is killed, and there is no verdict."""
    told = await runner.answer(ask, RAW, str(write_script("exec sleep 1000")), False, 200)

    assert Broke(Failure.DEADLINE_EXCEEDED, "the script did not end in time and was killed") == told


async def test_too_much_output(runner, ask, write_script):
    """A script that prints without end has given no verdict, also when its output would not have counted."""
    told = await runner.answer(ask, RAW, str(write_script("yes")), False, LONG_MS)

    assert Failure.MALFORMED_VERDICT == told.failure
