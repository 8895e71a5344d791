"""Processes that a script left behind outside its own process group (setsid, double fork), found and killed.

Linux: this process becomes a subreaper (prctl(2), PR_SET_CHILD_SUBREAPER), so that whatever loses its parent below a
script becomes a child of ours and cannot get away to init. Whose it is, tells its session, else the token in its
environment, else its start: one that hides both is killed once no run that began before it is still going on. After
the last of several overlapping runs nothing is left. So the process that runs scripts must start nothing else in a
session of its own meanwhile.

macOS has no subreaper: there the process group is killed, and a script that leaves its session on purpose escapes.
"""

import asyncio
import ctypes
import functools
import logging
import os
import secrets
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

TOKEN_VARIABLE = "INTERPOSE_SCRIPT_RUN"  # noqa: S105  the name of a variable, not a secret
PATIENCE_S = 2.0
"""How long a killed process may take to go: one that needs more is stuck inside the kernel and runs no more code."""

_PR_SET_CHILD_SUBREAPER = 36
_PAUSE_S = 0.001
_CHILDREN = "children"
_log = logging.getLogger(__name__)


def new_token() -> str:
    """A value for TOKEN_VARIABLE by which the processes of one run are known."""
    return secrets.token_hex(16)


@functools.cache
def adopt() -> None:
    """Make this process the one that inherits orphans from below. Raises OSError where the kernel refuses."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
            number = ctypes.get_errno()
            raise OSError(number, f"cannot become a subreaper: {os.strerror(number)}")


@dataclass(frozen=True, slots=True)
class _Process:
    """One process as proc_pid_stat(5) tells it; `began` in clock ticks since boot."""

    pid: int
    parent: int
    session: int
    began: int

    @property
    def token(self) -> str | None:
        """The run it says it belongs to; None when it says nothing, or may not be read (a setuid program)."""
        try:
            environment = Path(f"/proc/{self.pid}/environ").read_bytes()
        except OSError:
            return None
        prefix = f"{TOKEN_VARIABLE}=".encode()
        found = (entry for entry in environment.split(b"\0") if entry.startswith(prefix))
        return next((entry[len(prefix) :].decode("ascii", "replace") for entry in found), None)


class Family:
    """Everything one run started. Make it before the script, the leader of its session, is reaped."""

    _going_on: "set[Family]" = set()  # noqa: RUF012  orphans come to the process, so its runs are known process-wide

    def __init__(self, leader: int, token: str) -> None:
        self._leader = leader
        self._token = token
        self._began = _began(leader)
        self._going_on.add(self)

    async def end(self) -> None:
        """Kill and reap what is left of the run, except the leader, which must have ended but not been reaped."""
        clock = asyncio.get_running_loop()
        give_up_at = clock.time() + PATIENCE_S
        while left := [child.pid for child in _children() if self._owns(child)]:
            for pid in left:
                _kill_and_reap(pid)
            if clock.time() > give_up_at:
                _log.error("processes that a script left behind were killed and are still there: %s", left)
                return
            await asyncio.sleep(_PAUSE_S)

    def forget(self) -> None:
        """The run is over: nothing is held back on its account any more."""
        self._going_on.discard(self)

    def _owns(self, child: _Process) -> bool:
        if child.pid in {family._leader for family in self._going_on} or child.session == os.getsid(0):
            return False
        if child.session == self._leader:
            return True
        others = self._going_on - {self}
        if (token := child.token) is not None:
            return token not in {family._token for family in others}
        foreign = any(child.session == family._leader or family._began <= child.began for family in others)
        return child.began >= self._began and not foreign


def _kill_and_reap(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, os.WNOHANG)
    except (ProcessLookupError, ChildProcessError):
        _log.debug("process %d was reaped by somebody else", pid)
    except PermissionError:
        _log.warning("process %d of a script may not be killed: it runs as another user", pid)


def _began(pid: int) -> int:
    process = _look(pid)
    return 0 if process is None else process.began


def _children() -> list[_Process]:
    looked = (_look(pid) for pid in _candidates())
    return [process for process in looked if process is not None and process.parent == os.getpid()]


def _candidates() -> list[int]:
    """This process's children by thread, or every process where the kernel keeps no such list."""
    if sys.platform != "linux":
        return []
    try:
        return [
            int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / _CHILDREN).read_text().split()
        ]
    except FileNotFoundError:
        # No CONFIG_PROC_CHILDREN, or a thread that ended between two looks.
        return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _look(pid: int) -> _Process | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = stat[stat.rindex(")") + 2 :].split()
    return _Process(pid, parent=int(fields[1]), session=int(fields[3]), began=int(fields[19]))
