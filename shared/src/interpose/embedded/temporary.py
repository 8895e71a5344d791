"""A hook that stands in the registry for as long as its worker runs: `interpose run --temporary`.

It is put there with the operator's key of the home, so it is the operator's hook, also where registration is closed.
A worker that is killed leaves it registered and absent: calls that meet it are refused, and told how to take it out.
The same file of the same user on the same machine is let in again, where nobody answers for the hook.
"""

import fcntl
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from nats.aio.client import Client

from interpose.bus import connection, presence
from interpose.contracts.registry import Document, Entry, Manifest, Owner
from interpose.embedded import operator
from interpose.embedded.files import open_private
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


def temporarily(home: Home, manifest: Manifest, file: Path) -> Callable[[Client], AbstractAsyncContextManager[None]]:
    """Registered while entered. Entering raises ConfigurationError where the name is taken, and BusUnavailable."""
    guest = _Guest(manifest, f"{somebody()} {file.resolve()}")

    @asynccontextmanager
    async def registered(_own: Client) -> AsyncIterator[None]:
        with _alone(home, manifest.name):
            client = await operator.connect(home)
            try:
                await guest.enter(client)
                try:
                    yield
                finally:
                    await guest.leave(Store(client))
            finally:
                await connection.close(client)

    return registered


@contextmanager
def _alone(home: Home, name: str) -> Iterator[None]:
    """One process at a time serves this name; the kernel lets go when it dies. Raises ConfigurationError."""
    with open_private(home.temporary_lock(name)) as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ConfigurationError(
                f"{name} is already a hook, the operator's: another process runs it with --temporary; stop that one, or"
                " share its load with --no-register"
            ) from error
        yield


@dataclass(frozen=True, slots=True)
class _Guest:
    """One hook, and who brings it in: user, machine and file, as its entry says."""

    manifest: Manifest
    source: str

    async def enter(self, client: Client) -> None:
        """Put it into the registry, in the place of what a killed run of the same file left there."""
        left = standing(await Store(client).read())
        if left is not None and self._is_own(left.of(self.manifest.name)):
            await self._require_nobody(client)
        await Store(client).change(self._with)

    async def _require_nobody(self, client: Client) -> None:
        if alive := await presence.ping(client, self.manifest.service):
            names = ", ".join(each.instance for each in alive)
            raise ConfigurationError(
                f"{self.manifest.name} is registered from a run that was killed, and {names} still answers for it: stop"
                " that, or share its load with --no-register"
            )

    def _with(self, version: Version) -> Document:
        who, name = somebody(), self.manifest.name
        applied = now(who, f"run --temporary {name}")
        document = version.document()
        if self._is_own(document.of(name)):
            document = without(document, name, applied)
        entry = entry_of(self.manifest, Owner.OPERATOR, self.source, temporary=True)
        return with_manifest(document, self.manifest, entry, applied)

    def _is_own(self, entries: list[Entry]) -> bool:
        return any(entry.temporary and entry.source == self.source for entry in entries)

    async def leave(self, store: Store) -> None:
        """Take it out, unless somebody did, or gave the name to another hook."""
        name = self.manifest.name

        def change(version: Version) -> Document | None:
            document = standing(version)
            if document is None or not self._is_own(document.of(name)):
                return None
            return without(document, name, now(somebody(), f"end of run --temporary {name}"))

        try:
            await store.change(change)
        except (BusUnavailable, RegistryConflict) as error:
            log.warning("%s stays registered, `interpose hooks remove %s` takes it out: %s", name, name, error)
