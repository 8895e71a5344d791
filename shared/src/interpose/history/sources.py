"""The logs that paths name: a file is one, a folder holds many, a database has one for each session."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from interpose.errors import Fault, InvalidInput
from interpose.history.databases import sessions
from interpose.history.entries import Entry, Position, State
from interpose.history.files import FileLog, resolved
from interpose.history.formats import Format

DATABASES = (".sqlite", ".db")


class Log(Protocol):
    """Something that is read from where it was left."""

    path: Path
    name: str
    """Its place, in one spelling."""
    identity: str
    """By which it is known again under another name."""
    size: int
    """How far it goes, in the measure of its positions' offsets."""
    is_unfinished: bool
    tells: State
    """What it says of all its entries before the first."""

    def still_holds(self, position: Position) -> bool:
        """Whether what was read up to there is what stands there."""

    def entries(self, after: Position) -> Iterator[Entry]:
        """What stands behind it."""


def logs(paths: Iterable[Path], form: Format) -> Iterator[Log]:
    """Every log once, in the order of their names within a folder. Raises InvalidInput for a path with none."""
    seen: set[Path] = set()
    for path in paths:
        is_empty = True
        for file in _files(path, form.endings):
            is_empty = False
            place = resolved(file)
            if place not in seen:
                seen.add(place)
                yield from _of(place)
        if is_empty:
            message = f"holds no file that ends in {' or '.join(form.endings)}"
            raise InvalidInput("there is no history", [Fault(str(path), message)])


def _of(file: Path) -> Iterator[Log]:
    try:
        if file.suffix in DATABASES:
            yield from sessions(file)
        else:
            yield FileLog(file)
    except OSError as error:
        raise _unreadable(file, error) from error


def _files(path: Path, endings: tuple[str, ...]) -> Iterator[Path]:
    """A file by whatever name, or those below a folder that end as the format's files do; links are not followed."""
    if path.is_file():
        yield path
        return
    if not path.exists():
        raise InvalidInput("there is no history", [Fault(str(path), "is not there")])
    for folder, below, names in os.walk(path, onerror=_refuse):
        below.sort()
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(endings))


def _refuse(error: OSError) -> None:
    raise _unreadable(Path(str(error.filename)), error) from error


def _unreadable(path: Path, error: OSError) -> InvalidInput:
    return InvalidInput("this history cannot be read", [Fault(str(path), str(error.strerror))])
