"""A log that is a table of events in SQLite: each session of it is a log of its own, in the order of its numbers.

OpenClaw's documents say that events are appended and what they hold, not what the tables are called: `transcript_events
(session_id, seq, event_json)` is general knowledge. A database without it is refused with what it holds instead.
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from interpose.errors import Fault, InvalidInput
from interpose.history.entries import Damage, Entry, Position, State
from interpose.history.files import LINE_BYTES

WAIT_S = 2.0
_NEEDED = frozenset(("session_id", "seq", "event_json"))
_NEXT = """
    SELECT seq, length(CAST(event_json AS BLOB)),
           CASE WHEN length(CAST(event_json AS BLOB)) <= ? THEN CAST(event_json AS BLOB) END
    FROM transcript_events WHERE session_id = ? AND seq > ? ORDER BY seq
"""
_ONE = "SELECT CAST(event_json AS BLOB) FROM transcript_events WHERE session_id = ? AND seq = ?"


class SessionLog:
    """One session of a database. Its positions count the numbers of events, not bytes."""

    is_unfinished = False

    def __init__(self, path: Path, session: str, size: int) -> None:
        self.path = path
        self.session = session
        self.name = f"{path}#{session}"
        self.identity = self.name
        self.size = size
        self.tells: State = {"session": session}

    def still_holds(self, position: Position) -> bool:
        """Whether the last event that was read stands where it stood."""
        if position == Position():
            return True
        with _opened(self.path) as connection:
            row = connection.execute(_ONE, (self.session, position.number)).fetchone()
        return row is not None and _digest(row[0]) == position.digest

    def entries(self, after: Position) -> Iterator[Entry]:
        """Each event behind that position."""
        before = after.number if after.digest else -(2**62)
        with _opened(self.path) as connection:
            for number, length, data in connection.execute(_NEXT, (LINE_BYTES, self.session, before)):
                told = Damage(f"is longer than {LINE_BYTES} bytes ({length})") if data is None else bytes(data)
                yield Entry(number, told, Position(number, number, number, _digest(data)))


def sessions(path: Path) -> list[SessionLog]:
    """The sessions of a database, one log each. Raises InvalidInput for one whose form is not known."""
    with _opened(path) as connection:
        columns = {row[1] for row in connection.execute("PRAGMA table_info(transcript_events)")}
        if not columns >= _NEEDED:
            tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            message = (
                f"holds no table transcript_events (session_id, seq, event_json), but {', '.join(tables) or 'none'}"
            )
            raise InvalidInput("this history cannot be read", [Fault(str(path), message)])
        found = connection.execute(
            "SELECT session_id, max(seq) FROM transcript_events GROUP BY 1 ORDER BY 1"
        ).fetchall()
    return [SessionLog(path, str(session), last) for session, last in found]


def _digest(data: bytes | None) -> bytes:
    return hashlib.sha256(b"" if data is None else data).digest()


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """For reading only: the log is its platform's."""
    try:
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=WAIT_S, isolation_level=None)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise InvalidInput("this history cannot be read", [Fault(str(path), f"SQLite says: {error}")]) from error
