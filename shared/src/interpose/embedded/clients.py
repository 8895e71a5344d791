"""Clients as an operator keeps them: added, given another token, revoked; before the start and while all runs.

Each change is made under the home's writing lock. The gateway reads the clients file again by itself, and the broker is
told to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from interpose.contracts.clients import MOST_OLD_TOKENS, ClientEntry, Clients, OldToken, Scope
from interpose.embedded import provision
from interpose.embedded.admission import AtBroker, cut_off, let_in
from interpose.embedded.files import locked
from interpose.embedded.home import Home
from interpose.embedded.identities import Directory, Role, ensure_identity, label_of
from interpose.embedded.tokens import LOCAL, digest_of, draw, hand_token, read_clients, write_clients
from interpose.errors import ConfigurationError

HANDING_OVER = timedelta(minutes=1)
"""How long both tokens open while the file is replaced, should whoever replaces it die in between."""


@dataclass(frozen=True, slots=True)
class Rights:
    """What a client shall be, but for its token."""

    scopes: Sequence[Scope]
    tenant: str = "default"
    agent: str | None = None
    platform: str | None = None
    users: Sequence[str] = ()

    def entry(self, token: str) -> ClientEntry:
        """The entry of a client with that token. A word that is said twice counts once."""
        return ClientEntry(
            token_sha256=digest_of(token),
            scopes=list(dict.fromkeys(self.scopes)),
            tenant=self.tenant,
            agent=self.agent,
            platform=self.platform,
            users=list(dict.fromkeys(self.users)),
        )


async def add(home: Home, name: str, rights: Rights) -> AtBroker:
    """A new client with a token, a key and its permissions. Raises ConfigurationError where the name is taken."""
    if name == LOCAL:
        raise ConfigurationError(f"{LOCAL} is this machine's own client: `interpose up` makes it; choose another name")
    home.prepared()
    _require_free(read_clients(home), name)
    known = Directory.read(home) or provision.ensure(home, clients=()).directory
    with locked(home.writing_lock):
        clients, known = read_clients(home), Directory.read(home) or known
        _require_free(clients, name)
        # What a revoked client of that name left behind is never given to another.
        home.seed(label_of(Role.CLIENT, name)).unlink(missing_ok=True)
        identity, token = ensure_identity(home, Role.CLIENT, name), draw()
        directory = known.including([identity])
        provision.write(home, directory)
        hand_token(home, name, token)
        write_clients(home, _with(clients, name, rights.entry(token)))
    return await let_in(home, directory, identity)


def rotate(home: Home, name: str, keep_old: timedelta, now: datetime) -> datetime | None:
    """Give a client another token; until when its last one opens, None for no longer. Raises ConfigurationError.

    Without a time to keep it every older token ends at once. A client that reads its token's file for each call finds
    one that opens before, meanwhile and after.
    """
    _require(read_clients(home), name)
    with locked(home.prepared().writing_lock):
        clients = read_clients(home)
        entry, token = _require(clients, name), draw()
        old = OldToken(token_sha256=entry.token_sha256, until=now.astimezone(UTC) + (keep_old or HANDING_OVER))
        kept = _still_open(name, entry, now) if keep_old else []
        both = entry.model_copy(update={"token_sha256": digest_of(token), "also": [*kept, old]})
        write_clients(home, _with(clients, name, both))
        hand_token(home, name, token)
        if keep_old:
            return old.until
        write_clients(home, _with(clients, name, both.model_copy(update={"also": []})))
    return None


async def revoke(home: Home, name: str) -> AtBroker:
    """Take a client away: its tokens open nothing, the broker cuts it off. Raises ConfigurationError where none is.

    Its key's file stays until the broker holds to it, so that a revocation which was broken off can be finished.
    """
    _require_revocable(home, name)
    label = label_of(Role.CLIENT, name)
    with locked(home.prepared().writing_lock):
        clients, directory = read_clients(home).clients, Directory.read(home)
        write_clients(home, Clients(clients={each: entry for each, entry in clients.items() if each != name}))
        home.token(name).unlink(missing_ok=True)
        if directory is None:
            return AtBroker(holds=True, said="it had no key on the bus")
        directory = directory.without(label)
        provision.write(home, directory)
    seed = home.seed(label)
    there = await cut_off(home, directory, seed if seed.exists() else None)
    if there.holds:
        _forget(home, label)
    return there


def grant(home: Home, scopes: Mapping[str, Sequence[Scope]]) -> None:
    """Set what tokens open, for clients that are there. Raises ConfigurationError naming who is not."""
    with locked(home.writing_lock):
        clients = read_clients(home)
        for name, wanted in scopes.items():
            entry = _require(clients, name).model_copy(update={"scopes": list(dict.fromkeys(wanted))})
            clients = _with(clients, name, entry)
        if scopes:
            write_clients(home, clients)


def _require_free(clients: Clients, name: str) -> None:
    if name in clients.clients:
        raise ConfigurationError(
            f"there is a client {name}: `interpose clients rotate {name}` gives it another token, "
            f"`interpose clients revoke {name}` takes it away"
        )


def _require(clients: Clients, name: str) -> ClientEntry:
    entry = clients.clients.get(name)
    if entry is None:
        known = ", ".join(sorted(clients.clients)) or "none"
        raise ConfigurationError(f"there is no client {name}; there are: {known} (`interpose clients list`)")
    return entry


def _require_revocable(home: Home, name: str) -> None:
    if name == LOCAL:
        raise ConfigurationError(
            f"{LOCAL} is this machine's own client and would come back: "
            f"`interpose clients rotate {LOCAL}` ends the token that it has"
        )
    if not home.seed(label_of(Role.CLIENT, name)).exists():
        _require(read_clients(home), name)


def _still_open(name: str, entry: ClientEntry, now: datetime) -> list[OldToken]:
    """Old tokens whose end is to come; there must be room for one more."""
    kept = [each for each in entry.also if each.until > now]
    if len(kept) >= MOST_OLD_TOKENS:
        raise ConfigurationError(
            f"{len(kept)} old tokens of {name} still open: wait until one ends, or leave --keep-old out to end them all"
        )
    return kept


def _forget(home: Home, label: str) -> None:
    """Remove the key, unless a client of that name was made meanwhile."""
    with locked(home.writing_lock):
        directory = Directory.read(home)
        if directory is None or not directory.knows(label):
            home.seed(label).unlink(missing_ok=True)


def _with(clients: Clients, name: str, entry: ClientEntry) -> Clients:
    return Clients(clients=clients.clients | {name: entry})
