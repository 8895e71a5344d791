"""Noticing that a file changed, without reading it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Stamp:
    """What differs once a file is written, replaced, or given other permissions. Take it before reading the file.

    Then what is written while it is read counts as a change.
    """

    device: int
    inode: int
    size: int
    modified_ns: int
    changed_ns: int

    @classmethod
    def of(cls, path: Path) -> Self | None:
        """The file's stamp now; None when it cannot be looked at, which is no reason to think that it is as it was."""
        try:
            status = path.stat()
        except OSError:
            return None
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
