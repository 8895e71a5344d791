"""Reading the records in the order of their stream, each once, also across a restart of the broker.

Every record is asked for by the number after the last one, so nothing is skipped and nothing comes twice. No
consumer is left behind on the broker, and there is none that could be lost with it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.api import RawStreamMsg
from nats.js.errors import NotFoundError

from interpose.bus.headers import MESSAGE_ID
from interpose.bus.subjects import RECORDS, RECORDS_STREAM
from interpose.records.columns import NS_PER_US, microseconds
from interpose.records.stored import Stored

_LOOK_S = 0.25
"""A record rings before it is stored, and a bell can be missed: then it is found at the next look."""

_AT_ONCE = 64
"""How many records of the past are asked for at the same time."""


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


async def read_past(client: Client) -> AsyncIterator[list[Stored]]:
    """All that the stream holds now, in its order, in pieces. Raises errors of nats-py when the broker goes away."""
    state = (await client.jetstream().stream_info(RECORDS_STREAM)).state
    for start in range(max(1, state.first_seq), state.last_seq + 1, _AT_ONCE):
        asked = range(start, min(start + _AT_ONCE, state.last_seq + 1))
        found = await asyncio.gather(*(_one(client, sequence) for sequence in asked))
        yield [stored for stored in found if stored is not None]


async def last_sequence(client: Client) -> int:
    """The number of the stream's last record; 0 when it never had one."""
    return (await client.jetstream().stream_info(RECORDS_STREAM)).state.last_seq


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
    return _stored(raw, sequence)


async def _one(client: Client, sequence: int) -> Stored | None:
    """The record of that number; None when it was removed from the stream."""
    try:
        raw = await client.jetstream().get_msg(RECORDS_STREAM, seq=sequence)
    except NotFoundError:
        return None
    return _stored(raw, sequence)


def _stored(raw: RawStreamMsg, sequence: int) -> Stored:
    own_id = (raw.headers or {}).get(MESSAGE_ID)
    return Stored(raw.seq or sequence, raw.subject or "", own_id, _ns(raw.time), raw.data or b"")


def _ns(at: datetime | None) -> int:
    return 0 if at is None else microseconds(at) * NS_PER_US
