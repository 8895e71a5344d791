"""A hook that stands in the registry for as long as its worker runs: `interpose run --temporary`.

It is put there with the operator's key of the home, so it is the operator's hook, also where registration is closed.
A worker that is killed leaves it registered and absent: calls that meet it are refused, and told how to take it out.
"""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from nats.aio.client import Client

from interpose.bus import connection
from interpose.contracts.registry import Document, Manifest, Owner
from interpose.embedded import operator
from interpose.embedded.home import Home
from interpose.embedded.identities import Role, label_of
from interpose.errors import BusUnavailable, ConfigurationError, RegistryConflict
from interpose.registry.apply import standing
from interpose.registry.changes import entry_of, now, somebody, with_manifest, without
from interpose.registry.store import Store
from interpose.registry.version import Version

log = logging.getLogger("interpose.worker")


def require_key(home: Home) -> None:
    """Raises ConfigurationError where this home holds no operator's key."""
    seed = home.seed(label_of(Role.OPERATOR, None))
    if not seed.exists():
        raise ConfigurationError(
            f"--temporary writes the registry with the operator's key, and there is no {seed}: run it where"
            " `interpose up` runs or name that folder with --home; without the flag the hook announces itself"
        )


def temporarily(home: Home, manifest: Manifest) -> Callable[[Client], AbstractAsyncContextManager[None]]:
    """Registered while entered. Entering raises ConfigurationError where the name is taken, and BusUnavailable."""

    @asynccontextmanager
    async def registered(_own: Client) -> AsyncIterator[None]:
        client = await operator.connect(home)
        try:
            await Store(client).change(lambda version: _with(version, manifest))
            try:
                yield
            finally:
                await _take_out(Store(client), manifest.name)
        finally:
            await connection.close(client)

    return registered


def _with(version: Version, manifest: Manifest) -> Document:
    who = somebody()
    entry = entry_of(manifest, Owner.OPERATOR, who, temporary=True)
    return with_manifest(version.document(), manifest, entry, now(who, f"run --temporary {manifest.name}"))


async def _take_out(store: Store, name: str) -> None:
    def change(version: Version) -> Document | None:
        document = standing(version)
        if document is None or not any(entry.temporary for entry in document.of(name)):
            return None  # somebody took it out, or gave the name to another hook
        return without(document, name, now(somebody(), f"end of run --temporary {name}"))

    try:
        await store.change(change)
    except (BusUnavailable, RegistryConflict) as error:
        log.warning("%s stays registered, `interpose hooks remove %s` takes it out: %s", name, name, error)
