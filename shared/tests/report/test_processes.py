"""Several processes: one wins a claim, a killed one loses no report, and a shim's two halves find each other."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interpose.report import folder
from interpose.report.claims import Claims
from interpose.report.counters import Counted, FolderCounters
from interpose.report.shelves import FolderShelf

from . import programs
from .conftest import PATIENCE_S, TOKEN, PlayedGateway, told

MANY = 8
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a program; whatever still runs is killed with the test."""
    started: list[subprocess.Popen[str]] = []

    def run(*arguments: object) -> "subprocess.Popen[str]":
        command = [sys.executable, programs.__file__, *map(str, arguments)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def race(start: Start, *arguments: object) -> Counter[str]:
    """Many processes do the same at the same moment: what they said."""
    runners = [start(*arguments) for _ in range(MANY)]
    assert ["ready\n"] * MANY == [_line(runner) for runner in runners]
    for runner in runners:
        assert runner.stdin is not None
        runner.stdin.write("go\n")
        runner.stdin.flush()
    return Counter(runner.communicate(timeout=PATIENCE_S)[0].strip() for runner in runners)


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def say(process: "subprocess.Popen[str]") -> str:
    """What a program that ends by itself has said."""
    return process.communicate(timeout=PATIENCE_S)[0].strip()


def until(is_so: Callable[[], Any]) -> Any:
    """What comes of asking, as soon as it is something; fails when nothing ever comes."""
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        if found := is_so():
            return found
        time.sleep(0.005)
    raise AssertionError("it never came so far")


def waiting(home: Path) -> list[Path]:
    """The reports in the outbox."""
    return sorted((home / "an-agent" / "outbox").glob("*.json"))


def test_one_of_many_processes_gets_a_claim(start: Start, tmp_path: Path) -> None:
    """The evaluation is reported on once, however many heard of the end of its call."""
    mine = programs.claims(str(tmp_path))
    ticket = mine.reserve(programs.CALL, 60_000)
    assert ticket is not None
    mine.bind(programs.CALL, ticket, "e-1")

    assert {"claimed": 1, "none": MANY - 1} == race(start, "claim", tmp_path)


def test_one_of_many_processes_gets_a_reservation(start: Start, tmp_path: Path) -> None:
    """All others could not be told from it."""
    assert {"reserved": 1, "none": MANY - 1} == race(start, "reserve", tmp_path)


def test_no_count_is_lost_between_processes(start: Start, tmp_path: Path) -> None:
    """Each of many adds a hundred."""
    assert {"counted": MANY} == race(start, "count", tmp_path)
    assert MANY * 100 == FolderCounters(tmp_path).read()[Counted.MISSED]


def test_a_killed_holder_lets_go(start: Start, tmp_path: Path) -> None:
    """No lock outlives the process that held it."""
    holder = start("hold", tmp_path)
    assert "ready\n" == _line(holder)
    holder.kill()
    holder.wait(PATIENCE_S)

    assert programs.claims(str(tmp_path)).reserve(programs.CALL, 1_000)


def test_a_stopped_holder_blocks_and_does_not_hang(start: Start, tmp_path: Path) -> None:
    """Whoever asks meanwhile gets an error in bounded time, which a gate turns into a no."""
    holder = start("hold", tmp_path)
    assert "ready\n" == _line(holder)
    holder.send_signal(signal.SIGSTOP)
    mine = Claims("an-agent", FolderShelf(tmp_path, patience_ms=50), FolderCounters(tmp_path), lambda: 0)

    with pytest.raises(TimeoutError):
        mine.reserve(programs.CALL, 1_000)


def test_the_two_halves_of_a_shim_find_each_other(start: Start, home: Path, gateway: PlayedGateway) -> None:
    """Before and after are two processes, and the report names the evaluation of the first."""
    before = say(start("shim_before", home, gateway.url))
    after = say(start("shim_after", home, gateway.url))

    assert ("True", "finalised") == (before, after)
    assert [
        {"evaluation_id": "e-1", "status": "success", "duration_ms": 3, "result": {"stdout": "a b c"}}
    ] == gateway.bodies("/audit")


def test_a_killed_process_loses_no_report(start: Start, home: Path, gateway: PlayedGateway) -> None:
    """Killed after its report was kept and before the gateway had it: the next process sends the same bytes."""
    assert "True" == say(start("shim_before", home, gateway.url))
    gateway.answers.append(None)
    gateway.came.clear()
    killed = start("shim_after", home, gateway.url)
    assert gateway.came.wait(PATIENCE_S)
    (kept,) = waiting(home)
    killed.send_signal(signal.SIGKILL)
    killed.wait(PATIENCE_S)
    body = kept.read_bytes()
    os.utime(kept, ns=(0, 0))

    assert "0" == say(start("drain", home, gateway.url))

    sent = [request.body for request in gateway.requests if request.path == "/v1/audit"]
    assert [body, body] == sent
    assert [] == waiting(home)


def test_a_process_killed_before_it_sent_anything_loses_no_report(
    start: Start, home: Path, gateway: PlayedGateway
) -> None:
    """The report is on disk before the first connection: here there is nobody to connect to."""
    assert "True" == say(start("shim_before", home, gateway.url))
    killed = start("shim_after", home, "http://127.0.0.1:1")
    (kept,) = until(lambda: waiting(home))
    killed.send_signal(signal.SIGKILL)
    killed.wait(PATIENCE_S)
    body = kept.read_bytes()
    os.utime(kept, ns=(0, 0))

    assert "0" == say(start("drain", home, gateway.url))
    assert [body] == [request.body for request in gateway.requests if request.path == "/v1/audit"]


def test_a_killed_process_waits_its_turn(start: Start, home: Path, gateway: PlayedGateway) -> None:
    """What was being sent is not due at once, so that processes that die one after another do not storm the gateway."""
    assert "True" == say(start("shim_before", home, gateway.url))
    gateway.answers.append(None)
    gateway.came.clear()
    killed = start("shim_after", home, gateway.url)
    assert gateway.came.wait(PATIENCE_S)
    killed.send_signal(signal.SIGKILL)
    killed.wait(PATIENCE_S)
    (kept,) = waiting(home)

    assert kept.stat().st_mtime > int(kept.name.partition("-")[0]) / 1000


def test_many_processes_share_an_outbox(start: Start, home: Path, gateway: PlayedGateway) -> None:
    """Every report is sent by one of them, and nothing is left."""
    outbox = home / "an-agent" / "outbox"
    programs.gate(str(home), gateway.url)
    bodies = {f"report {n}".encode() for n in range(20)}
    for number, body in enumerate(sorted(bodies)):
        path = outbox / f"{time.time_ns() // 1_000_000 + number:014d}-{number}.json"
        path.write_bytes(body)
        os.utime(path, ns=(0, 0))

    race(start, "race_to_drain", home, gateway.url)

    sent = Counter(request.body for request in gateway.requests)
    assert dict.fromkeys(bodies, 1) == sent
    assert [] == waiting(home)


def test_a_process_that_forked_delivers_in_the_background_too(start: Start, home: Path, gateway: PlayedGateway) -> None:
    """Its parent's thread did not come along, and what both left is sent by one of its own."""
    gateway.answers.extend([told(200, {"evaluation_id": f"e-{n}", "decision": "allow"}) for n in range(2)])
    gateway.answers.extend([told(503, {})] * 40)
    process = start("fork", home, gateway.url)
    assert "kept\n" == _line(process)
    assert 0 == process.wait(PATIENCE_S)
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    assert "kept\n" == _line(process)
    for path in waiting(home):
        os.utime(path, ns=(0, 0))
    gateway.answers.clear()

    until(lambda: not waiting(home))


def test_a_process_that_was_forked_while_others_held_every_lock_waits_for_none(
    start: Start, home: Path, gateway: PlayedGateway
) -> None:
    """Whoever held them did not come along."""
    gateway.answers.append(told(200, {"evaluation_id": "e-1", "decision": "allow"}))
    gateway.answers.extend([told(503, {})] * 40)

    assert "3 kept" == say(start("fork_amid", home, gateway.url))


def test_a_lock_is_let_go_of_though_a_process_was_forked_that_has_the_file_open(tmp_path: Path) -> None:
    """As one that an agent starts while it reports."""
    with folder.locked(tmp_path / "lock", 0):
        handle = next(int(each.name) for each in Path("/proc/self/fd").iterdir() if each.resolve().name == "lock")
        child = os.dup(handle)
    try:
        with folder.locked(tmp_path / "lock", 0):
            pass
    finally:
        os.close(child)


def test_a_token_never_stands_in_the_folder(start: Start, home: Path, gateway: PlayedGateway) -> None:
    """A report that waits holds what is to be said, and nothing to say it with."""
    gateway.answers.extend([told(200, {"evaluation_id": "e-1", "decision": "allow"}), told(503, {})])
    assert "True" == say(start("shim_before", home, gateway.url))
    gate = programs.gate(str(home), "http://127.0.0.1:1")
    assert gate.counters[Counted.MISSED] == 0

    texts = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert texts
    assert [] == [text for text in texts if TOKEN.encode() in text]
