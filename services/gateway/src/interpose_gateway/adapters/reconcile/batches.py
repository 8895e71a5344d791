"""Many messages of a stream at once: batched direct gets (NATS ADR-31), over one connection.

One request, several replies to one inbox of its own, and one that ends them. A reply that does not follow the one
before it ends the batch: what came until then is whole, and the rest is asked for again.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from interpose.bus import subjects
from interpose.bus.connection import settle
from interpose.contracts.ids import secret
from interpose.contracts.limits import MIB
from interpose_gateway.core.evaluated.ports import Unavailable

MESSAGES = 256
BYTES = 2 * MIB
"""The broker sends one more when it has sent less than this."""
WAIT_S = 5.0
STATUS, ENDED, NOTHING = "Status", "204", "404"
SEQUENCE, BEFORE, SUBJECT = "Nats-Sequence", "Nats-Last-Sequence", "Nats-Subject"
REFUSED = (
    "the broker gives no direct reads of the records ({status}): `interpose up` or `interpose operate` allows them"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One message of a batch."""

    sequence: int
    subject: str
    message_id: str | None
    data: bytes


@dataclass(slots=True)
class Batches:
    """Any number of batches at once; call `start` before the first."""

    client: Client
    inbox: str
    _waiting: dict[str, "_Incoming"] = field(default_factory=dict)

    async def start(self) -> None:
        """Open the inbox."""
        await self.client.subscribe(f"{self.inbox}.*", cb=self._hear)
        await settle(self.client)

    async def read(self, subject: str, start: int) -> Sequence[Piece]:
        """The messages of a subject from that place on, as far as one batch goes. Raises Unavailable."""
        token, incoming = secret(), _Incoming(asyncio.get_running_loop().create_future())
        request = {"seq": start, "batch": MESSAGES, "max_bytes": BYTES, "next_by_subj": subject}
        self._waiting[token] = incoming
        try:
            await self.client.publish(subjects.RECORDS_READ, json.dumps(request).encode(), f"{self.inbox}.{token}")
            async with asyncio.timeout(WAIT_S):
                await incoming.ended
        except TimeoutError as error:
            if not incoming.pieces:
                raise Unavailable(f"the broker gave no records within {WAIT_S:g} s") from error
        except (NatsError, OSError) as error:
            raise Unavailable(f"the broker gives no records: {error or type(error).__name__}") from error
        finally:
            del self._waiting[token]
        return incoming.pieces

    async def _hear(self, msg: Msg) -> None:
        incoming = self._waiting.get(msg.subject.rpartition(".")[2])
        if incoming is not None and not incoming.ended.done():
            incoming.hear(msg)


@dataclass(slots=True)
class _Incoming:
    """One batch under way."""

    ended: asyncio.Future[None]
    pieces: list[Piece] = field(default_factory=list)

    def hear(self, msg: Msg) -> None:
        """One reply."""
        headers = msg.headers or {}
        status = headers.get(STATUS)
        if status in {ENDED, NOTHING} or (status is None and not self._follows(headers)):
            self.ended.set_result(None)
        elif status is not None:
            self.ended.set_exception(Unavailable(REFUSED.format(status=status)))
        else:
            self.pieces.append(
                Piece(int(headers[SEQUENCE]), headers.get(SUBJECT, ""), headers.get("Nats-Msg-Id"), msg.data)
            )

    def _follows(self, headers: dict[str, str]) -> bool:
        before = self.pieces[-1].sequence if self.pieces else 0
        return SEQUENCE in headers and headers.get(BEFORE) == str(before)
