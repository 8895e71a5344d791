"""Whether the gateways that are present enforce what was applied: each is asked until it says so, or time is up."""

import asyncio

from nats.aio.client import Client
from nats.errors import Error as NatsError

from interpose.bus import presence, subjects
from interpose.contracts.model import Closed
from interpose.errors import BusUnavailable

LOOK_S = 0.1


class Reported(Closed):
    """One present gateway: what it last said is in force there, and whether that is what was waited for."""

    instance: str
    revision: int | None
    has: bool


async def wait_for_gateways(client: Client, revision: int, digest: str, timeout_ms: int) -> list[Reported]:
    """Every gateway that answered meanwhile, when all have this revision or a later one, or when time is up.

    One that stopped answering in the meantime is named with what it said last. Raises BusUnavailable.
    """
    seen: dict[str, Reported] = {}
    deadline = asyncio.get_running_loop().time() + timeout_ms / 1000
    while True:
        for each in await _gateways(client):
            told = each.metadata.get("revision", "")
            number = int(told) if told.isascii() and told.isdigit() and len(told) < 20 else None
            is_it = number == revision and each.metadata.get("digest") == digest
            has = is_it or (number is not None and number > revision)
            seen[each.instance] = Reported(instance=each.instance, revision=number, has=has)
        if all(each.has for each in seen.values()) or asyncio.get_running_loop().time() >= deadline:
            return sorted(seen.values(), key=lambda each: each.instance)
        await asyncio.sleep(LOOK_S)


async def _gateways(client: Client) -> list[presence.Present]:
    try:
        return await presence.info(client, subjects.GATEWAY_QUEUE)
    except NatsError as error:
        raise BusUnavailable(f"nobody can be asked who is present: {error or type(error).__name__}") from error
