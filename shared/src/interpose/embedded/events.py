"""What the supervisor tells: one event for each thing that happens, shown by the command line as a line."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class EventKind(StrEnum):
    """How serious a line is."""

    READY = "ready"
    NOTE = "note"
    WARNING = "warning"
    CRASHED = "crashed"
    RESTARTED = "restarted"
    STOPPED = "stopped"
    KILLED = "killed"


@dataclass(frozen=True, slots=True)
class Event:
    """`name` is the process (`validator-1`, `broker`, `gateway`) or `interpose` itself."""

    kind: EventKind
    name: str
    message: str


Report = Callable[[Event], None]
