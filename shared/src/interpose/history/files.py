"""A log that is a file of lines: read in pieces of bounded size, from where it was left.

A log of a gigabyte is never in memory: at most one line is, and one that is longer than `LINE_BYTES` is passed over
without being kept.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from interpose.history.entries import Damage, Entry, Position, State

LINE_BYTES = 32 * 1024 * 1024
"""Longer than any event that a platform's hook may send."""
PIECE_BYTES = 1024 * 1024


class FileLog:
    """One file. It may grow while it is read: what stands behind the last line break is left for the next time."""

    def __init__(self, path: Path, *, line_bytes: int = LINE_BYTES) -> None:
        self.path = path
        self.name = str(path)
        status = path.stat()
        self.identity = f"{status.st_dev}:{status.st_ino}"
        self.size = status.st_size
        self.is_unfinished = False
        """Whether, after everything was read, half a line stood at the end."""
        self.tells: State = {}
        self._line_bytes = line_bytes

    def still_holds(self, position: Position) -> bool:
        """Whether the last line that was read stands where it stood: else it is another file, or a changed one."""
        with self.path.open("rb") as stream:
            stream.seek(position.start)
            found = hashlib.sha256()
            left = position.offset - position.start
            while left > 0 and (piece := stream.read(min(left, PIECE_BYTES))):
                found.update(piece)
                left -= len(piece)
        return left == 0 and (position.offset == 0 or found.digest() == position.digest)

    def entries(self, after: Position) -> Iterator[Entry]:
        """Each line behind that position that is finished."""
        with self.path.open("rb") as stream:
            stream.seek(after.offset)
            start, number = after.offset, after.number
            while (read := self._line(stream)) is not None:
                line, digest, length = read
                number += 1
                yield Entry(number, line, Position(start + length, number, start, digest))
                start += length

    def _line(self, stream: BinaryIO) -> tuple[bytes | Damage, bytes, int] | None:
        """The next line with its digest and its length; None at the end, also where the last one is not finished."""
        line = stream.readline(self._line_bytes + 1)
        digest, length, is_whole = hashlib.sha256(line), len(line), line.endswith(b"\n")
        rest = line
        while not rest.endswith(b"\n") and (rest := stream.readline(PIECE_BYTES)):
            digest.update(rest)
            length += len(rest)
        if not rest.endswith(b"\n"):
            self.is_unfinished = length > 0
            return None
        told = Damage(f"is longer than {self._line_bytes} bytes")
        return (line if is_whole else told), digest.digest(), length


def resolved(path: Path) -> Path:
    """One spelling of a file's place, so that it is the same file however it was named."""
    return Path(os.path.realpath(path))
