"""The asker: one request, one private inbox token, one answer, always by its deadline.

Our own inbox instead of `nc.request()`: a token nobody can guess belongs to exactly one ask, a late or foreign reply
is counted and never used, and losing the connection ends every outstanding ask at once.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.errors import MaxPayloadError

from interpose.bus import headers, replies
from interpose.bus.connection import Listeners, settle
from interpose.contracts.ids import secret
from interpose.contracts.reply import NoReply, Replied
from interpose.telemetry import spans


@dataclass(slots=True)
class _Outstanding:
    subject: str
    answer: asyncio.Future[Replied | NoReply]

    def end(self, answer: Replied | NoReply) -> None:
        """Only the first end counts."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def expire(self, timeout_s: float) -> None:
        """Nothing came in time."""
        self.end(replies.not_in_time(timeout_s))


@dataclass(slots=True)
class Asker:
    """Asks over one connection. Any number of asks at once; call `start` before the first."""

    client: Client
    inbox: str
    stray: int = 0
    """Replies that belonged to no outstanding ask: late, foreign or repeated."""
    _asks: dict[str, _Outstanding] = field(default_factory=dict)
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
        return len(self._asks)

    async def ask(
        self, subject: str, body: bytes, timeout_s: float, extra: Mapping[str, str] | None = None
    ) -> Replied | NoReply:
        """Send and wait. Never raises for what the other side does or does not do."""
        token, loop = secret(), asyncio.get_running_loop()
        waiting = self._asks[token] = _Outstanding(subject, loop.create_future())
        sent = {headers.VERSION: headers.WIRE_VERSION, headers.TIMEOUT_MS: str(max(1, int(timeout_s * 1000)))}
        if extra is not None:
            sent.update(extra)
        # A timer that ends the wait like a reply does: asyncio.timeout would cancel and cost twice as much.
        timer = loop.call_later(timeout_s, waiting.expire, timeout_s)
        try:
            await self.client.publish(subject, body, f"{self.inbox}.{token}", spans.inject(sent))
            return await waiting.answer
        except (NatsError, OSError) as error:
            return replies.not_sent(str(error) or type(error).__name__, too_large=isinstance(error, MaxPayloadError))
        finally:
            timer.cancel()
            del self._asks[token]

    async def _on_reply(self, msg: Msg) -> None:
        waiting = self._asks.get(msg.subject.rpartition(".")[2])
        if waiting is None or waiting.answer.done():
            self.stray += 1
            return
        waiting.end(replies.read_reply(msg.headers or {}, msg.data))

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
