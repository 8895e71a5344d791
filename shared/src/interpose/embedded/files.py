"""Files with secrets in them: created with mode 0600 in folders of mode 0700, never widened and narrowed later."""

import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from interpose.errors import ConfigurationError, Fault

FOLDER_MODE = 0o700
FILE_MODE = 0o600


def make_folder(path: Path) -> None:
    """Create the folder for its owner alone, or check that an existing one is. Raises ConfigurationError."""
    try:
        path.mkdir(mode=FOLDER_MODE)
    except FileExistsError:
        check_private(path, FOLDER_MODE)
    except OSError as error:
        raise ConfigurationError(
            f"cannot create the folder {path}: {error.strerror}; name another with --home"
        ) from error


def check_private(path: Path, mode: int) -> None:
    """Refuse what other users of the machine may read or write, or what belongs to one of them."""
    status = path.stat()
    if status.st_uid != os.geteuid():
        raise ConfigurationError(
            f"{path} belongs to another user; name a folder of your own with --home or INTERPOSE_HOME"
        )
    if stat.S_IMODE(status.st_mode) & 0o077:
        fault = Fault(str(path), f"mode {stat.S_IMODE(status.st_mode):04o} lets other users in")
        raise ConfigurationError(f"keys must be their owner's alone: chmod {mode:o} {path}", [fault])


def create_private(path: Path, data: bytes) -> bool:
    """Write a new file of mode 0600; True when it was created, False when one was already there (it is kept)."""
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
    except FileExistsError:
        check_private(path, FILE_MODE)
        return False
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return True


def replace_private(path: Path, data: bytes) -> None:
    """Write the whole file or nothing: readers see the old bytes or the new ones, always mode 0600."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        create_private(draft, data)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file: one writer at a time over all processes. The kernel lets go when its holder dies."""
    with open_private(path) as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@contextmanager
def open_private(path: Path) -> Iterator[int]:
    """An open descriptor of a file of mode 0600, created when missing, for locks and logs (appending)."""
    handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR, FILE_MODE)
    try:
        yield handle
    finally:
        os.close(handle)
