"""Whom the broker lets in, while it runs: it reads its users anew, and what came of it is seen and not believed."""

import asyncio
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from nats.aio.client import Client
from nats.errors import Error as NatsError

from interpose.bus.connection import options
from interpose.bus.settings import BusSettings
from interpose.embedded import operator
from interpose.embedded.home import Home
from interpose.embedded.identities import Directory, Identity
from interpose.embedded.nats_config import DEFAULT_PORT
from interpose.embedded.ports import is_free
from interpose.embedded.programs import BROKER
from interpose.embedded.state import RunState
from interpose.errors import BusUnavailable

RELOAD_TIMEOUT_MS = 5_000
PROBE = "probe"
REFUSED = "authorization violation"
"""What the server says to a key that it does not know; nats-py has no error of its own for it."""


@dataclass(frozen=True, slots=True)
class AtBroker:
    """How it stands there. `holds`: nothing is left to do; else `said` names what is."""

    holds: bool
    said: str


async def admit(home: Home, directory: Directory, identity: Identity) -> None:
    """Have the broker read its configuration again and wait until it lets them in. Raises BusUnavailable."""
    _reload(home, directory)
    inbox = f"{identity.role}-{PROBE}"
    try:
        client = await operator.connect_with(directory.url, home.seed(identity.label), inbox, RELOAD_TIMEOUT_MS)
    except BusUnavailable as error:
        raise BusUnavailable(
            f"the broker does not let {identity.label} in: load {home.broker_config} there; see {home.log('broker')}"
        ) from error
    await client.close()


async def let_in(home: Home, directory: Directory, identity: Identity) -> AtBroker:
    """As `admit`, where a broker runs. Never raises for what the broker does."""
    if (absent := await _absent(home, directory)) is not None:
        return absent
    try:
        await admit(home, directory, identity)
    except BusUnavailable as error:
        return AtBroker(holds=False, said=str(error))
    return AtBroker(holds=True, said="the broker lets it in")


async def cut_off(home: Home, directory: Directory, seed: Path | None) -> AtBroker:
    """Have the broker forget whoever has that seed: connections it has are closed, and no other is opened.

    The directory and the configuration do not name them any more. Seen on a connection with that very seed.
    """
    if (absent := await _absent(home, directory)) is not None:
        return absent
    if seed is None:
        _reload(home, directory)
        return AtBroker(holds=True, said="it had no key on the bus")
    closed, probe = asyncio.Event(), Client()
    try:
        if await _enters(probe, directory, seed, closed):
            _reload(home, directory)
            await asyncio.wait_for(closed.wait(), RELOAD_TIMEOUT_MS / 1000)
    except (TimeoutError, OSError, NatsError):
        said = f"the broker at {directory.url} may still let it in: load {home.broker_config} there, and try again"
        return AtBroker(holds=False, said=said)
    finally:
        await probe.close()
    return AtBroker(holds=True, said="the broker closed what it had open and lets it in no more")


async def _enters(probe: Client, directory: Directory, seed: Path, closed: asyncio.Event) -> bool:
    """Connect once; False where the broker does not know the key. Raises where nobody can tell."""

    async def note() -> None:
        closed.set()

    async def hear(_error: Exception) -> None:
        """Being thrown out is what is waited for, and no fault to log."""

    chosen = options(BusSettings(nats_url=directory.url, nats_seed=seed), name=PROBE, inbox_prefix=PROBE)
    once = {"allow_reconnect": False, "max_reconnect_attempts": 1, "closed_cb": note, "error_cb": hear}
    try:
        await probe.connect(**chosen | once)
    except NatsError as error:
        if REFUSED not in str(error).lower():
            raise
        return False
    return True


async def _absent(home: Home, directory: Directory) -> AtBroker | None:
    """How it stands where no broker answers: one of ours that does not run reads everything when it starts."""
    off = AtBroker(holds=True, said="no broker runs here: the next `interpose up` goes by this")
    may_be_off = directory.port is not None and not _lives(home)
    if may_be_off and is_free(directory.port or DEFAULT_PORT):
        return off
    try:
        client = await operator.connect(home)
    except BusUnavailable as error:
        if may_be_off and REFUSED in str(error).lower():
            return off  # somebody else's broker has taken the port, and does not know our operator
        return AtBroker(holds=False, said=f"{error}; {home.broker_config} has to be loaded there")
    await client.close()
    return None


def _lives(home: Home) -> bool:
    """A supervisor counts as well: the broker that it is about to start may have read its users already."""
    state = RunState.read(home)
    children = [] if state is None else [child for child in state.children if child.name == BROKER]
    return state is not None and any(each.lives for each in (state.supervisor, *children))


def _reload(home: Home, directory: Directory) -> None:
    """Its signal for that is SIGHUP. A broker that is not ours reads when its own operator has it read."""
    if directory.port is not None:
        os.kill(int(home.broker_pid.read_text()), signal.SIGHUP)
