"""The pages for newcomers are true: every command runs, in order, in a fresh clone, with the exit code it promises."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.server

ROOT = Path(__file__).parents[2]
README, OPENCLAW = "README.md", "examples/openclaw/README.md"
FENCE = re.compile(r"^```sh(?: expect=(?P<code>\d+))?\n(?P<command>.*?)^```$", re.MULTILINE | re.DOTALL)
START, TEST = "make run", "make test"
TIMEOUT_S = 240
UNTIL_READY = "until .venv/bin/interpose status; do kill -0 {pid} || exit 1; done"
# The page says that a killed worker comes back "a moment later"; here that moment is long enough to look at.
SLOW_RESTART = {"INTERPOSE_RESTART_BACKOFF_MS": "60000"}


def commands(page: str) -> list[tuple[str, int]]:
    """Each fenced command with the exit code the page promises."""
    fences = FENCE.finditer((ROOT / page).read_text())
    return [(fence["command"].strip(), int(fence["code"] or 0)) for fence in fences]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree as a newcomer has it: every file that git knows or would add, and nothing that was made here but uv."""
    folder = tmp_path_factory.mktemp("clone")
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, files):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / ".tools").symlink_to(ROOT / ".tools")
    subprocess.run(["make", "setup"], cwd=folder, check=True, capture_output=True)
    return folder


def play(page: str, clone: Path) -> tuple[list[int], list[str]]:
    """Type each command of the page into the second terminal: exit codes and what was said."""
    typed = [command for command, _ in commands(page) if command not in (START, TEST)]
    outcomes = [
        subprocess.run(["sh", "-c", command], cwd=clone, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        for command in typed
    ]
    return [one.returncode for one in outcomes], [one.stdout + one.stderr for one in outcomes]


@pytest.fixture
def running(clone: Path) -> Iterator[subprocess.Popen[str]]:
    """`make run` in the first terminal, ready for the second one; ended with the test if nothing else ended it."""
    log = (clone / "terminal-one.txt").open("w+")
    process = subprocess.Popen(
        ["make", "run"],
        cwd=clone,
        env=os.environ | SLOW_RESTART,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
    )
    try:
        ready = UNTIL_READY.format(pid=process.pid)
        wait = subprocess.run(["sh", "-c", ready], cwd=clone, timeout=TIMEOUT_S, check=False, capture_output=True)
        log.seek(0)
        assert wait.returncode == 0, log.read()
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(TIMEOUT_S)
        log.close()


def test_every_command_does_what_the_page_says(clone: Path, running: subprocess.Popen[str]) -> None:
    """From `make run` to `interpose down`: accepted, refused twice by rules, refused because nobody answers."""
    codes, said = play(README, clone)

    assert [code for command, code in commands(README) if command not in (START, TEST)] == codes, "\n".join(said)
    assert "$.parameters.blocks[0].text" in said[1], said[1]
    assert "no-force-push" in said[2], said[2]
    assert "block-kit" in said[3], said[3]
    assert "no_responders" in said[4], said[4]
    assert 0 == running.wait(TIMEOUT_S)
    assert 1 == len((clone / ".interpose" / "outbox.jsonl").read_text().splitlines())


def test_the_original_configuration_runs_as_its_page_says(clone: Path) -> None:
    """The scripts alone, then as hooks of a gateway; the page's last words stop it."""
    try:
        codes, said = play(OPENCLAW, clone)
    finally:
        subprocess.run([".venv/bin/interpose", "down"], cwd=clone, check=True, timeout=TIMEOUT_S)

    assert [code for _, code in commands(OPENCLAW)] == codes, "\n".join(said)
    assert "$.parameters.blocks" in said[-1], said[-1]


def test_the_page_names_the_two_commands_that_frame_everything() -> None:
    """A newcomer finds how to start it and how to test it; the second is what runs this test."""
    named = [command for command, _ in commands(README)]
    planned = subprocess.run(["make", "--dry-run", "test"], cwd=ROOT, check=True, capture_output=True, text=True)

    assert named[0] == START
    assert TEST in named
    assert "pytest" in planned.stdout
