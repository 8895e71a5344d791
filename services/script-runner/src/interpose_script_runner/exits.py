"""Seeing that a child has ended without reaping it.

Until it is reaped, the kernel gives neither its process id nor its group id to anybody else, so that the group can
still be killed without a chance of hitting a stranger. asyncio's own child watchers reap first.
"""

import asyncio
import os
import sys

if sys.platform == "linux":

    class _Watch:
        """A pidfd (pidfd_open(2), Linux 5.3): readable once the process has ended."""

        def __init__(self, pid: int) -> None:
            self._descriptor = os.pidfd_open(pid)

        def fileno(self) -> int:
            return self._descriptor

        def close(self) -> None:
            os.close(self._descriptor)

else:
    import select

    class _Watch:
        """A kqueue(2) of its own: readable once the process has ended. ProcessLookupError when it already has."""

        def __init__(self, pid: int) -> None:
            self._queue = select.kqueue()
            flags = select.KQ_EV_ADD | select.KQ_EV_ONESHOT
            try:
                self._queue.control([select.kevent(pid, select.KQ_FILTER_PROC, flags, select.KQ_NOTE_EXIT)], 0)
            except OSError:
                self._queue.close()
                raise

        def fileno(self) -> int:
            return self._queue.fileno()

        def close(self) -> None:
            self._queue.close()


class Exit:
    """The end of one child: `seen` is set once the child has ended. Needs a running loop; close it afterwards.

    Raises OSError where the kernel cannot watch one more process.
    """

    def __init__(self, pid: int) -> None:
        self._loop = asyncio.get_running_loop()
        self.seen = asyncio.Event()
        self._watch: _Watch | None = None
        try:
            self._watch = _Watch(pid)
        except ProcessLookupError:
            self.seen.set()
        else:
            self._loop.add_reader(self._watch.fileno(), self._note)

    def _note(self) -> None:
        self.close()
        self.seen.set()

    def close(self) -> None:
        """Stop watching; a second time does nothing."""
        if self._watch is not None:
            self._loop.remove_reader(self._watch.fileno())
            self._watch.close()
            self._watch = None
