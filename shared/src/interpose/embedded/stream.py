"""The stream that holds the records. The operator makes it; the gateway may only add to it.

When it is full it refuses what is new and keeps what is old, so a call that cannot be recorded cannot run.
"""

from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import APIError, NotFoundError

from interpose.bus.subjects import RECORDS, RECORDS_STREAM
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


async def ensure(client: Client) -> None:
    """Create the stream, or bring an existing one to this configuration without losing a record.

    Raises BusUnavailable when the broker refuses, for instance because the stream lives in memory, and errors of
    nats-py when it does not answer.
    """
    stream = client.jetstream()
    try:
        if not await _exists(stream):
            await stream.add_stream(WANTED)
        else:
            await stream.update_stream(WANTED)
    except APIError as error:
        raise BusUnavailable(
            f"the broker refuses the stream {RECORDS_STREAM} for records: {error}; "
            f"if another program made a stream of that name or on {RECORDS}, move it away"
        ) from error


async def _exists(stream: JetStreamContext) -> bool:
    try:
        await stream.stream_info(RECORDS_STREAM)
    except NotFoundError:
        return False
    return True
