"""Reading the records in the order of their stream, each once, also across a restart of the broker.

Every record is asked for by the number after the last one, so nothing is skipped and nothing comes twice. No
consumer is left behind on the broker, and there is none that could be lost with it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError
from pydantic import ValidationError

from interpose.bus.subjects import RECORDS, RECORDS_STREAM
from interpose.contracts.record import Record

_LOOK_S = 0.25
"""A record rings before it is stored, and a bell can be missed: then it is found at the next look."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One record: its number in the stream, its JSON, and its model where this version knows the form."""

    sequence: int
    body: Any
    record: Record | None

    @property
    def call_id(self) -> str | None:
        """The call it belongs to."""
        return None if self.record is None else self.record.call_id


async def read(client: Client, last: int | None) -> AsyncIterator[Stored]:
    """The last so many records (0: none, None: all), then whatever comes, without end."""
    bell = asyncio.Event()

    async def ring(_msg: Msg) -> None:
        bell.set()

    subscription = await client.subscribe(RECORDS, cb=ring)
    try:
        sequence = await _first(client, last)
        while True:
            bell.clear()
            found = await _next(client, sequence)
            if found is not None:
                sequence = found.sequence + 1
                yield found
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await bell.wait()
    finally:
        with suppress(NatsError):  # the connection may be gone already
            await subscription.unsubscribe()


async def _first(client: Client, last: int | None) -> int:
    state = (await client.jetstream().stream_info(RECORDS_STREAM)).state
    return state.first_seq if last is None else max(state.first_seq, state.last_seq - last + 1)


async def _next(client: Client, sequence: int) -> Stored | None:
    """The first record from that number on; None when there is none yet, or the broker is away."""
    try:
        raw = await client.jetstream().get_msg(RECORDS_STREAM, seq=max(1, sequence), subject=RECORDS, next=True)
    except NotFoundError:
        return None
    except NatsError:
        await asyncio.sleep(_LOOK_S)
        return None
    return _stored(raw.seq or sequence, raw.data or b"")


def _stored(sequence: int, data: bytes) -> Stored:
    try:
        return Stored(sequence, orjson.loads(data), Record.model_validate_json(data))
    except ValidationError:
        return Stored(sequence, orjson.loads(data), None)
    except ValueError:
        return Stored(sequence, data.decode(errors="replace"), None)
