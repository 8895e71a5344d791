"""HTTP tokens of the clients: the token in a file of its own, its digest in the clients file that the gateway reads."""

import hashlib
import secrets
from collections.abc import Iterable

from pydantic import ValidationError

from interpose.contracts.clients import EVERYONE, ClientEntry, Clients
from interpose.embedded.files import create_private, replace_private
from interpose.embedded.home import Home
from interpose.errors import ConfigurationError

LOCAL = "local"
"""The client of the person at this machine: it may speak for every user."""


def ensure_clients(home: Home, names: Iterable[str]) -> Clients:
    """Give each client a token; tokens and entries that exist are kept. Raises ConfigurationError."""
    known = read_clients(home)
    entries = {name: _entry(home, name, known.clients.get(name)) for name in dict.fromkeys(names)}
    clients = Clients(clients=known.clients | entries)
    if clients != known or not home.clients.exists():
        replace_private(home.clients, clients.model_dump_json(indent=1).encode())
    return clients


def read_clients(home: Home) -> Clients:
    """The clients file, or no clients when there is none. Raises ConfigurationError when it is damaged."""
    try:
        return Clients.model_validate_json(home.clients.read_bytes())
    except FileNotFoundError:
        return Clients()
    except ValidationError as error:
        raise ConfigurationError(f"{home.clients} is no clients file; mend or remove it: {error}") from error


def _entry(home: Home, name: str, known: ClientEntry | None) -> ClientEntry:
    create_private(home.token(name), secrets.token_urlsafe(32).encode() + b"\n")
    digest = hashlib.sha256(home.token(name).read_bytes().strip()).hexdigest()
    if known is not None:
        return known.model_copy(update={"token_sha256": digest})
    return ClientEntry(token_sha256=digest, agent=name, users=[EVERYONE] if name == LOCAL else [])
