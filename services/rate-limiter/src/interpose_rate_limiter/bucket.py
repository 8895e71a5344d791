"""The broker's bucket `LIMITS`: read from the leader, written by compare-and-set, each key with a life of its own.

And its clock: the broker tells the time with what it tells of the bucket. A worker's own clocks only measure how long
ago that was, so that a wall clock that steps changes nothing.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from nats.aio.client import Client

from interpose.bus import headers, messages, subjects
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners
from interpose.bus.tasks import end
from interpose.contracts.ids import secret
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure
from interpose_rate_limiter.counting.moment import US_PER_S, Moment
from interpose_rate_limiter.ports import Entry, Uncounted

ATTEMPT_S = 2.0
CHANGED_MEANWHILE = frozenset({10071, 10164})
"""The broker's codes for a last sequence that is not the expected one; the second where another write is on its way."""
OPERATION = "KV-Operation"
"""What a KV client writes instead of a value when it deletes a key."""
EVERY_S = 5.0
STALE_S = 30.0
DRIFT_PER_S = 0.001
"""How far two clocks may come apart in a second: what is known of the broker's gets less with time."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MISSING = "the broker has no bucket LIMITS: `interpose up` or `interpose operate` makes it"

log = logging.getLogger(__name__)


def passed_us() -> int:
    """A clock that nobody sets and that goes on while the machine sleeps, where there is one."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)) // 1000


@dataclass(frozen=True, slots=True)
class Told:
    """What the broker told of its time, between these two moments of our own."""

    at: int
    asked: int
    heard: int

    def moment(self, now: int) -> Moment:
        """What its clock shows now."""
        earliest, latest = now - self.heard, now - self.asked
        drift = int(latest * DRIFT_PER_S) + 1
        return Moment(self.at + max(0, earliest - drift), self.at + latest + drift)


@dataclass(slots=True)
class BrokerBucket:
    """The bucket over one connection's asker. `most_keys`: beyond as many no new counter begins."""

    most_keys: int
    _asker: Asker | None = None
    _told: Told | None = None
    _keys: int = 0
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    @asynccontextmanager
    async def beside(self, client: Client) -> AsyncIterator[None]:
        """Open the inbox, and keep looking at the clock. What was asked before the end is still answered after it."""
        asker = Asker(client, f"{subjects.service_inbox(subjects.RATE_LIMITER)}.{secret()}")
        await asker.start(Listeners())
        self._asker = asker
        watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            await end(watching)

    async def now(self) -> Moment:
        """The broker's time. Asks for it only where nobody looked for long. Raises Uncounted."""
        told = self._told
        if told is None or passed_us() - told.heard > STALE_S * US_PER_S:
            told = await self.look()
        return told.moment(passed_us())

    async def look(self) -> Told:
        """Ask for the time, and how many keys there are. Raises Uncounted."""
        async with self._looking:
            asked = passed_us()
            answer = _object(await self._ask(subjects.LIMITS_CLOCK, b""), "the bucket LIMITS")
            heard = passed_us()
            try:
                at = (datetime.fromisoformat(answer["ts"]) - EPOCH) // timedelta(microseconds=1)
                self._keys = int(answer["state"]["messages"])
            except (KeyError, TypeError, ValueError) as error:
                raise Uncounted(f"the broker does not tell the time: {_said(answer) or repr(error)}") from error
            self._told = Told(at, asked, heard)
            return self._told

    async def read(self, name: str) -> Entry:
        """What stands there now. Raises Uncounted."""
        key = subjects.counter(name)
        try:
            found = messages.read_message(await self._ask(subjects.LIMITS_READ, messages.last_of(key)))
        except ValueError as error:
            raise Uncounted(f"the broker's answer about {key} cannot be read: {error}") from error
        if isinstance(found, messages.Message):
            is_deleted = found.header(OPERATION) is not None
            return Entry(found.sequence, b"" if is_deleted else found.data)
        if found.code == messages.NO_MESSAGE:
            return Entry(0, b"")
        raise Uncounted(
            MISSING if found.code == messages.NO_STREAM else f"the broker does not tell {key}: {found.said}"
        )

    async def write(self, name: str, data: bytes, *, after: int, life_s: int) -> int | None:
        """Where `after` still stands there. Raises Uncounted, also for a new key where there are too many."""
        if after == 0:
            self._make_room()
        key, sent = subjects.counter(name), {headers.EXPECTED_LAST: str(after), headers.LIFE: str(max(1, life_s))}
        sent[headers.EXPECTED_STREAM] = subjects.LIMITS_STREAM
        reply = await self._asked(key, data, sent)
        if isinstance(reply, NoReply):
            if reply.failure is Failure.DEADLINE_EXCEEDED:
                return None
            raise Uncounted(_why(reply))
        return _stored_at(_object(reply.body, key))

    def _make_room(self) -> None:
        if self._keys >= self.most_keys:
            raise Uncounted(
                f"there are {self._keys} counters, and no more than INTERPOSE_LIMITS_KEYS={self.most_keys} may be:"
                " use keys that take fewer values (a session is the caller's own word), or raise it"
            )
        self._keys += 1

    async def _ask(self, subject: str, body: bytes) -> bytes:
        reply = await self._asked(subject, body, None)
        if isinstance(reply, NoReply):
            raise Uncounted(_why(reply))
        return reply.body

    async def _asked(self, subject: str, body: bytes, sent: dict[str, str] | None) -> Replied | NoReply:
        if self._asker is None:
            raise Uncounted("counters are kept over the worker's connection, and there is none yet")
        return await self._asker.ask(subject, body, ATTEMPT_S, sent)

    async def _watch(self) -> None:
        while True:
            try:
                await self.look()
            except Uncounted as error:
                log.warning("the broker's clock cannot be read: %s", error)
            await asyncio.sleep(EVERY_S)


def _why(reply: NoReply) -> str:
    if reply.failure is Failure.NO_RESPONDERS:
        return MISSING
    return f"the broker does not answer for the bucket LIMITS ({reply.detail})"


def _object(body: bytes, what: str) -> dict[str, Any]:
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Uncounted(f"the broker's answer about {what} cannot be read: {error}") from error
    if not isinstance(answer, dict):
        raise Uncounted(f"the broker's answer about {what} is no object")
    return answer


def _said(answer: dict[str, Any]) -> str:
    error = answer.get("error")
    if not isinstance(error, dict):
        return ""
    return MISSING if error.get("err_code") == messages.NO_STREAM else str(error.get("description", error))


def _stored_at(ack: dict[str, Any]) -> int | None:
    error = ack.get("error")
    if isinstance(error, dict):
        if error.get("err_code") in CHANGED_MEANWHILE:
            return None
        raise Uncounted(f"the broker does not write to the bucket LIMITS: {_said(ack)}")
    if ack.get("stream") != subjects.LIMITS_STREAM or not isinstance(ack.get("seq"), int):
        raise Uncounted("the broker's acknowledgement cannot be read")
    return int(ack["seq"])
