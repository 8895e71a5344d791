"""Provisioning: keys, tokens and the broker's configuration, before the start and while the broker runs."""

from collections.abc import Iterable
from dataclasses import dataclass

from interpose.embedded import operator
from interpose.embedded.admission import admit
from interpose.embedded.files import locked, replace_private
from interpose.embedded.home import Home
from interpose.embedded.identities import Directory, Identity, Role, ensure_identity
from interpose.embedded.nats_config import DEFAULT_PORT, render
from interpose.embedded.tokens import LOCAL, ensure_clients
from interpose.errors import BusUnavailable, NotRunning


@dataclass(frozen=True, slots=True)
class Provisioned:
    """A home that is ready to start: everybody in the directory has a key and exact permissions."""

    home: Home
    directory: Directory


def ensure(
    home: Home,
    services: Iterable[str] = (),
    tools: Iterable[str] = (),
    clients: Iterable[str] = (LOCAL,),
    broker: int | str = DEFAULT_PORT,
) -> Provisioned:
    """Write what is missing; whoever has a key keeps it. Safe to call again and from several processes.

    `broker` is the port that ours shall listen on, or the URL of one that somebody else runs.

    Raises ConfigurationError when the folder cannot be used.
    """
    home.prepared()
    names = tuple(clients)
    with locked(home.writing_lock):
        ensure_clients(home, names)
        wanted: list[tuple[Role, str | None]] = [(Role.GATEWAY, None), (Role.OPERATOR, None)]
        wanted += [(Role.SERVICE, name) for name in services] + [(Role.TOOL, name) for name in tools]
        wanted += [(Role.CLIENT, name) for name in names]
        identities = [ensure_identity(home, role, name) for role, name in wanted]
        known = Directory.read(home)
        directory = Directory(broker=broker, identities=known.identities if known else []).including(identities)
        write(home, directory)
    return Provisioned(home, directory)


async def add_service(home: Home, name: str) -> Identity:
    """Give a service its key while the broker runs; whoever is connected stays connected.

    Raises NotRunning when nothing runs in this home, BusUnavailable when the broker does not take the new user.
    """
    return await _add(home, Role.SERVICE, name)


async def add_tool(home: Home, name: str) -> Identity:
    """Give a tool's worker its key while the broker runs, as `add_service` does."""
    return await _add(home, Role.TOOL, name)


async def _add(home: Home, role: Role, name: str) -> Identity:
    await _require_running(home)
    with locked(home.writing_lock):
        identity = ensure_identity(home, role, name)
        known = Directory.read(home)
        if known is None:
            raise NotRunning(f"{home.directory} is gone; start again with `interpose up`")
        directory = known.including([identity])
        if directory != known:
            write(home, directory)
    await admit(home, directory, identity)
    return identity


async def _require_running(home: Home) -> None:
    """The broker takes our operator, so it is ours, and its pid file is its own and not a leftover."""
    try:
        client = await operator.connect(home)
    except BusUnavailable as error:
        raise NotRunning(f"no broker runs for {home.root}: start it with `interpose up`") from error
    await client.close()


def write(home: Home, directory: Directory) -> None:
    """The directory, and the broker's configuration with it. Whoever writes holds the home's writing lock."""
    replace_private(home.broker_config, render(home, directory).encode())
    directory.write(home)
