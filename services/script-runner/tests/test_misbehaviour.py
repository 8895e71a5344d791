"""Scripts that do what they should not: each ends properly and leaves nothing, which the `traces` fixture checks."""

import asyncio
import os
import signal
import sys

import pytest

from interpose.contracts.limits import ASK_BYTES
from interpose_script_runner import orphans, process
from interpose_script_runner.ending import Exited, TimedOut, TooMuchOutput

PYTHON = f"#!{sys.executable} -IS"
SHORT_MS = 300
"""A time limit that is the subject of its test: long enough to start a script, short enough to wait for."""

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("trap '' TERM INT HUP; while :; do sleep 1000; done", id="ignores TERM"),
        pytest.param("exec sleep 1000", id="never reads stdin"),
        pytest.param("exec <&-; exec sleep 1000", id="closes stdin"),
        pytest.param("exec >&- 2>&-; exec sleep 1000", id="closes stdout"),
        pytest.param("kill -STOP $$", id="stops itself"),
        pytest.param("sleep 1000 & sleep 1000 & wait", id="waits for its children"),
        pytest.param("while :; do echo noise >&2; done", id="floods stderr"),
    ],
)
async def test_what_never_ends_is_killed_in_time(run, write_script, body):
    """A script that does not end by itself is killed when its time is up, with the largest ask unread."""

    assert TimedOut() == await run(write_script(body), b"x" * ASK_BYTES, timeout_ms=SHORT_MS)


@pytest.mark.parametrize("body", ["yes", "trap '' PIPE TERM; yes | cat", "cat /dev/zero & cat /dev/zero"])
async def test_endless_output_is_cut_short(run, write_script, body):
    """A script that would print for ever is killed at the limit, long before its time is up."""

    assert TooMuchOutput("stdout") == await run(write_script(body))


@pytest.mark.parametrize("body", ["exit 3", "exec <&-; echo said; exit 3", "head -c 10 >&2; exit 3"])
async def test_an_unread_ask_is_no_error(run, write_script, body):
    """A script that does not read its megabytes of stdin, or not all of them, still says what it says."""

    assert 3 == (await run(write_script(body), b"x" * ASK_BYTES)).code


async def test_a_child_that_holds_the_pipes_is_not_waited_for(run, write_script):
    """The run is over when the script has exited, although a child of it still holds stdout and stderr."""
    script = write_script("echo said; sleep 1000 & exit 0")

    assert Exited(0, b"said\n", b"") == await run(script)


DAEMON = """
import os, sys, time
ready, told = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        {hide}
        os.write(told, b"x")
        time.sleep(1000)
    os._exit(0)
os.read(ready, 1)
{end}
"""
HIDE = 'os.set_inheritable(told, True); os.execve(sys.executable, [sys.executable, "-ISc", SLEEP, MARK, str(told)], {})'
HIDDEN = DAEMON.replace("{hide}", HIDE).replace(
    "import os, sys, time",
    """import os, sys, time
MARK = os.environ["MARK"]
SLEEP = "import os, sys, time; os.write(int(sys.argv[2]), b'x'); time.sleep(1000)\"""",
)


@linux
@pytest.mark.parametrize(
    ("end", "expected"),
    [("os._exit(4)", Exited(4, b"", b"")), ("time.sleep(1000)", TimedOut())],
    ids=["exits", "hangs"],
)
async def test_a_daemon_does_not_get_away(run, write_script, end, expected):
    """A child that left the session and was orphaned on purpose (setsid, double fork) dies with the run."""
    script = write_script(DAEMON.format(hide="", end=end), first=PYTHON)

    assert expected == await run(script, timeout_ms=60_000 if "exit" in end else 3 * SHORT_MS)


@linux
async def test_a_daemon_without_an_environment_does_not_get_away(run, write_script):
    """A daemon that also threw away its environment, and with it all that names its run, dies with the run."""
    script = write_script(HIDDEN.replace("{end}", "os._exit(4)"), first=PYTHON)

    assert Exited(4, b"", b"") == await run(script)


@linux
async def test_daemons_of_many_runs_do_not_get_away(run, write_script):
    """Of twenty runs at once, half of them hiding their daemons, none leaves one when the last is over."""
    known = write_script(DAEMON.format(hide="", end="os._exit(4)"), first=PYTHON, name="known")
    hidden = write_script(HIDDEN.replace("{end}", "os._exit(5)"), first=PYTHON, name="hidden")
    endings = await asyncio.gather(*(run(script) for _ in range(10) for script in (known, hidden)))

    assert [4, 5] * 10 == [ending.code for ending in endings]


@linux
async def test_a_chain_of_daemons_does_not_get_away(run, write_script, tmp_path):
    """A chain of sessions, each started from the one before, dies to its last member."""
    os.mkfifo(tmp_path / "ready")
    write_script("echo > ready; exec sleep 1000", name="third")
    write_script("setsid ./third & exec sleep 1000", name="second")
    script = write_script("setsid ./second & read line < ready; exit 4")

    assert Exited(4, b"", b"") == await run(script)


@linux
async def test_a_daemon_is_found_where_the_kernel_lists_no_children(run, write_script, monkeypatch):
    """Without the kernel's list of children, every process is looked at, to the same end."""
    monkeypatch.setattr(orphans, "_CHILDREN", "no-such-file")
    script = write_script(DAEMON.format(hide="", end="os._exit(4)"), first=PYTHON)

    assert Exited(4, b"", b"") == await run(script)


@linux
async def test_another_run_is_left_alone(run, write_script, traces, tmp_path):
    """The end of one run takes all that is its own, and neither the script nor the daemon of another going on."""
    os.mkfifo(tmp_path / "go")
    body = HIDDEN.replace("{end}", "open('go').read(); os.kill(DAEMON, 0); os._exit(6)")
    body = body.replace("os.read(ready, 1)", "DAEMON = int(os.read(ready, 20))")
    body = body.replace("b'x'", "str(os.getpid()).encode()")
    other = asyncio.create_task(run(write_script(body, first=PYTHON, name="other")))
    with await asyncio.to_thread(open, tmp_path / "go", "w"):
        assert Exited(0, b"", b"") == await run(write_script("sleep 1000 & exit 0"))
        assert [] == traces.zombies()

    assert Exited(6, b"", b"") == await other


async def test_the_group_is_killed_where_there_is_no_subreaper(run, write_script, monkeypatch):
    """Where orphans cannot be found, as on macOS, the script's group is killed all the same."""
    monkeypatch.setattr(orphans, "_children", list)
    ending = await run(write_script("sleep 5 & echo $!"))
    _, status = await asyncio.to_thread(os.waitpid, int(ending.stdout), 0)

    assert -signal.SIGKILL == os.waitstatus_to_exitcode(status)


async def test_other_children_of_this_process_are_left_alone(run, write_script, tmp_path):
    """A child that this process starts for something else during a run survives it and keeps its exit status."""
    os.mkfifo(tmp_path / "go")
    running = asyncio.create_task(run(write_script("read line < go")))
    with await asyncio.to_thread(open, tmp_path / "go", "w"):
        stranger = await asyncio.create_subprocess_exec("cat", stdin=asyncio.subprocess.PIPE)
    await running
    stranger.stdin.close()

    assert 0 == await stranger.wait()


@pytest.mark.parametrize("body", ["sleep 1000 & wait", "trap '' TERM; sleep 1000; sleep 1000", "yes >&2"])
async def test_cancelling_kills(run, write_script, traces, tmp_path, body):
    """A cancelled run raises CancelledError only after everything of the script is gone."""
    os.mkfifo(tmp_path / "started")
    running = asyncio.create_task(run(write_script(f"echo > {tmp_path / 'started'}\n{body}")))
    await asyncio.to_thread((tmp_path / "started").read_text)
    assert traces.living()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert [] == traces.living()


async def test_cancelling_twice_kills(run, write_script, traces, tmp_path):
    """A second cancellation, in the middle of cleaning up, does not keep the cleaning up from its end."""
    os.mkfifo(tmp_path / "started")
    running = asyncio.create_task(run(write_script(f"echo > {tmp_path / 'started'}; sleep 1000 & wait")))
    await asyncio.to_thread((tmp_path / "started").read_text)
    running.cancel()
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await asyncio.gather(*process._cleanups)

    assert ([], []) == (traces.living(), traces.zombies())
