"""Reading logs into the store: streaming, from where each was left, a batch in one transaction."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import orjson

from interpose.errors import Fault, InvalidInput
from interpose.history.entries import Call, Damage, Entry, Result
from interpose.history.form import formed
from interpose.history.formats import Format
from interpose.history.identity import base
from interpose.history.reading import parts
from interpose.history.sources import Log
from interpose.history.store import Place, Store

BATCH_ENTRIES = 500
BATCH_BYTES = 8 * 1024 * 1024


@dataclass(slots=True)
class Tally:
    """What an import came to. `repeated`: calls that are stored already; `unmatched`: results of no known call.

    `noted` are calls that have no normal form, `unfinished` logs that end with half a line.
    """

    logs: int = 0
    calls: int = 0
    repeated: int = 0
    results: int = 0
    unmatched: int = 0
    noted: int = 0
    damaged: int = 0
    unfinished: int = 0


class Witness(Protocol):
    """Whoever wants to be told while it goes on."""

    def damaged(self, log: Log, number: int, message: str) -> None:
        """Something was skipped; `number` is its line, or its number in a database."""

    def advanced(self, log: Log, offset: int) -> None:
        """A batch is stored."""


class Importer:
    """One import of some logs; `tally` says at any time what is stored of it."""

    def __init__(self, store: Store, form: Format, witness: Witness, servers: Collection[str] = ()) -> None:
        self.tally = Tally()
        self._store = store
        self._form = form
        self._witness = witness
        self._servers = servers
        self.is_stopping = False
        """Once it is set, what was read is stored and nothing more is read."""

    def run(self, logs: Iterable[Log]) -> Tally:
        """Import them all. Raises InvalidInput for a log that cannot be read, StoreUnavailable."""
        for log in logs:
            if self.is_stopping:
                break
            try:
                self._import(log)
            except OSError as error:
                fault = Fault(log.name, error.strerror or str(error))
                raise InvalidInput("this history cannot be read", [fault]) from error
        return self.tally

    def _import(self, log: Log) -> None:
        place = self._store.place(self._form.platform, log)
        if not place.position.digest:
            place.state = self._form.begin(log.path) | log.tells
        entries = log.entries(place.position)
        while self._batch(log, place, entries):
            self._witness.advanced(log, place.position.offset)
            if self.is_stopping:
                return
        self.tally.logs += 1
        self.tally.unfinished += log.is_unfinished

    def _batch(self, log: Log, place: Place, entries: Iterator[Entry]) -> bool:
        """Store the next entries and how far they reach; whether there were any."""
        count, size = 0, 0
        done = Tally()
        with self._store.transaction():
            for entry in entries:
                self._entry(log, place, entry, done)
                count += 1
                size += len(entry.data) if isinstance(entry.data, bytes) else 0
                if count >= BATCH_ENTRIES or size >= BATCH_BYTES or self.is_stopping:
                    break
            if count:
                self._store.keep(place)
        self._count(done)
        return count > 0

    def _entry(self, log: Log, place: Place, entry: Entry, done: Tally) -> None:
        for part in parts(self._form, entry, place.state):
            fault = part if isinstance(part, Damage) else self._add(place, entry, part, done)
            if fault is not None:
                done.damaged += 1
                self._witness.damaged(log, entry.number, fault.message)
        place.position = entry.after

    def _add(self, place: Place, entry: Entry, part: Call | Result, done: Tally) -> Damage | None:
        at = (entry.number, entry.data if isinstance(entry.data, bytes) else b"")
        try:
            if isinstance(part, Call):
                self._add_call(place, at, part, done)
            else:
                added = self._store.add_result(place, at, part)
                done.results += added is True
                done.unmatched += added is None
        except orjson.JSONEncodeError as error:
            return Damage(f"holds what cannot be written down again: {error}")
        return None

    def _add_call(self, place: Place, at: tuple[int, bytes], call: Call, done: Tally) -> None:
        known = base(self._form.platform, call, *at)
        form = formed(self._form.platform, call, self._servers)
        is_new = self._store.add_call(place, at, known, call, form)
        done.calls += is_new
        done.repeated += not is_new
        done.noted += is_new and form.note is not None

    def _count(self, done: Tally) -> None:
        for name in Tally.__slots__:
            setattr(self.tally, name, getattr(self.tally, name) + getattr(done, name))
