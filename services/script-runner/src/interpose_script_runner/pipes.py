"""The pipes of a running script, from the runner's side: never blocking, bounded in memory, closed exactly once."""

import asyncio
import os
from collections.abc import Callable
from typing import IO

CHUNK_BYTES = 64 * 1024
DRAIN_CHUNKS = 32
"""How much is read at the end from a pipe that somebody still fills: two MiB, beyond every pipe's own buffer."""


class Feed:
    """Writes `data` into a script's stdin as fast as it is taken, then closes it.

    A script that closes its stdin early, or never reads it, did nothing wrong: the rest is dropped.
    """

    def __init__(self, pipe: IO[bytes], data: bytes) -> None:
        os.set_blocking(pipe.fileno(), False)
        self._loop = asyncio.get_running_loop()
        self._pipe = pipe
        self._rest = memoryview(data)
        self._loop.add_writer(pipe.fileno(), self._write)

    def _write(self) -> None:
        try:
            self._rest = self._rest[os.write(self._pipe.fileno(), self._rest[:CHUNK_BYTES]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.close()
            return
        if not self._rest:
            self.close()

    def close(self) -> None:
        """Close the pipe; a second time does nothing."""
        if not self._pipe.closed:
            self._loop.remove_writer(self._pipe.fileno())
            self._pipe.close()


class Catch:
    """Reads what a script prints and keeps the first `limit` bytes; `on_surplus` is called at the first byte beyond.

    The surplus is read and dropped, so that a script is never stopped by a full pipe.
    """

    def __init__(self, pipe: IO[bytes], limit: int, on_surplus: Callable[[], None] | None = None) -> None:
        os.set_blocking(pipe.fileno(), False)
        self._loop = asyncio.get_running_loop()
        self._pipe = pipe
        self._limit = limit
        self._on_surplus = on_surplus
        self._kept = bytearray()
        self.overflowed = False
        self._loop.add_reader(pipe.fileno(), self._read)

    @property
    def data(self) -> bytes:
        """What was kept so far."""
        return bytes(self._kept)

    def _read(self) -> bool:
        """Take one chunk; False when there is none for now or none any more."""
        try:
            chunk = os.read(self._pipe.fileno(), CHUNK_BYTES)
        except BlockingIOError:
            return False
        if not chunk:
            self.close()
            return False
        self._keep(chunk)
        return True

    def _keep(self, chunk: bytes) -> None:
        room = self._limit - len(self._kept)
        self._kept += chunk[:room]
        if len(chunk) > room and not self.overflowed:
            self.overflowed = True
            if self._on_surplus is not None:
                self._on_surplus()

    def drain(self) -> None:
        """Take what already lies in the pipe, without waiting for whoever may still hold its other end; then close."""
        for _ in range(DRAIN_CHUNKS):
            if self._pipe.closed or not self._read():
                break
        self.close()

    def close(self) -> None:
        """Close the pipe; a second time does nothing."""
        if not self._pipe.closed:
            self._loop.remove_reader(self._pipe.fileno())
            self._pipe.close()
