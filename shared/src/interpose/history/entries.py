"""What a log is read into: calls, what came back of them, and lines that are neither whole nor readable."""

from dataclasses import dataclass
from typing import Any

from interpose.canonical.mcp import McpName
from interpose.contracts.model import JsonObject

State = dict[str, Any]
"""What a format remembers from one line to the next, as JSON: it is kept with the place up to which a log was read."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that an agent called, in the platform's own words. `part` counts the calls and results of one record."""

    part: int
    tool: str
    arguments: JsonObject
    call_id: str | None
    session: str | None = None
    agent: str | None = None
    cwd: str | None = None
    at: Any = None
    """As the log writes it: ISO 8601, or ms since 1970."""
    raw_arguments: Any = None
    """The arguments as they came where they were no object; `arguments` is then `{"_raw": …}`."""
    mcp: McpName | None = None
    is_script: bool = False
    is_told_again: bool = False
    """Whether a log that names the same id again means the same call, and not one more."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came back of a call. `is_error` is None where the log does not tell, and no text is guessed at."""

    part: int
    call_id: str
    text: str | None
    is_error: bool | None
    at: Any = None


@dataclass(frozen=True, slots=True)
class Damage:
    """A piece of a log that cannot be read, and why. It is skipped, told and counted."""

    message: str


@dataclass(frozen=True, slots=True)
class Position:
    """How far a log was read: `offset` is where the next entry begins, `number` counts the entries before it.

    `start` and `digest` are of the last entry that was read: by them it is known again.
    """

    offset: int = 0
    number: int = 0
    start: int = 0
    digest: bytes = b""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a file, or one row of a database. `data` is what stands there, or why it is not read."""

    number: int
    data: bytes | Damage
    after: Position
