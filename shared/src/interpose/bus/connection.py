"""Connecting to NATS, the same way everywhere: identity by nkey, endless reconnects, nothing sent late.

A message that could not be sent before the connection was lost is dropped, never sent after the reconnect: an order
to run a tool half a second after its caller was told that it timed out would be an unjudged run.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from nats.aio.client import Client
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.errors import NoServersError

from interpose.bus.settings import BusSettings
from interpose.bus.tasks import end, within
from interpose.errors import BusUnavailable

PING_INTERVAL_S = 5
MAX_PINGS_OUT = 2
RECONNECT_WAIT_S = 0.25
ANSWER_WITHIN_S = 2
LEAVE_WITHIN_S = 3
"""How long who ends waits for the broker to say that nothing more comes: a frozen one never does."""

log = logging.getLogger(__name__)

Listener = Callable[[], Awaitable[None]]
ErrorListener = Callable[[Exception], Awaitable[None]]

UNANSWERED = (TimeoutError, NatsError, OSError)
"""What nats-py raises where the broker is away or does not answer; its own timeouts are no `NatsError`."""


class Listeners:
    """What hears of a connection's fate. Add before or after connecting; each hears every event."""

    def __init__(self) -> None:
        self.disconnected: list[Listener] = []
        self.reconnected: list[Listener] = []
        self.closed: list[Listener] = []
        self.error: list[ErrorListener] = []


def options(settings: BusSettings, *, name: str, inbox_prefix: str) -> dict[str, Any]:
    """Options of `nats.connect` for one identity. `pending_size=0`: what cannot be sent now fails now."""
    chosen: dict[str, Any] = {
        "servers": [settings.nats_url],
        "name": name,
        "inbox_prefix": inbox_prefix.encode(),
        "pending_size": 0,
        "ping_interval": PING_INTERVAL_S,
        "max_outstanding_pings": MAX_PINGS_OUT,
        "reconnect_time_wait": RECONNECT_WAIT_S,
        "max_reconnect_attempts": -1,
        "connect_timeout": 2,
    }
    if settings.nats_seed is not None:
        chosen["nkeys_seed"] = str(settings.nats_seed)
    return chosen


async def connect(
    settings: BusSettings, *, name: str, inbox_prefix: str, listeners: Listeners | None = None, wait: bool = True
) -> Client:
    """A connection. `wait`: keep trying until the broker is there; else raise BusUnavailable at once."""
    heard = listeners or Listeners()
    client = Client()
    chosen = options(settings, name=name, inbox_prefix=inbox_prefix) | callbacks(client, heard, settings.nats_url)
    if not wait:
        chosen |= {"max_reconnect_attempts": 1, "allow_reconnect": False}
    try:
        await client.connect(**chosen)
    except (TimeoutError, NatsError, NoServersError, OSError) as error:
        raise BusUnavailable(
            f"no usable NATS server at {settings.nats_url} ({error or type(error).__name__});"
            " start one with interpose up, or set INTERPOSE_NATS_URL and INTERPOSE_NATS_SEED"
        ) from error
    return client


def callbacks(client: Client, heard: Listeners, url: str) -> dict[str, Any]:
    """The connection's callbacks: first drop what was not sent, then tell the listeners."""
    last_said = ""

    async def on_disconnected() -> None:
        drop_unsent(client)
        if not client.is_closed:
            log.warning("lost the connection to %s; trying again", url)
        for listener in heard.disconnected:
            await listener()

    async def on_reconnected() -> None:
        nonlocal last_said
        last_said = ""
        log.warning("connected to %s again", url)
        for listener in heard.reconnected:
            await listener()

    async def on_closed() -> None:
        for listener in heard.closed:
            await listener()

    async def on_error(error: Exception) -> None:
        nonlocal last_said
        # A broker that is away for an hour says the same thing four times a second: once is enough.
        said = str(error) or type(error).__name__
        if said != last_said:
            log.warning("NATS at %s: %s", url, said)
            last_said = said
        for listener in heard.error:
            await listener(error)

    return {
        "disconnected_cb": on_disconnected,
        "reconnected_cb": on_reconnected,
        "closed_cb": on_closed,
        "error_cb": on_error,
    }


def drop_unsent(client: Client) -> None:
    """Forget what was published but had not reached the socket when the connection was lost.

    nats-py keeps it and sends it after the reconnect, with `pending_size=0` as well, and has no public way to forget.
    """
    client._pending.clear()
    client._pending_data_size = 0


async def settle(client: Client, within_s: int = 10) -> None:
    """Return when the server has taken in all that was sent before: subscriptions stand, answers have left.

    nats-py writes a flush's PING ahead of what is still pending; the second one stands behind all of it. Raises what
    `UNANSWERED` names where the server does not answer each within that time.
    """
    await client.flush(within_s)
    await client.flush(within_s)


async def trouble(client: Client) -> list[str]:
    """Why this connection cannot be used now; nothing = the broker just answered on it."""
    try:
        if client.is_connected:
            await client.flush(ANSWER_WITHIN_S)
            return []
    except UNANSWERED as error:
        return [f"the broker does not answer: {error or type(error).__name__}"]
    return ["the broker is not connected"]


async def close(client: Client) -> None:
    """Close, also while the broker is away or frozen: what it does not read is not waited for.

    nats-py cancels its reconnecting once, and where it waits in `asyncio.wait_for` of Python 3.11 just then, that is
    lost: it would go on for ever, and a process that ends by a loop's own clearing up with it. It also writes what is
    left, to a transport that may be closed.
    """
    if not client.is_connected:
        drop_unsent(client)
    with suppress(TimeoutError):
        await within(ANSWER_WITHIN_S, client.close())
    if (task := client._reconnection_task) is not None:
        await end(task)


async def drain(client: Client, subscription: Subscription) -> None:
    """End a subscription and return when everything that was delivered to it has been handled; nothing is lost.

    nats-py's own drain believes its subscription over when a PING is answered that may stand ahead of the UNSUB, and
    then drops what arrives; so the UNSUB goes out first and is settled.
    """
    await client._send_unsubscribe(subscription._id)
    await settle(client, LEAVE_WITHIN_S)
    await subscription.drain()  # type: ignore[no-untyped-call]  # nats-py leaves it without types
