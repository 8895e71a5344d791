"""The stream that holds the records, and the bucket that holds the registry. The operator makes both.

The gateway may only add records and only read the registry. A full stream refuses what is new and keeps what is old,
so a call that cannot be recorded cannot run.
"""

from dataclasses import replace

from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import APIError, NotFoundError

from interpose.bus.subjects import RECORDS, RECORDS_STREAM, REGISTRY_KEYS, REGISTRY_STREAM
from interpose.embedded import consumer
from interpose.errors import BusUnavailable

DUPLICATE_WINDOW_S = 20 * 60

WANTED = StreamConfig(
    name=RECORDS_STREAM,
    description="Interpose: one record for each phase of each call",
    subjects=[RECORDS],
    retention=RetentionPolicy.LIMITS,
    storage=StorageType.FILE,
    discard=DiscardPolicy.NEW,
    duplicate_window=DUPLICATE_WINDOW_S,
    max_consumers=-1,
    max_msgs=-1,
    max_bytes=-1,
    max_age=0,
    max_msgs_per_subject=-1,
    max_msg_size=-1,
    num_replicas=1,
    no_ack=False,
    sealed=False,
)


REGISTRY_HISTORY = 64
REGISTRY_WANTED = StreamConfig(
    name=REGISTRY_STREAM,
    description="Interpose: the registry, one document under the key `current`",
    subjects=[REGISTRY_KEYS],
    retention=RetentionPolicy.LIMITS,
    storage=StorageType.FILE,
    discard=DiscardPolicy.NEW,
    max_consumers=-1,
    max_msgs=-1,
    max_bytes=-1,
    max_age=0,
    max_msgs_per_subject=REGISTRY_HISTORY,
    max_msg_size=-1,
    num_replicas=1,
    allow_direct=True,
    allow_rollup_hdrs=True,
    deny_delete=True,
    no_ack=False,
    sealed=False,
)
"""What a KV bucket is to the broker (NATS ADR-8), so that every KV client reads it as one."""


async def ensure(client: Client) -> None:
    """Create stream, bucket and consumer, or bring existing ones to this configuration without losing anything.

    Raises BusUnavailable when the broker refuses, for instance because one lives in memory, and errors of nats-py
    when it does not answer.
    """
    for wanted in (WANTED, REGISTRY_WANTED):
        await _ensure(client.jetstream(), wanted)
    await consumer.ensure(client)


async def _ensure(streams: JetStreamContext, wanted: StreamConfig) -> None:
    try:
        found = await _find(streams, str(wanted.name))
        if found is None:
            await streams.add_stream(wanted)
        else:
            # How many copies a cluster keeps is its operator's word.
            await streams.update_stream(replace(wanted, num_replicas=found.num_replicas))
    except APIError as error:
        raise BusUnavailable(
            f"the broker refuses the stream {wanted.name}: {error}; if another program made a stream of that name or "
            f"on {', '.join(wanted.subjects or [])}, move it away"
        ) from error


async def _find(streams: JetStreamContext, name: str) -> StreamConfig | None:
    try:
        return (await streams.stream_info(name)).config
    except NotFoundError:
        return None
