"""A private folder that several processes share: whole files or none, and one holder of a lock at a time."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER_MODE, FILE_MODE = 0o700, 0o600
_LOOK_AGAIN_S = 0.002


def make_private(path: Path) -> None:
    """Create the folder for its owner alone, or check that an existing one is. Raises OSError."""
    path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    status = path.stat()
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise PermissionError(f"{path} must be its owner's alone: chmod 700 {path}")


def write_new(path: Path, data: bytes) -> int:
    """Write a file that was not there; an open descriptor of it. Raises OSError, and then leaves none behind."""
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE_MODE)
    try:
        _write(handle, data)
    except OSError:
        os.close(handle)
        path.unlink(missing_ok=True)
        raise
    return handle


def write_over(path: Path, data: bytes) -> None:
    """Write a file that nobody else writes now, whatever stood in it. It may be lost when the machine stops."""
    handle = os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, FILE_MODE)
    try:
        _write(handle, data)
    finally:
        os.close(handle)


def synchronise(path: Path) -> None:
    """Let the names in this folder survive the machine."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def locked(path: Path, patience_ms: int) -> Iterator[None]:
    """Hold a lock file. The kernel lets go when its holder dies. Raises TimeoutError when another keeps it."""
    handle = os.open(path, os.O_CREAT | os.O_RDWR, FILE_MODE)
    try:
        _wait_for(handle, path, patience_ms)
        yield
    finally:
        let_go(handle)


def let_go(handle: int) -> None:
    """Close a file that may be locked. Closed alone it would stay so for as long as a process lives that was forked
    meanwhile.
    """
    fcntl.flock(handle, fcntl.LOCK_UN)
    os.close(handle)


def try_lock(handle: int) -> bool:
    """Lock an open file for as long as it is open, unless another holds it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _wait_for(handle: int, path: Path, patience_ms: int) -> None:
    give_up = time.monotonic() + patience_ms / 1000
    while not try_lock(handle):
        if time.monotonic() >= give_up:
            raise TimeoutError(f"another process has held {path} for {patience_ms} ms")
        time.sleep(_LOOK_AGAIN_S)


def _write(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]
