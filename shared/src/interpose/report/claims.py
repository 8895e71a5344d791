"""Which evaluation the end of a tool call belongs to.

A call is reserved before the gateway is asked, bound to its evaluation when it may run, and claimed once by its end.
It is found by its call id, else by its run id, else by its session and tool. Only a call id belongs to one call: under
the other two a second call, while the first is under way, could not be told from it and is not reserved. A call id that
comes again is the platform asking again about the same call, so the newer evaluation is the one that counts.
"""

import json
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from hashlib import sha256
from typing import NamedTuple, Protocol

from interpose.report import log
from interpose.report.counters import Counted, Counters

TTL_MS = 10 * 60 * 1000
"""As long as the gateway keeps an evaluation open."""
SWEEP_MS = 60_000


class Call(NamedTuple):
    """How a platform names a call before and after: whatever it has of these."""

    tool: str = ""
    call_id: str = ""
    run_id: str = ""
    session: str = ""


class Key(NamedTuple):
    """The name under which a call is reserved, and whether it belongs to one call."""

    name: str
    is_unique: bool


class Reservation(NamedTuple):
    """A call under way. Until it is bound to an evaluation it lives as long as the gateway may take to decide."""

    ticket: str
    tool: str
    until_ms: int
    evaluation_id: str = ""
    approval_id: str = ""


class Shelf(Protocol):
    """Where reservations lie. Everything but `held` is called by whoever holds it."""

    def held(self) -> AbstractContextManager[object]:
        """Nobody else reads or writes meanwhile. Raises OSError."""

    def get(self, name: str) -> Reservation | None:
        """What lies there."""

    def put(self, name: str, reservation: Reservation) -> None:
        """Lay it there, in the place of what lay there."""

    def remove(self, name: str) -> None:
        """Take away what lies there, if anything."""

    def written_before(self, time_ms: int) -> Iterable[str]:
        """The names of what was laid there before that time."""


def key_of(origin: str, call: Call) -> Key:
    """The key of a call."""
    if call.call_id:
        return Key(_digest(origin, "call", call.call_id), is_unique=True)
    if call.run_id:
        return Key(_digest(origin, "run", call.run_id), is_unique=False)
    return Key(_digest(origin, "tool", call.session, call.tool), is_unique=False)


def _digest(*parts: str) -> str:
    return sha256(json.dumps(parts).encode()).hexdigest()[:32]


class Claims:
    """The reservations of an origin. Several threads, and over a shared folder several processes, may use them.

    Every method raises OSError when the shelf cannot be used.
    """

    def __init__(self, shelf: Shelf, counters: Counters, now_ms: Callable[[], int], ttl_ms: int = TTL_MS) -> None:
        self._shelf = shelf
        self._counters = counters
        self._now_ms = now_ms
        self._ttl_ms = ttl_ms
        self._swept_ms = 0

    def reserve(self, key: Key, tool: str, pending_ms: int) -> str | None:
        """A ticket for this call; None where another call under the same key is under way."""
        now_ms = self._now_ms()
        with self._shelf.held():
            self._sweep(now_ms)
            found = self._shelf.get(key.name)
            if found is not None and found.until_ms > now_ms and not key.is_unique:
                return None
            ticket = os.urandom(16).hex()
            self._shelf.put(key.name, Reservation(ticket, tool, now_ms + pending_ms))
        return ticket

    def bind(self, key: Key, ticket: str, evaluation_id: str, approval_id: str = "") -> bool:
        """Whether the reservation was still there; from now on it waits for the end of its call."""
        with self._shelf.held():
            found = self._shelf.get(key.name)
            if found is None or found.ticket != ticket:
                return False
            until_ms = self._now_ms() + self._ttl_ms
            self._shelf.put(key.name, Reservation(ticket, found.tool, until_ms, evaluation_id, approval_id))
        return True

    def release(self, key: Key, ticket: str) -> None:
        """Give a reservation up: the call does not run."""
        with self._shelf.held():
            found = self._shelf.get(key.name)
            if found is not None and found.ticket == ticket:
                self._shelf.remove(key.name)

    def find(self, key: Key) -> Reservation | None:
        """The evaluation of a call under way, which stays."""
        with self._shelf.held():
            found = self._shelf.get(key.name)
            return found if found is not None and self._is_open(found) else None

    def claim(self, key: Key) -> Reservation | None:
        """The evaluation of the call that has ended. Whoever gets it is the only one."""
        with self._shelf.held():
            found = self._shelf.get(key.name)
            if found is None or not found.evaluation_id:
                return None
            self._shelf.remove(key.name)
        if self._is_open(found):
            return found
        self._counters.count(Counted.EXPIRED)
        return None

    def _is_open(self, found: Reservation) -> bool:
        return bool(found.evaluation_id) and found.until_ms > self._now_ms()

    def _sweep(self, now_ms: int) -> None:
        """Forget what nobody will claim any more."""
        if now_ms - self._swept_ms < SWEEP_MS:
            return
        self._swept_ms = now_ms
        gone = 0
        for name in list(self._shelf.written_before(now_ms - self._ttl_ms)):
            found = self._shelf.get(name)
            if found is None or found.until_ms > now_ms:
                continue
            self._shelf.remove(name)
            gone += bool(found.evaluation_id)
        if gone:
            self._counters.count(Counted.EXPIRED, gone)
            log.warning("%d calls were allowed and never reported back", gone)
