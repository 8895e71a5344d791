"""The filters over records as they come, one at a time, with the meaning that they have over a store."""

from interpose.records.reader import Reader
from interpose.records.store import Store
from interpose.records.stored import Stored
from interpose.records.wanted import Wanted


class Sieve:
    """Holds one record at a time in a store of its own, and asks that."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._store = Store.temporary()
        self._reader = Reader.of(self._store)

    def lets_through(self, stored: Stored) -> bool:
        """Whether the record is wanted."""
        if self._wanted.is_everything:
            return True
        self._store.clear()
        self._store.add([stored])
        return self._reader.has(self._wanted)
