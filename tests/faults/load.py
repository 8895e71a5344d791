"""Callers over HTTP and over the bus: a bounded closed loop, each call with an id of its own, timed by its caller."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from random import Random
from typing import Any, Protocol

import httpx
import orjson
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeout

from interpose.bus import headers, subjects

CALLERS = 8
MOST_CALLS = 3_000
"""Of all callers of one scenario together."""
BUDGET_S = (2.5, 4.0)
"""A hook may take 600 ms, so the whole plan fits into the least."""
THINK_S = (0.02, 0.08)
LOST_S = 0.25
"""Who finds nobody there does not knock at once again."""
MOST_WORK_MS = 20
PATIENCE_S = 5.0
"""How much longer than its budget a caller waits, so that a late answer is seen and not only missed."""
PATIENT_S = 30.0


class Kind(StrEnum):
    """What must come of a call while nothing is broken."""

    FINE = "fine"
    REFUSED = "before"
    WITHHELD = "after"


class Ending(StrEnum):
    """How it ended for its caller. `lost`: the way to the gateway broke. `silent`: no answer, however late."""

    ANSWERED = "answered"
    LOST = "lost"
    SILENT = "silent"


@dataclass(frozen=True)
class Call:
    """One call, before anybody makes it."""

    number: str
    kind: Kind
    budget_s: float
    body: dict[str, Any]


@dataclass(frozen=True)
class Told:
    """What its caller saw of a call; times on the monotonic clock. `leans_on`: whom the way to the gateway needs."""

    call: Call
    way: str
    leans_on: frozenset[str]
    sent: float
    ended: float
    ending: Ending
    status: int = 0
    answer: dict[str, Any] = field(default_factory=dict)

    @property
    def deadline(self) -> float:
        """When its answer had to be there."""
        return self.sent + self.call.budget_s

    @property
    def said(self) -> dict[str, Any]:
        """The parameters of the call."""
        return dict(self.call.body["parameters"])

    @property
    def is_delivered(self) -> bool:
        """Whether the caller has a response."""
        return self.answer.get("decision") == "deliver"

    def line(self) -> str:
        """For a person who reads why a scenario failed."""
        said = {name: self.answer.get(name) for name in ("call_id", "decision", "code", "ran", "revision")}
        return f"{self.call.number} over {self.way}, {self.ending} {self.status} {said}"


class Way(Protocol):
    """How a call reaches a gateway."""

    @property
    def name(self) -> str:
        """For a person who reads."""
        ...

    @property
    def leans_on(self) -> frozenset[str]:
        """The processes without which nothing arrives."""
        ...

    async def send(self, body: dict[str, Any], patience_s: float) -> tuple[int, dict[str, Any]]:
        """Status and answer. Raises ConnectionError where the way broke, TimeoutError where nothing came."""
        ...


@dataclass(frozen=True)
class HttpWay:
    """`POST /v1/calls` of one gateway."""

    name: str
    leans_on: frozenset[str]
    http: httpx.AsyncClient

    async def send(self, body: dict[str, Any], patience_s: float) -> tuple[int, dict[str, Any]]:
        """As in `Way`."""
        try:
            reply = await self.http.post("/v1/calls", json=body, timeout=patience_s)
        except httpx.TimeoutException as error:
            raise TimeoutError from error
        except httpx.TransportError as error:
            raise ConnectionError from error
        return reply.status_code, reply.json()


@dataclass(frozen=True)
class BusWay:
    """`gateway.call.<client>`: whichever gateway takes it."""

    name: str
    leans_on: frozenset[str]
    client: Client
    caller: str

    async def send(self, body: dict[str, Any], patience_s: float) -> tuple[int, dict[str, Any]]:
        """As in `Way`."""
        try:
            msg = await self.client.request(subjects.call(self.caller), orjson.dumps(body), timeout=patience_s)
        except NatsTimeout as error:
            raise TimeoutError from error
        except (NatsError, OSError) as error:
            raise ConnectionError from error
        return int((msg.headers or {})[headers.STATUS]), orjson.loads(msg.data)


@dataclass
class Load:
    """The callers of one scenario, and all that they were told."""

    mark: str
    ways: Sequence[Way]
    dice: Random
    action: str = "plain"
    parameters: Callable[[Random], dict[str, Any]] = lambda _dice: {}
    told: list[Told] = field(default_factory=list)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _numbers: Iterator[int] = field(default_factory=count)
    _is_over: bool = False

    async def run(self) -> None:
        """Call until `stop`, or as often as a scenario may."""
        await asyncio.gather(*(self._repeat(self.ways[n % len(self.ways)], self.dice.random()) for n in range(CALLERS)))

    def stop(self) -> None:
        """Every caller ends with the call that it is in."""
        self._is_over = True

    async def until(self, is_enough: Callable[[Sequence[Told]], bool]) -> None:
        """Return when what was told from now on is enough."""
        start = len(self.told)
        async with asyncio.timeout(PATIENT_S), self._changed:
            await self._changed.wait_for(lambda: is_enough(self.told[start:]))

    async def answered(self, more: int) -> None:
        """Return when so many more calls have ended, in whatever way."""
        await self.until(lambda told: len(told) >= more)

    async def delivered(self, more: int) -> None:
        """Return when so many more calls were delivered."""
        await self.until(lambda told: sum(each.is_delivered for each in told) >= more)

    async def met(self, revision: int, more: int) -> None:
        """Return when so many more calls were judged by this revision."""
        await self.until(lambda told: sum(each.answer.get("revision") == revision for each in told) >= more)

    async def at_random(self) -> None:
        """A moment nobody chose: after some answers more, and a little later."""
        await self.answered(self.dice.randint(5, 40))
        await asyncio.sleep(self.dice.uniform(0, 0.03))

    def make(self, kind: Kind, dice: Random) -> Call:
        """A call that shall come to this."""
        number, budget_s = f"{self.mark}-{next(self._numbers)}", dice.uniform(*BUDGET_S)
        said = {} if kind is Kind.FINE else {"say": kind.value}
        own = {"number": number, "work_ms": dice.randint(0, MOST_WORK_MS)} | said | self.parameters(dice)
        body = {"tool": "echo", "action": self.action, "parameters": own, "timeout_ms": int(budget_s * 1000)}
        return Call(number, kind, int(budget_s * 1000) / 1000, body)

    async def call(self, way: Way, call: Call) -> Told:
        """One call to its end."""
        sent = time.monotonic()
        ending, status, answer = await _send(way, call)
        told = Told(call, way.name, way.leans_on, sent, time.monotonic(), ending, status, answer)
        async with self._changed:
            self.told.append(told)
            self._changed.notify_all()
        return told

    async def _repeat(self, way: Way, seed: float) -> None:
        dice = Random(seed)  # noqa: S311 - chance that can be repeated
        kinds = [Kind.FINE] * 6 + [Kind.REFUSED, Kind.WITHHELD]
        while not self._is_over and len(self.told) < MOST_CALLS:
            told = await self.call(way, self.make(dice.choice(kinds), dice))
            await asyncio.sleep(LOST_S if told.ending is Ending.LOST else dice.uniform(*THINK_S))


async def _send(way: Way, call: Call) -> tuple[Ending, int, dict[str, Any]]:
    sending: Awaitable[tuple[int, dict[str, Any]]] = way.send(call.body, call.budget_s + PATIENCE_S)
    try:
        status, answer = await sending
    except TimeoutError:
        return Ending.SILENT, 0, {}
    except ConnectionError:
        return Ending.LOST, 0, {}
    return Ending.ANSWERED, status, answer
