"""What becomes of a process on Linux before its program runs: it is tied to the life of the supervisor.

Run as a file, with the supervisor's process id and the command: `python -I -S launcher.py 4711 program argument…`.
It imports nothing of Interpose, so that it costs a few milliseconds.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
"""prctl(2): the signal that this process gets when its parent dies, kept over exec."""


def main() -> None:
    """Tie, then become the command. The parent may have died before the tie: then there is nothing to start."""
    parent, *command = sys.argv[1:]
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):
        sys.exit(f"the supervisor {parent} is gone")
    os.execv(command[0], command)  # noqa: S606 - the supervisor's own command


if __name__ == "__main__":
    main()
