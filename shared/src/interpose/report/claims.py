"""Which evaluation the end of a tool call belongs to.

A call is reserved before the gateway is asked, bound to its evaluation when it may run, and claimed once by its end.
It is found by its call id, else by its run id, else by its session and tool. Under the last two a second call, while
the first is under way, could not be told from it and is not reserved. Hosts may count call ids anew in each run, so
calls of other tools, runs or sessions live side by side under one id; the same call once more is the platform asking
again, and the newer evaluation is the one that counts.
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

    def key(self, origin: str) -> str:
        """The name of the place where it is reserved."""
        if self.call_id:
            parts = [origin, "call", self.call_id]
        elif self.run_id:
            parts = [origin, "run", self.run_id]
        else:
            parts = [origin, "tool", self.session, self.tool]
        return sha256(json.dumps(parts).encode()).hexdigest()[:32]


class Reservation(NamedTuple):
    """A call under way. Until it is bound to an evaluation it lives as long as the gateway may take to decide."""

    ticket: str
    until_ms: int
    tool: str
    run_id: str
    session: str
    evaluation_id: str = ""
    approval_id: str = ""

    def may_be(self, call: Call) -> bool:
        """Whether this call, which has the same key, cannot be told from it."""
        pairs = ((self.tool, call.tool), (self.run_id, call.run_id), (self.session, call.session))
        return not call.call_id or not any(mine and its and mine != its for mine, its in pairs)


class Shelf(Protocol):
    """Where reservations lie, each place under a name. Everything but `held` is called by whoever holds it."""

    def held(self) -> AbstractContextManager[object]:
        """Nobody else reads or writes meanwhile. Raises OSError."""

    def get(self, name: str) -> list[Reservation]:
        """What lies there."""

    def put(self, name: str, reservations: list[Reservation]) -> None:
        """Lay these there and nothing else."""

    def written_before(self, time_ms: int) -> Iterable[str]:
        """The names of the places that nobody wrote to since that time."""


class Claims:
    """The reservations of an origin. Several threads, and over a shared folder several processes, may use them.

    Every method raises OSError when the shelf cannot be used.
    """

    def __init__(
        self, origin: str, shelf: Shelf, counters: Counters, now_ms: Callable[[], int], ttl_ms: int = TTL_MS
    ) -> None:
        self._origin = origin
        self._shelf = shelf
        self._counters = counters
        self._now_ms = now_ms
        self._ttl_ms = ttl_ms
        self._swept_ms = 0

    def reserve(self, call: Call, pending_ms: int) -> str | None:
        """A ticket for this call; None where it could not be told from another that is under way."""
        now_ms, name = self._now_ms(), call.key(self._origin)
        new = Reservation(os.urandom(16).hex(), now_ms + pending_ms, call.tool, call.run_id, call.session)
        with self._shelf.held():
            self._sweep(now_ms)
            open_ = self._open(name, now_ms)
            others = [found for found in open_ if not found.may_be(call)]
            if len(others) < len(open_) and not call.call_id:
                return None
            self._shelf.put(name, [*others, new])
        self._counters.count(Counted.REPLACED, len(open_) - len(others))
        return new.ticket

    def bind(self, call: Call, ticket: str, evaluation_id: str, approval_id: str = "") -> bool:
        """Whether the reservation was still there; from now on it waits for the end of its call."""
        name = call.key(self._origin)
        with self._shelf.held():
            found = self._shelf.get(name)
            if ticket not in [one.ticket for one in found]:
                return False
            until_ms = self._now_ms() + self._ttl_ms
            (mine,) = [one for one in found if one.ticket == ticket]
            mine = mine._replace(until_ms=until_ms, evaluation_id=evaluation_id, approval_id=approval_id)
            self._shelf.put(name, [mine if one.ticket == ticket else one for one in found])
        return True

    def release(self, call: Call, ticket: str) -> None:
        """Give a reservation up: the call does not run."""
        name = call.key(self._origin)
        with self._shelf.held():
            self._shelf.put(name, [one for one in self._shelf.get(name) if one.ticket != ticket])

    def find(self, call: Call) -> Reservation | None:
        """The evaluation of a call under way, which stays. None where there is none, or more than one could be it."""
        with self._shelf.held():
            return self._find(call)

    def claim(self, call: Call) -> Reservation | None:
        """The evaluation of the call that has ended. Whoever gets it is the only one."""
        name = call.key(self._origin)
        with self._shelf.held():
            found = self._find(call)
            if found is not None:
                self._shelf.put(name, [one for one in self._shelf.get(name) if one != found])
        return found

    def _find(self, call: Call) -> Reservation | None:
        open_ = self._open(call.key(self._origin), self._now_ms())
        found = [one for one in open_ if one.evaluation_id and one.may_be(call)]
        return found[0] if len(found) == 1 else None

    def _open(self, name: str, now_ms: int) -> list[Reservation]:
        """What is under way there. What nobody claimed in time is forgotten, and counted."""
        found = self._shelf.get(name)
        open_ = [one for one in found if one.until_ms > now_ms]
        if len(open_) < len(found):
            self._shelf.put(name, open_)
            self._expired([one for one in found if one.until_ms <= now_ms])
        return open_

    def _sweep(self, now_ms: int) -> None:
        if now_ms - self._swept_ms >= SWEEP_MS:
            self._swept_ms = now_ms
            for name in list(self._shelf.written_before(now_ms - self._ttl_ms)):
                self._open(name, now_ms)

    def _expired(self, gone: list[Reservation]) -> None:
        """What was never bound has no evaluation that could expire."""
        for tool in [one.tool for one in gone if one.evaluation_id]:
            self._counters.count(Counted.EXPIRED)
            log.warning("a call of %s was allowed and not reported within its time", tool)
