"""The answering side: one queue subscription, bounded concurrency, and an answer to every ask, whatever happens.

A handler that raises answers with the NATS service error headers (ADR-32), so that "said no" and "broke" never look
alike. An ask whose reply subject is not below the asker's own inbox is dropped, counted and logged: a requester
chooses the reply subject, and must not make us write somewhere else.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from interpose.bus import headers, subjects
from interpose.bus.connection import LEAVE_WITHIN_S, UNANSWERED, drain, settle

BACKLOG = 16
"""Asks that may wait for each one at work; more are told at once that this worker is busy."""

DEFAULT_TIMEOUT_S = 30.0
"""For a request whose sender said nothing of its time."""

log = logging.getLogger(__name__)


class ServiceError(Exception):
    """An answer that is no verdict: a code of `interpose.bus.headers` and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Incoming:
    """One request. `deadline` is on the running loop's own monotonic clock, counted from receipt."""

    subject: str
    body: bytes
    headers: dict[str, str]
    deadline: float

    @property
    def time_left_s(self) -> float:
        """Seconds until the asker gives up; negative when it has."""
        return self.deadline - asyncio.get_running_loop().time()


@dataclass(frozen=True, slots=True)
class Outgoing:
    """The reply's bytes and its own headers."""

    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


Handler = Callable[[Incoming], Awaitable[Outgoing]]


def receive(subject: str, body: bytes, fields: Mapping[str, str], default_timeout_s: float) -> Incoming:
    """A request as it arrives now: its header says how much time is left, counted on our own clock from here."""
    told = fields.get(headers.TIMEOUT_MS, "")
    is_told = told.isascii() and told.isdigit() and len(told) < 10
    timeout_s = int(told) / 1000 if is_told else default_timeout_s
    return Incoming(subject, body, dict(fields), asyncio.get_running_loop().time() + timeout_s)


async def attempt(handle: Handler, request: Incoming) -> Outgoing | ServiceError:
    """The handler's answer, or the error that is answered in its place. Never raises."""
    if request.time_left_s <= 0:
        return ServiceError(headers.TIMED_OUT, "the time of the request was used up before work on it began")
    try:
        return await handle(request)
    except ServiceError as error:
        return error
    except Exception as error:
        # The one broad catch around a handler's own code: whatever it raises is answered, never swallowed.
        log.exception("the handler of %s broke", request.subject)
        return ServiceError(headers.BROKE, f"{type(error).__name__}: {error}")


def refusal(error: ServiceError) -> Outgoing:
    """A service error as a reply: an empty body and two headers, the text in plain ASCII on one line."""
    said = " ".join(error.message.split())[:500].encode("ascii", "replace").decode()
    return Outgoing(b"", {headers.ERROR: said or "error", headers.ERROR_CODE: error.code})


def signed(reply: Outgoing, worker: str) -> dict[str, str]:
    """The headers of a reply: its own, the wire's version and who answered."""
    return {headers.VERSION: headers.WIRE_VERSION, headers.WORKER: worker} | reply.headers


@dataclass(slots=True)
class Tally:
    """What this responder did since it started; `interpose status` shows it."""

    requests: int = 0
    errors: int = 0
    dropped: int = 0
    last_error: str = ""
    busy_ns: int = 0


@dataclass(slots=True)
class Responder:
    """Answers one subject. `reply_prefixes` says below which inboxes a request's reply subject must stand."""

    client: Client
    subject: str
    queue: str
    worker: str
    handle: Handler
    reply_prefix: Callable[[Msg], str]
    concurrency: int = 64
    default_timeout_s: float = DEFAULT_TIMEOUT_S
    tally: Tally = field(default_factory=Tally)
    _subscription: Subscription | None = None
    _at_work: set[asyncio.Task[None]] = field(default_factory=set)
    _places: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._places = asyncio.Semaphore(self.concurrency)

    async def start(self) -> None:
        """Subscribe; on return the server knows of it, so the next request can reach us."""
        self._subscription = await self.client.subscribe(self.subject, queue=self.queue, cb=self._receive)
        await settle(self.client)

    async def drain(self) -> None:
        """Take no more, answer all that was delivered, and return when the last answer has left.

        Where the broker is away or frozen, what is at work is finished all the same, and its answers may be lost.
        """
        try:
            await self._leave()
        except UNANSWERED as error:
            log.warning("ended without the broker on %s: %s", self.subject, str(error) or type(error).__name__)

    async def _leave(self) -> None:
        try:
            if self._subscription is not None and not self.client.is_closed:
                await drain(self.client, self._subscription)
        finally:
            while self._at_work:
                await asyncio.wait(self._at_work)
        if self.client.is_connected:
            await settle(self.client, LEAVE_WITHIN_S)

    async def _receive(self, msg: Msg) -> None:
        # nats-py awaits this callback before it delivers the next message: answer in a task of its own.
        if not subjects.is_within(msg.reply, self.reply_prefix(msg)):
            self.tally.dropped += 1
            log.error("dropped a request on %s: its reply subject is not its asker's inbox", msg.subject)
            return
        request = receive(msg.subject, msg.data, msg.headers or {}, self.default_timeout_s)
        if len(self._at_work) >= self.concurrency * BACKLOG:
            await self._refuse(msg, ServiceError(headers.BUSY, f"worker {self.worker} is busy; start another"))
            return
        task = asyncio.create_task(self._answer(msg, request))
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)

    async def _answer(self, msg: Msg, request: Incoming) -> None:
        async with self._places:
            started = time.monotonic_ns()
            reply = await attempt(self.handle, request)
            if isinstance(reply, ServiceError):
                await self._refuse(msg, reply)
            else:
                await self._reply(msg, reply)
            self.tally.busy_ns += time.monotonic_ns() - started

    async def _reply(self, msg: Msg, reply: Outgoing) -> None:
        try:
            await self._send(msg.reply, reply)
            self.tally.requests += 1
        except (NatsError, OSError) as error:
            # Too large for the broker, or the broker is gone: say so where that can still be said.
            why = str(error) or type(error).__name__
            await self._refuse(msg, ServiceError(headers.BROKE, f"the answer could not be sent: {why}"))

    async def _refuse(self, msg: Msg, error: ServiceError) -> None:
        self.tally.requests += 1
        self.tally.errors += 1
        self.tally.last_error = f"{error.code}: {error.message}"[:500]
        try:
            await self._send(msg.reply, refusal(error))
        except (NatsError, OSError) as failed:
            # The asker's own deadline ends its wait: there is nobody left to tell but the log.
            log.warning("could not answer on %s: %s", msg.subject, failed)

    async def _send(self, subject: str, reply: Outgoing) -> None:
        await self.client.publish(subject, reply.body, headers=signed(reply, self.worker))
