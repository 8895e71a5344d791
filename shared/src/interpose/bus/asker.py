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

from interpose.bus import headers
from interpose.bus.connection import Listeners
from interpose.contracts.ids import secret
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure
from interpose.telemetry import spans

LOST = "the connection to the broker was lost while it was asked"
_FAILURE_OF = {headers.TIMED_OUT: Failure.DEADLINE_EXCEEDED, headers.BAD_OUTPUT: Failure.MALFORMED_VERDICT}


@dataclass(slots=True)
class _Outstanding:
    subject: str
    answer: asyncio.Future[Replied | NoReply]


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
        await self.client.flush()

    @property
    def outstanding(self) -> int:
        """Asks that wait for an answer now."""
        return len(self._asks)

    async def ask(
        self, subject: str, body: bytes, timeout_s: float, extra: Mapping[str, str] | None = None
    ) -> Replied | NoReply:
        """Send and wait. Never raises for what the other side does or does not do."""
        token = secret()
        waiting = _Outstanding(subject, asyncio.get_running_loop().create_future())
        self._asks[token] = waiting
        sent = {headers.VERSION: headers.WIRE_VERSION, headers.TIMEOUT_MS: str(max(1, int(timeout_s * 1000)))}
        try:
            await self.client.publish(
                subject, body, reply=f"{self.inbox}.{token}", headers=spans.inject(sent | dict(extra or {}))
            )
            async with asyncio.timeout(timeout_s):
                return await waiting.answer
        except TimeoutError:
            return NoReply(Failure.DEADLINE_EXCEEDED, f"no answer within {timeout_s * 1000:.0f} ms")
        except (NatsError, OSError) as error:
            detail = f"the ask could not be sent ({error or type(error).__name__})"
            return NoReply(Failure.CONNECTION_LOST, detail, was_sent=False)
        finally:
            del self._asks[token]

    async def _on_reply(self, msg: Msg) -> None:
        waiting = self._asks.get(msg.subject.rpartition(".")[2])
        if waiting is None or waiting.answer.done():
            self.stray += 1
            return
        waiting.answer.set_result(_read(msg))

    async def _on_disconnected(self) -> None:
        self._end_all(NoReply(Failure.CONNECTION_LOST, LOST))

    async def _on_error(self, error: Exception) -> None:
        # The server names the subject it refused, and nothing else: every ask on that subject was refused.
        # nats-py hands the sentence on in lower case.
        said = str(error).lower()
        if "permissions violation" not in said:
            return
        denied = NoReply(Failure.NOT_PERMITTED, "the broker's permissions forbid the gateway this ask", was_sent=False)
        for waiting in self._asks.values():
            if f'"{waiting.subject.lower()}"' in said and not waiting.answer.done():
                waiting.answer.set_result(denied)

    def _end_all(self, ending: NoReply) -> None:
        for waiting in self._asks.values():
            if not waiting.answer.done():
                waiting.answer.set_result(ending)


def _read(msg: Msg) -> Replied | NoReply:
    fields = msg.headers or {}
    worker = fields.get(headers.WORKER)
    if fields.get("Status") == headers.BUSY and not msg.data:
        return NoReply(Failure.NO_RESPONDERS, "nobody answers on the bus", was_sent=False)
    if headers.ERROR in fields or headers.ERROR_CODE in fields:
        code = fields.get(headers.ERROR_CODE, headers.BROKE)
        said = fields.get(headers.ERROR, "")[:500]
        detail = f"the worker answered with an error ({code}): {said}"
        return NoReply(_FAILURE_OF.get(code, Failure.HOOK_ERROR), detail, worker, error_code=code)
    return Replied(msg.data, worker)
