"""Whether the gateways that are present enforce what was applied: each is asked until it says so, or time is up."""

import asyncio
from collections.abc import Iterable

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


async def present_gateways(client: Client) -> list[str]:
    """The instances of the gateways that answer now. Raises BusUnavailable."""
    return [each.instance for each in await _gateways(client)]


async def wait_for_gateways(
    client: Client, revision: int, digest: str, timeout_ms: int, known: Iterable[str] = ()
) -> list[Reported]:
    """Every gateway that is `known` or answers meanwhile, when all have this revision or a later one, or time is up.

    One that stopped answering is named with what it said last, nothing where it never spoke. Raises BusUnavailable.
    """
    seen = {instance: Reported(instance=instance, revision=None, has=False) for instance in known}
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
