"""Asking the store of history. It is opened for reading only."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import orjson

from interpose.contracts.model import JsonObject
from interpose.errors import StoreUnavailable
from interpose.history.schema import FORM
from interpose.history.store import LOCK_WAIT_S, WHAT
from interpose.records.store import telling

_ASK = """
    SELECT calls.id, calls.platform, calls.session, calls.agent, calls.cwd, calls.tool, calls.canonical,
           calls.provider_call_id, calls.at_us, calls.ended_us, calls.is_error, calls.note, calls.form,
           request.data, response.data, logs.name, request.number
    FROM calls JOIN records AS request ON request.id = calls.request_id
    JOIN logs ON logs.id = request.log_id
    LEFT JOIN records AS response ON response.id = calls.response_id
"""


@dataclass(frozen=True, slots=True)
class Past:
    """A call of a log: its normal form, and the provider's own records of it, byte by byte."""

    id: int
    platform: str
    session: str | None
    agent: str | None
    cwd: str | None
    tool: str
    canonical: str | None
    provider_call_id: str | None
    at_us: int | None
    ended_us: int | None
    is_error: bool | None
    note: str | None
    form: JsonObject
    request: bytes
    response: bytes | None
    log: str
    number: int


class Reader:
    """Questions about one store."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """A store that is there. Raises StoreUnavailable, and ConfigurationError for what is no store of ours."""
        if not path.exists():
            raise StoreUnavailable(f"there is no history at {path}: `interpose history import` makes it")
        with telling(str(path)):
            address = f"{path.absolute().as_uri()}?mode=ro"
            connection = sqlite3.connect(address, uri=True, timeout=LOCK_WAIT_S, isolation_level=None)
            version = FORM.check(connection, str(path))
        if version < FORM.version:
            raise StoreUnavailable(f"{path} has an older form: `interpose history import` renews it")
        return cls(connection)

    def newest_first(self, *, platform: str | None = None, tool: str | None = None) -> Iterator[Past]:
        """Every call of these, one after the other: they are never in memory together. Those of no moment come last."""
        asked, given = [], []
        if platform is not None:
            asked.append("calls.platform = ?")
            given.append(platform)
        if tool is not None:
            asked.append("(calls.tool = ? COLLATE NOCASE OR calls.canonical = ? COLLATE NOCASE)")
            given += [tool, tool]
        condition = " AND ".join(asked) or "TRUE"
        order = "ORDER BY calls.at_us DESC, calls.id DESC"
        with telling(WHAT):
            for row in self._connection.execute(f"{_ASK} WHERE {condition} {order}", given):
                yield _past(row)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _past(row: tuple[Any, ...]) -> Past:
    told = dict(zip(Past.__slots__, row, strict=True))
    is_error = None if told["is_error"] is None else bool(told["is_error"])
    return Past(**told | {"is_error": is_error, "form": orjson.loads(told["form"])})
