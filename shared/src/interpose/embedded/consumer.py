"""The durable consumer through which the audit logger takes records. The operator makes it; nobody else may make one.

It delivers every record from the first one on and remembers which were acknowledged. A consumer that pushes could
deliver to any subject, so this one is only ever asked.
"""

from nats.aio.client import Client
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy, ReplayPolicy
from nats.js.errors import APIError

from interpose.bus.subjects import AUDIT_LOGGER, RECORDS_STREAM
from interpose.errors import BusUnavailable

ACK_WAIT_S = 10.0
"""How long after its delivery an unacknowledged record is delivered again, to whoever asks next."""

WANTED = ConsumerConfig(
    name=AUDIT_LOGGER,
    durable_name=AUDIT_LOGGER,
    description="Interpose: what the audit logger has stored",
    deliver_policy=DeliverPolicy.ALL,
    ack_policy=AckPolicy.EXPLICIT,
    ack_wait=ACK_WAIT_S,
    max_deliver=-1,
    max_ack_pending=10_000,
    replay_policy=ReplayPolicy.INSTANT,
)


async def ensure(client: Client) -> None:
    """Create the consumer, or bring an existing one to this configuration; what it remembers stays.

    The stream is there. Raises BusUnavailable when the broker refuses, and errors of nats-py when it does not answer.
    """
    try:
        await client.jetstream().add_consumer(RECORDS_STREAM, WANTED)
    except APIError as error:
        raise BusUnavailable(
            f"the broker refuses the consumer {AUDIT_LOGGER} of {RECORDS_STREAM}: {error}; "
            "if another program made one of that name, remove it"
        ) from error
