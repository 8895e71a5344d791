"""The asker: one request, one private inbox token, one answer, always by its deadline.

Our own inbox instead of `nc.request()`: a token nobody can guess belongs to exactly one message, a late or foreign
reply is counted and never used, and losing the connection ends every outstanding ask at once. A copy of an ask has a
token of its own.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.errors import MaxPayloadError

from interpose.bus import headers, replies
from interpose.bus.connection import Listeners, settle
from interpose.bus.outstanding import Outstanding, Repeat
from interpose.contracts.ids import secret
from interpose.contracts.reply import NoReply, Replied
from interpose.telemetry import spans

LATE_SHARE = 3
"""An ask that may be repeated is late after this part of its time."""
AGAIN_S = 0.025
"""Right after a worker's start the broker may still say that there is none."""


@dataclass(slots=True)
class Asker:
    """Asks over one connection. Any number of asks at once; call `start` before the first."""

    client: Client
    inbox: str
    stray: int = 0
    """Replies that belonged to no outstanding ask: late, foreign or repeated."""
    repeated: int = 0
    """Copies of asks that were sent because the first one was late, or had no worker."""
    _asks: dict[str, Outstanding] = field(default_factory=dict)
    _copying: set[asyncio.Task[None]] = field(default_factory=set)
    _subscription: Subscription | None = None

    async def start(self, listeners: Listeners) -> None:
        """Open the inbox and listen for the connection's fate."""
        listeners.disconnected.append(self._on_disconnected)
        listeners.error.append(self._on_error)
        self._subscription = await self.client.subscribe(f"{self.inbox}.*", cb=self._on_reply)
        await settle(self.client)

    @property
    def outstanding(self) -> int:
        """Asks that wait for an answer now."""
        return len({id(waiting) for waiting in self._asks.values()})

    async def ask(
        self,
        subject: str,
        body: bytes,
        timeout_s: float,
        extra: Mapping[str, str] | None = None,
        repeat: Repeat = Repeat.NEVER,
    ) -> Replied | NoReply:
        """Send and wait. Never raises for what the other side does or does not do."""
        waiting = Outstanding(subject, asyncio.get_running_loop().create_future())
        timers = self._arm(waiting, body, timeout_s, extra, repeat)
        try:
            await self._send(waiting, body, timeout_s, extra)
            return await waiting.answer
        except (NatsError, OSError) as error:
            return replies.not_sent(str(error) or type(error).__name__, too_large=isinstance(error, MaxPayloadError))
        finally:
            for timer in timers:
                timer.cancel()
            for token in waiting.tokens:
                self._asks.pop(token, None)

    def _arm(
        self, waiting: Outstanding, body: bytes, timeout_s: float, extra: Mapping[str, str] | None, repeat: Repeat
    ) -> list[asyncio.TimerHandle]:
        """The one timer of an ask, and behind it in the list whatever it needs further.

        A timer ends the wait like a reply does: asyncio.timeout would cancel and cost twice as much. Where a copy may
        be due before the end, the timer is set for the copy, and for the end only then: hardly any ask comes so far.
        """
        loop = asyncio.get_running_loop()
        if repeat is Repeat.NEVER:
            return [loop.call_later(timeout_s, waiting.expire, timeout_s)]
        late_s, deadline_s = timeout_s / LATE_SHARE, loop.time() + timeout_s
        copy = partial(self._copy, waiting, body, deadline_s, extra)

        def be_late() -> None:
            # A loop that was held up until after the deadline ends the ask: a copy could not be answered in time.
            if (left_s := deadline_s - loop.time()) <= 0:
                waiting.expire(timeout_s)
                return
            copy()
            timers.append(loop.call_later(left_s, waiting.expire, timeout_s))

        first = (late_s, be_late) if repeat is Repeat.IF_LATE else (timeout_s, partial(waiting.expire, timeout_s))
        timers = [loop.call_later(*first)]
        waiting.again = lambda: timers.append(loop.call_later(min(AGAIN_S, late_s), copy))
        return timers

    async def _send(self, waiting: Outstanding, body: bytes, timeout_s: float, extra: Mapping[str, str] | None) -> None:
        # A token for each copy: the broker lets a worker answer once to each reply subject, also where it gets both.
        token = waiting.sent(secret())
        self._asks[token] = waiting
        sent = {headers.VERSION: headers.WIRE_VERSION, headers.TIMEOUT_MS: str(max(1, int(timeout_s * 1000)))}
        if extra is not None:
            sent.update(extra)
        await self.client.publish(waiting.subject, body, f"{self.inbox}.{token}", spans.inject(sent))

    def _copy(self, waiting: Outstanding, body: bytes, deadline_s: float, extra: Mapping[str, str] | None) -> None:
        async def send() -> None:
            if waiting.answer.done():
                return
            left_s = deadline_s - asyncio.get_running_loop().time()
            self.repeated += 1
            # A copy that cannot be sent changes nothing: the connection's own fate ends the ask.
            with suppress(NatsError, OSError):
                await self._send(waiting, body, left_s, extra)

        task = asyncio.create_task(send())
        self._copying.add(task)
        task.add_done_callback(self._copying.discard)

    async def _on_reply(self, msg: Msg) -> None:
        waiting = self._asks.pop(msg.subject.rpartition(".")[2], None)
        if waiting is None or waiting.answer.done():
            self.stray += 1
            return
        waiting.hear(replies.read_reply(msg.headers or {}, msg.data))

    async def _on_disconnected(self) -> None:
        self._end_all(replies.connection_lost())

    async def _on_error(self, error: Exception) -> None:
        # The server names the subject it refused, and nothing else: every ask on that subject was refused.
        # nats-py hands the sentence on in lower case.
        said = str(error).lower()
        if "permissions violation" not in said:
            return
        denied = replies.not_permitted()
        for waiting in self._asks.values():
            if f'"{waiting.subject.lower()}"' in said:
                waiting.end(denied)

    def _end_all(self, ending: NoReply) -> None:
        for waiting in self._asks.values():
            waiting.end(ending)
