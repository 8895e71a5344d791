"""The form of a SQLite file of ours: how it is known, and how an older one becomes a newer one.

`user_version` counts the migrations that a file has seen. One that a later version wrote is refused, never guessed at.
"""

import sqlite3
from dataclasses import dataclass

from interpose.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Form:
    """`migrations` lead statement by statement from nothing to this version; `other_file` says how to name another."""

    application_id: int
    migrations: tuple[tuple[str, ...], ...]
    other_file: str

    @property
    def version(self) -> int:
        """The newest that is known here."""
        return len(self.migrations)

    def prepare(self, connection: sqlite3.Connection, place: str) -> None:
        """Bring a file to this version, all or nothing. Raises ConfigurationError for one that is not ours to change.

        `connection` is in autocommit mode. Two processes may do this at once: the second finds it done.
        """
        connection.execute("BEGIN IMMEDIATE")
        try:
            for number in range(self.check(connection, place), self.version):
                for statement in self.migrations[number]:
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {self.application_id}")
            connection.execute(f"PRAGMA user_version = {self.version}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise

    def check(self, connection: sqlite3.Connection, place: str) -> int:
        """The version of a file, 0 for an empty one. Raises ConfigurationError where it is not ours, or a later one."""
        version = _number(connection, "PRAGMA user_version")
        owner = _number(connection, "PRAGMA application_id")
        if owner != self.application_id and (owner or _number(connection, "SELECT count(*) FROM sqlite_schema")):
            raise ConfigurationError(f"{place} is another program's database: {self.other_file}")
        if version > self.version:
            raise ConfigurationError(
                f"{place} was written by a later version (schema {version}, this one knows {self.version}): "
                f"upgrade Interpose, or {self.other_file}"
            )
        return version


def _number(connection: sqlite3.Connection, question: str) -> int:
    (found,) = connection.execute(question).fetchone()
    return int(found)
