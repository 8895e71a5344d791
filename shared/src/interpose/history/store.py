"""Writing the store of history: each call once, and with it how far its log was read, in one transaction.

Whoever is killed loses the transaction that was under way and nothing else: the next import goes on from the one
before. Several may import at once; what both read is stored once.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import orjson

from interpose.errors import StoreUnavailable
from interpose.history.entries import Call, Position, Result, State
from interpose.history.form import Formed, answered
from interpose.history.identity import Base
from interpose.history.moments import microseconds_of
from interpose.history.schema import FORM
from interpose.history.sources import Log
from interpose.records.store import telling

LOCK_WAIT_S = 20.0
"""Another import holds the file for one batch at a time."""
FILE_MODE = 0o600
WHAT = "the store of history"


@dataclass(slots=True)
class Place:
    """A log as the store knows it: where reading goes on, and what the lines before said."""

    id: int
    position: Position
    state: State


class Store:
    """One store, for one writer at a time in this process."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a store, make it where there is none, and bring it to this version.

        Raises ConfigurationError for a file that is no store of ours, StoreUnavailable when it cannot be used now.
        """
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, FILE_MODE))
        except OSError as error:
            raise StoreUnavailable(f"{path} cannot be written: {error.strerror}") from error
        with telling(str(path)):
            connection = sqlite3.connect(path, timeout=LOCK_WAIT_S, isolation_level=None)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            FORM.prepare(connection, str(path))
        return cls(connection)

    def place(self, platform: str, log: Log) -> Place:
        """Where reading this log goes on. A changed one begins anew beside what was read of it before."""
        with telling(WHAT), self.transaction():
            known = self._known(platform, log)
            if known is not None and log.still_holds(known.position):
                said = "UPDATE logs SET name = ?, identity = ? WHERE id = ?"
                self._connection.execute(said, (log.name, log.identity, known.id))
                return known
            if known is not None:
                self._connection.execute("UPDATE logs SET is_current = 0 WHERE id = ?", (known.id,))
            return Place(self._new(platform, log), Position(), {})

    def keep(self, place: Place) -> None:
        """Write down how far the log was read: within the transaction that holds what was read."""
        at, state = place.position, orjson.dumps(place.state).decode()
        self._connection.execute(
            "UPDATE logs SET offset = ?, number = ?, start = ?, digest = ?, state = ? WHERE id = ?",
            (at.offset, at.number, at.start, at.digest, state, place.id),
        )

    def add_call(self, place: Place, at: tuple[int, bytes], base: Base, call: Call, form: Formed) -> bool:
        """Store a call that stands at `(number, line)`; whether it is new."""
        number = at[0]
        nth = self._nth(place, number, call.part, base) if base.may_repeat else 0
        found = self._one("SELECT id FROM calls WHERE base = ? AND nth = ?", base.digest, nth)
        call_id = found if found is not None else self._insert(place, at, (base.digest, nth), call, form)
        self._connection.execute(
            "INSERT OR IGNORE INTO sightings (log_id, number, part, call_id) VALUES (?, ?, ?, ?)",
            (place.id, number, call.part, call_id),
        )
        return found is None

    def add_result(self, place: Place, at: tuple[int, bytes], result: Result) -> bool | None:
        """Store what came back of the last call of that id in this log; whether it is new, None where there is none.

        What one log said stands when another says it again; the same log may write a later state of its call.
        """
        row = self._connection.execute(_LAST, (place.id, result.call_id, at[0])).fetchone()
        if row is None:
            return None
        call_id, form, told_by, told_at = row
        if told_by is not None and (told_by != place.id or told_at >= at[0]):
            return False
        wire = orjson.dumps(answered(orjson.loads(form), result)).decode()
        is_error = None if result.is_error is None else int(result.is_error)
        values = (wire, is_error, microseconds_of(result.at), self._record(place, *at), call_id)
        self._connection.execute(
            "UPDATE calls SET form = ?, is_error = ?, ended_us = ?, response_id = ? WHERE id = ?", values
        )
        return told_by is None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it, or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # a full disk ends it by itself
                self._connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _known(self, platform: str, log: Log) -> Place | None:
        """By its name; else, where a file was moved, by what the system knows it by."""
        asked = "SELECT id, offset, number, start, digest, state, name FROM logs WHERE platform = ? AND is_current AND "
        found = self._connection.execute(f"{asked} name = ?", (platform, log.name)).fetchone()
        if found is None:
            found = self._connection.execute(f"{asked} identity = ?", (platform, log.identity)).fetchone()
            if found is not None and Path(found[6]).exists():
                found = None  # a number that the system gave again, or a second name of one file
        if found is None:
            return None
        return Place(found[0], Position(*found[1:5]), orjson.loads(found[5]))

    def _new(self, platform: str, log: Log) -> int:
        values = (platform, log.name, log.identity)
        row = "INSERT INTO logs (platform, name, identity, is_current, offset, number, start, digest, state)"
        return self._written(f"{row} VALUES (?, ?, ?, 1, 0, 0, 0, x'', '{{}}')", values)

    def _nth(self, place: Place, number: int, part: int, base: Base) -> int:
        """The how-manieth call of this base in this log it is."""
        asked = """
            SELECT count(*) FROM sightings JOIN calls ON calls.id = sightings.call_id
            WHERE calls.base = ? AND sightings.log_id = ? AND (sightings.number, sightings.part) < (?, ?)
        """
        return int(self._one(asked, base.digest, place.id, number, part))

    def _insert(self, place: Place, at: tuple[int, bytes], base: tuple[bytes, int], call: Call, form: Formed) -> int:
        row: dict[str, Any] = {
            "base": base[0],
            "nth": base[1],
            "platform": form.wire["platform"],
            "session": call.session,
            "agent": call.agent,
            "cwd": call.cwd,
            "tool": call.tool,
            "canonical": form.canonical,
            "kind": form.kind,
            "provider_call_id": call.call_id,
            "at_us": microseconds_of(call.at),
            "matches_model": None if form.matches_model is None else int(form.matches_model),
            "note": form.note,
            "form": orjson.dumps(form.wire).decode(),
            "request_id": self._record(place, *at),
        }
        names, places = ", ".join(row), ", ".join("?" for _ in row)
        return self._written(f"INSERT INTO calls ({names}) VALUES ({places})", tuple(row.values()))  # noqa: S608 - ours

    def _record(self, place: Place, number: int, line: bytes) -> int:
        """The line that something stands in, stored once."""
        found = self._one("SELECT id FROM records WHERE log_id = ? AND number = ?", place.id, number)
        if found is not None:
            return int(found)
        said = "INSERT INTO records (log_id, number, data) VALUES (?, ?, ?)"
        return self._written(said, (place.id, number, line.rstrip(b"\r\n")))

    def _written(self, statement: str, values: tuple[Any, ...]) -> int:
        return self._connection.execute(statement, values).lastrowid or 0

    def _one(self, asked: str, *given: object) -> Any:
        row = self._connection.execute(asked, given).fetchone()
        return None if row is None else row[0]


_LAST = """
    SELECT calls.id, calls.form, records.log_id, records.number
    FROM calls JOIN sightings ON sightings.call_id = calls.id AND sightings.log_id = ?
    LEFT JOIN records ON records.id = calls.response_id
    WHERE calls.provider_call_id = ? AND sightings.number <= ?
    ORDER BY sightings.number DESC, sightings.part DESC LIMIT 1
"""
