"""A connection to the broker of a home, as its operator or as whoever just got a key.

Others connect through their own settings; this room is for the commands and the supervisor, which hold the keys.
"""

import os
from pathlib import Path

import nats.errors
from nats.aio.client import Client

from interpose.bus.connection import close, options
from interpose.bus.settings import BusSettings
from interpose.bus.subjects import OPERATOR_INBOX
from interpose.bus.tasks import within
from interpose.embedded.home import Home
from interpose.embedded.identities import Directory, Role, label_of
from interpose.errors import BusUnavailable, NotRunning

CONNECT_TIMEOUT_MS = 3_000
_RETRY_S = 0.1


async def connect(home: Home, timeout_ms: int = CONNECT_TIMEOUT_MS) -> Client:
    """The operator's connection; it reconnects for as long as it is open, and the caller closes it.

    Raises NotRunning when the home was never started, BusUnavailable when its broker does not answer in time.
    """
    return await _connect_as(_of_home(home), timeout_ms)


async def reach(home: Home, timeout_ms: int = CONNECT_TIMEOUT_MS) -> Client:
    """The operator's connection: with INTERPOSE_NATS_URL and INTERPOSE_NATS_SEED where both are set, else the home's.

    Raises what `connect` raises, and ConfigurationError for settings that cannot be used.
    """
    return await _connect_as(identity(home), timeout_ms)


def identity(home: Home) -> BusSettings:
    """Where the operator's broker is and its key, as `reach` uses them. Raises NotRunning and ConfigurationError."""
    if not all(os.environ.get(name) for name in ("INTERPOSE_NATS_URL", "INTERPOSE_NATS_SEED")):
        return _of_home(home)
    return BusSettings.from_environment()


def _of_home(home: Home) -> BusSettings:
    directory = Directory.read(home)
    if directory is None:
        raise NotRunning(f"nothing was ever started in {home.root}: run `interpose up`, or name its folder with --home")
    return BusSettings(nats_url=directory.url, nats_seed=home.seed(label_of(Role.OPERATOR, None)))


async def _connect_as(settings: BusSettings, timeout_ms: int) -> Client:
    return await connect_with(settings.nats_url, Path(str(settings.nats_seed)), OPERATOR_INBOX, timeout_ms)


async def connect_with(url: str, seed: Path, inbox: str, timeout_ms: int = CONNECT_TIMEOUT_MS) -> Client:
    """Connect with a seed, trying until the time is up. Raises BusUnavailable with what the broker said."""
    client = Client()
    said: dict[str, None] = {}

    async def note(error: Exception) -> None:
        said[str(error) or type(error).__name__] = None

    chosen = options(BusSettings(nats_url=url, nats_seed=seed), name="operator", inbox_prefix=inbox)
    try:
        # It tries again for ever: a cancellation that nats-py loses would leave nobody who ends it.
        await within(timeout_ms / 1000, client.connect(**chosen | {"error_cb": note, "reconnect_time_wait": _RETRY_S}))
    except (TimeoutError, OSError, nats.errors.Error) as error:
        await close(client)
        why = "; ".join(said) or f"no answer within {timeout_ms} ms"
        raise BusUnavailable(f"the broker at {url} cannot be used: {why}") from error
    return client
