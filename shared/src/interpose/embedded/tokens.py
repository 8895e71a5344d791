"""HTTP tokens of the clients: the token in a file of its own, its digest in the clients file that the gateway reads.

Whoever changes the clients file holds the home's writing lock; readers need none.
"""

import hashlib
import secrets
from collections.abc import Iterable

from pydantic import ValidationError

from interpose.contracts.clients import EVERYONE, ClientEntry, Clients, Scope
from interpose.embedded.files import create_private, replace_private
from interpose.embedded.home import Home
from interpose.errors import ConfigurationError

LOCAL = "local"
"""The client of the person at this machine: it may speak for every user, and has every scope."""


def ensure_clients(home: Home, names: Iterable[str]) -> Clients:
    """Give each client a token; tokens and entries that exist are kept. Raises ConfigurationError."""
    known = read_clients(home)
    entries = {name: _entry(home, name, known.clients.get(name)) for name in dict.fromkeys(names)}
    clients = Clients(clients=known.clients | entries)
    if clients != known or not home.clients.exists():
        write_clients(home, clients)
    return clients


def read_clients(home: Home) -> Clients:
    """The clients file, or no clients when there is none. Raises ConfigurationError when it is damaged."""
    try:
        return Clients.model_validate_json(home.clients.read_bytes())
    except FileNotFoundError:
        return Clients()
    except ValidationError as error:
        raise ConfigurationError(f"{home.clients} is no clients file; mend or remove it: {error}") from error


def write_clients(home: Home, clients: Clients) -> None:
    """Replace the clients file: whoever reads it sees all clients as they were, or all as they are."""
    replace_private(home.clients, clients.model_dump_json(indent=1).encode())


def draw() -> str:
    """A new token."""
    return secrets.token_urlsafe(32)


def hand_token(home: Home, name: str, token: str) -> None:
    """Put it into the client's file, in the place of what is there."""
    replace_private(home.token(name), _line(token))


def digest_of(token: str) -> str:
    """What the clients file holds of it."""
    return hashlib.sha256(token.encode()).hexdigest()


def _line(token: str) -> bytes:
    return token.encode() + b"\n"


def _entry(home: Home, name: str, known: ClientEntry | None) -> ClientEntry:
    create_private(home.token(name), _line(draw()))
    digest = digest_of(home.token(name).read_text(encoding="utf-8").strip())
    if known is not None:
        return known.model_copy(update={"token_sha256": digest} | _brought_up(name, known))
    if name == LOCAL:
        return ClientEntry(token_sha256=digest, scopes=list(Scope), agent=name, users=[EVERYONE])
    return ClientEntry(token_sha256=digest, agent=name)


def _brought_up(name: str, known: ClientEntry) -> dict[str, list[Scope]]:
    """An entry of `local` from before there were scopes gets all; one that names its scopes keeps them."""
    return {"scopes": list(Scope)} if name == LOCAL and "scopes" not in known.model_fields_set else {}
