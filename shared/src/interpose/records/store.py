"""Writing the audit store: many records in one transaction, each once, on disk when `add` returns."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from interpose.errors import StoreUnavailable
from interpose.records.columns import columns, hook_rows
from interpose.records.schema import prepare
from interpose.records.stored import Stored

LOCK_WAIT_S = 2.0
"""How long a write waits for another process that writes."""


@dataclass(slots=True)
class Added:
    """What became of some records: how many are new, and what has to be told about them."""

    new: int = 0
    repeated: int = 0
    notes: list[str] = field(default_factory=list)


class Store:
    """One store, for one writer at a time in this process; further processes may write to the same file.

    A record is the same when its number and its time in the stream are, or its message id and its bytes. Where a
    number comes again with another time the stream itself began anew: its records stand in an `era` of their own, so
    that nothing is taken for a repetition that is none.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a store and bring it to this version; every commit is on disk before it returns.

        Raises ConfigurationError for a file that is no store of ours, StoreUnavailable when it cannot be used now.
        """
        with telling(str(path)):
            # One thread at a time, but not always the same one.
            connection = sqlite3.connect(path, timeout=LOCK_WAIT_S, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            prepare(connection, str(path))
        return cls(connection)

    @classmethod
    def temporary(cls) -> Self:
        """A store for one command: SQLite keeps it in memory, or in a file that nobody sees when it grows."""
        connection = sqlite3.connect("", isolation_level=None)
        prepare(connection, "a temporary store")
        return cls(connection)

    def add(self, records: Sequence[Stored]) -> Added:
        """Store them all, or none. Raises StoreUnavailable: then nothing of it counts as stored."""
        added = Added()
        with telling("the audit store"), self._transaction():
            era = self._era()
            for stored in records:
                era = self._add(era, stored, added)
        return added

    def through(self) -> int:
        """The highest number stored of the stream as it is now; 0 when there is none."""
        with telling("the audit store"):
            era = self._era()
            (found,) = self.connection.execute("SELECT max(sequence) FROM records WHERE era = ?", (era,)).fetchone()
        return found or 0

    def clear(self) -> None:
        """Forget everything: for temporary stores."""
        self.connection.execute("DELETE FROM hooks")
        self.connection.execute("DELETE FROM records")

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def _era(self) -> int:
        (era,) = self.connection.execute("SELECT max(era) FROM records").fetchone()
        return era or 1

    def _add(self, era: int, stored: Stored, added: Added) -> int:
        """Store one where it is not stored yet; returns the era that it belongs to."""
        asked = "SELECT stored_ns FROM records WHERE era = ? AND sequence = ?"
        there = self.connection.execute(asked, (era, stored.sequence)).fetchone()
        others = self._of_message(stored)
        if there == (stored.stored_ns,) or stored.data in others:
            added.repeated += 1
            return era
        if there is not None:
            era += 1
            added.notes.append(f"the stream began anew at its record {stored.sequence}: it is era {era} of the store")
        row = columns(stored)
        if others:
            row["note"] = "another record stands under the same message id"
        if row["note"] is not None:
            added.notes.append(f"record {stored.sequence} ({stored.subject}): {row['note']}")
        self._insert(era, stored, row)
        added.new += 1
        return era

    def _of_message(self, stored: Stored) -> list[bytes]:
        """What is stored already under the message's id."""
        if stored.message_id is None:
            return []
        asked = "SELECT data FROM records WHERE message_id = ?"
        return [data for (data,) in self.connection.execute(asked, (stored.message_id,))]

    def _insert(self, era: int, stored: Stored, drawn: Mapping[str, object]) -> None:
        own = {
            "era": era,
            "sequence": stored.sequence,
            "stored_ns": stored.stored_ns,
            "subject": stored.subject,
            "message_id": stored.message_id,
            "data": stored.data,
        }
        number = self._row("records", {**own, **drawn})
        for hook in hook_rows(stored):
            self._row("hooks", {"record_id": number, **hook})

    def _row(self, table: str, row: Mapping[str, object]) -> int | None:
        names, places = ", ".join(row), ", ".join("?" for _ in row)
        statement = f"INSERT INTO {table} ({names}) VALUES ({places})"  # noqa: S608 - names of our own columns
        return self.connection.execute(statement, tuple(row.values())).lastrowid

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # a full disk ends it by itself
                self.connection.execute("ROLLBACK")
            raise


@contextmanager
def telling(place: str) -> Iterator[None]:
    """Tell what SQLite says as StoreUnavailable."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreUnavailable(f"{place} cannot be used: {error}; free the disk, or end whoever holds it") from error
