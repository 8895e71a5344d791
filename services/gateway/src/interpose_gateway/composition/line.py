"""One connection to the broker, and what is asked over it."""

from dataclasses import dataclass

from nats.aio.client import Client

from interpose.bus import connection, subjects
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners
from interpose.contracts.ids import secret
from interpose.contracts.names import token
from interpose_gateway.settings import GatewaySettings


@dataclass(slots=True)
class Line:
    """One connection, the asker on it, and the prefix of its inboxes."""

    client: Client
    asker: Asker
    listeners: Listeners
    inbox: str


async def open_line(settings: GatewaySettings, instance: str, purpose: str) -> Line:
    """Connect for one purpose, with an inbox that nobody else has. Raises BusUnavailable."""
    listeners = Listeners()
    inbox = f"{subjects.GATEWAY_INBOX}.{token(instance)}-{secret()[:8]}"
    name = f"{instance}/{purpose}"
    client = await connection.connect(settings, name=name, inbox_prefix=inbox, listeners=listeners)
    asker = Asker(client, f"{inbox}.asks")
    await asker.start(listeners)
    return Line(client, asker, listeners, inbox)
