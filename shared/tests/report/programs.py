"""Programs that tests run as processes of their own: `python programs.py NAME ARGUMENT...`, and one line of answer."""

import gc
import os
import sys
from pathlib import Path

from interpose.report import Gate
from interpose.report.claims import Call, Claims
from interpose.report.counters import Counted, FolderCounters, MemoryCounters
from interpose.report.courier import Clock, Courier
from interpose.report.shelves import FolderShelf, MemoryShelf

CALL = Call("Bash", "", "", "s")


def claims(folder: str) -> Claims:
    """The claims of a folder."""
    return Claims("an-agent", FolderShelf(Path(folder)), FolderCounters(Path(folder)), Clock().now_ms)


def wait() -> None:
    """Say that all is ready, then go with the others."""
    print("ready", flush=True)
    sys.stdin.readline()


def claim(folder: str) -> None:
    """Claim the one evaluation."""
    mine = claims(folder)
    wait()
    print("none" if mine.claim(CALL) is None else "claimed")


def reserve(folder: str) -> None:
    """Reserve the one call."""
    mine = claims(folder)
    wait()
    print("none" if mine.reserve(CALL, 60_000) is None else "reserved")


def count(folder: str) -> None:
    """Count a hundred."""
    mine = FolderCounters(Path(folder))
    wait()
    for _ in range(100):
        mine.count(Counted.MISSED)
    print("counted")


def hold(folder: str) -> None:
    """Hold the folder until somebody ends this process."""
    with FolderShelf(Path(folder)).held():
        wait()


def shim_before(folder: str, url: str) -> None:
    """What a command shim does before a call."""
    print(gate(folder, url).before("Bash", {"command": "ls"}, session="s").is_allowed)


def shim_after(folder: str, url: str) -> None:
    """What it does afterwards."""
    print(gate(folder, url).after("Bash", session="s", result={"stdout": "a b c"}, duration_ms=3).outcome)


def drain(folder: str, url: str) -> None:
    """Deliver what others left."""
    print(gate(folder, url).drain(20_000))


def fork(folder: str, url: str) -> None:
    """Report in the background in a process whose parent did so before."""
    mine = Gate.from_environment("an-agent", {}, folder=folder, url=url, token="a-token", report_timeout_ms=500)
    for name in ("parent", "child"):
        mine.before("Bash", {}, call_id=name)
    print(mine.after(call_id="parent").outcome, flush=True)
    if os.fork():
        os._exit(0)
    sys.stdin.readline()
    print(mine.after(call_id="child").outcome, flush=True)
    sys.stdin.readline()


def fork_amid(folder: str, url: str) -> None:
    """Report in a process that was forked while other threads held every lock."""
    mine = Gate.from_environment("an-agent", {}, folder=folder, url=url, token="a-token", report_timeout_ms=500)
    mine.before("Bash", {}, call_id="child")
    counters, shelf = MemoryCounters(), MemoryShelf(Clock().now_ms)
    shared = (Courier, MemoryCounters, MemoryShelf)
    locks = [vars(each)["_lock"] for each in gc.get_objects() if isinstance(each, shared)]
    for lock in locks:
        lock.acquire()
    if os.fork():
        os._exit(0)
    counters.count(Counted.MISSED)
    with shelf.held():
        print(len(locks), mine.after(call_id="child").outcome, flush=True)


def race_to_drain(folder: str, url: str) -> None:
    """Deliver what others left, all at once."""
    mine = gate(folder, url)
    wait()
    print(mine.drain(20_000))


def gate(folder: str, url: str) -> Gate:
    """The gate of a shim."""
    return Gate.from_environment(
        "an-agent", {}, folder=folder, url=url, token="a-token", delivery="drain", report_timeout_ms=60_000
    )


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
