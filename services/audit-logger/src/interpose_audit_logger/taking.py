"""Taking records from the one durable consumer that the operator made for this service (DESIGN.md, section 8).

Its key may ask for the next messages and acknowledge them, nothing else: no consumer is made or looked at here.
"""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from interpose.bus import headers, subjects
from interpose.contracts.ids import secret
from interpose.contracts.limits import MIB
from interpose.records.stored import Stored

BATCH = 256
LEAST_BATCH_BYTES = 16 * MIB
WAIT_S = 2.0
"""How long the broker holds a request while there is nothing new."""
GRACE_S = 1.0
"""How much longer its answer may take before it is asked again."""

ENDS = {"404", "408", "409"}
"""Statuses that end a request: nothing more there, time over, as many bytes as were asked for."""
NS_PER_S = 1_000_000_000


class NothingTaken(Exception):
    """The broker gives nothing: it is away, or holds no such consumer."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One message: the record, where to acknowledge it, and how many the stream holds behind it."""

    stored: Stored
    reply: str
    waiting: int


@dataclass(slots=True)
class Taker:
    """Asks for one batch after another. One batch at a time."""

    client: Client
    _inbox: str = field(default_factory=lambda: f"{subjects.service_inbox(subjects.AUDIT_LOGGER)}.{secret()}")
    _asked: int = 0
    _arrived: asyncio.Queue[Msg | None] = field(default_factory=asyncio.Queue)
    _subscription: Subscription | None = None

    async def start(self) -> None:
        """Open the inbox that the broker delivers to."""
        self._subscription = await self.client.subscribe(f"{self._inbox}.*", cb=self._arrived.put)

    async def stop(self) -> None:
        """Close it. A batch under way ends with what it has; what comes later is delivered to the next process."""
        await self._arrived.put(None)
        if self._subscription is not None:
            with suppress(NatsError):  # the connection may be gone already
                await self._subscription.unsubscribe()

    async def batch(self) -> list[Taken]:
        """What the stream holds for us now; waits up to WAIT_S for a first record. Raises NothingTaken.

        What is delivered and not acknowledged within the consumer's `ack_wait` is delivered again.
        """
        inbox, taken = await self._ask(), list[Taken]()
        try:
            async with asyncio.timeout(WAIT_S + GRACE_S):
                while len(taken) < BATCH:
                    msg = await self._arrived.get()
                    if msg is None:
                        break
                    if subjects.is_within(msg.reply, subjects.AUDIT_ACKNOWLEDGE):
                        taken.append(read(msg))
                    elif msg.subject == inbox and _is_over(msg):
                        break
        except TimeoutError:
            if not taken:
                raise NothingTaken("the broker does not answer a request for records") from None
        return taken

    async def acknowledge(self, taken: list[Taken]) -> None:
        """Say that these are on disk. What the broker does not hear comes again, and is known then."""
        for each in taken:
            await self.client.publish(each.reply, b"+ACK")

    async def _ask(self) -> str:
        self._asked += 1
        inbox = f"{self._inbox}.{self._asked}"
        most = max(LEAST_BATCH_BYTES, 2 * self.client.max_payload)
        wanted = {"batch": BATCH, "max_bytes": most, "no_wait": True, "expires": int(WAIT_S * NS_PER_S)}
        try:
            await self.client.publish(subjects.AUDIT_NEXT, json.dumps(wanted).encode(), reply=inbox)
        except (NatsError, OSError) as error:
            raise NothingTaken(f"the broker is away: {error or type(error).__name__}") from error
        return inbox


def read(msg: Msg) -> Taken:
    """A delivered message; what the broker knows of it stands in the subject of its acknowledgement."""
    sequence, _, stored_ns, waiting = map(int, msg.reply.split(".")[5:9])
    own_id = (msg.headers or {}).get(headers.MESSAGE_ID)
    return Taken(Stored(sequence, msg.subject, own_id, stored_ns, msg.data), msg.reply, waiting)


def _is_over(msg: Msg) -> bool:
    """Whether a status of the broker ends a request. Raises NothingTaken for one that gives nothing."""
    status = (msg.headers or {}).get("Status", "")
    if status in ENDS:
        return True
    if status == headers.BUSY:
        raise NothingTaken("the stream holds no consumer for the audit logger: interpose up makes it")
    return False
