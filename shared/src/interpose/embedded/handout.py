"""Handing out: into the folder of each identity what it alone needs, for containers that each mount their own.

The folders that stand there say who there is: `gateway`, `operator`, `broker`, `service-<name>`, `tool-<name>`,
`client-<name>`. So whoever mounts a folder under a new name has made a new identity, and no other list is kept.

| folder | what is put there |
| --- | --- |
| `broker` | `nats-server.conf` with everybody's public keys, and `jetstream/`, the store it names |
| `operator` | a state folder that holds the operator's key only, for INTERPOSE_HOME |
| `gateway` | `seed`, and `clients.json` with digests of the tokens |
| `service-…`, `tool-…` | `seed` |
| `client-…` | `seed` for the bus, `token` for HTTP |
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Self, assert_never

from interpose.contracts.clients import Clients, Scope
from interpose.embedded.clients import grant
from interpose.embedded.files import replace_private
from interpose.embedded.home import Home
from interpose.embedded.identities import Directory, Identity, Role, label_of
from interpose.embedded.nats_config import render_contained
from interpose.embedded.provision import ensure
from interpose.embedded.tokens import read_clients
from interpose.errors import ConfigurationError, Fault

BROKER = "broker"
UNNAMED = (Role.GATEWAY.value, Role.OPERATOR.value, BROKER)
NAMED = (Role.SERVICE, Role.TOOL, Role.CLIENT)


@dataclass(frozen=True, slots=True)
class Folders:
    """Who shall be handed what: the names behind the folders of one place."""

    root: Path
    names: dict[Role, list[str]]

    @classmethod
    def read(cls, root: Path) -> Self:
        """The folders there. Raises ConfigurationError naming each that belongs to nobody."""
        found: dict[Role, list[str]] = {role: [] for role in NAMED}
        strangers = []
        for label in _within(root):
            role, _, name = label.partition("-")
            if role in NAMED and label == label_of(Role(role), name):
                found[Role(role)].append(name)
            elif label not in UNNAMED:
                strangers.append(Fault(str(root / label), "is named after nobody"))
        if strangers:
            unnamed = ", ".join(UNNAMED)
            raise ConfigurationError(f"folders are: {unnamed}, service-NAME, tool-NAME and client-NAME", strangers)
        return cls(root, found)


def _within(root: Path) -> list[str]:
    try:
        return sorted(path.name for path in root.iterdir() if path.is_dir())
    except OSError as error:
        raise ConfigurationError(f"cannot look for folders in {root}: {error.strerror}") from error


def hand_out(
    home: Home, root: Path, url: str, owner: int, scopes: Mapping[str, Sequence[Scope]] = MappingProxyType({})
) -> list[str]:
    """Make who is missing, then write into each folder; returns their names. Safe to call again: keys are kept.

    `scopes` sets what the tokens of clients open; those that it does not name keep theirs.

    Whoever has no folder any more is let in no more. `url` is where everybody meets the broker, `owner` the user that
    all files shall belong to; the folders themselves stay ours. Raises ConfigurationError.
    """
    names = Folders.read(root).names
    _require_folders(root, scopes, names[Role.CLIENT])
    given = ensure(home, names[Role.SERVICE], names[Role.TOOL], names[Role.CLIENT], broker=url)
    grant(home, scopes)
    present = [each for each in given.directory.identities if (root / each.label).is_dir()]
    handed = Directory(broker=url, identities=present)
    for identity in present:
        _fill(home, handed, identity, root / identity.label, owner)
    labels = [each.label for each in present]
    if (folder := root / BROKER).is_dir():
        _fill_broker(handed, folder, owner)
        labels.append(BROKER)
    return labels


def _require_folders(root: Path, scopes: Mapping[str, Sequence[Scope]], clients: Sequence[str]) -> None:
    """A scope for nobody is a misspelling. Raises ConfigurationError naming each."""
    strangers = [
        Fault(name, f"is no client here: {root / label_of(Role.CLIENT, name)} is no folder") for name in scopes
    ]
    if found := [fault for fault in strangers if fault.path not in clients]:
        raise ConfigurationError("scopes are for clients that have a folder", found)


def _fill(home: Home, directory: Directory, identity: Identity, folder: Path, owner: int) -> None:
    seed = home.seed(identity.label).read_bytes()
    match identity.role:
        case Role.OPERATOR:
            _fill_operator(directory, identity, seed, Home(folder), owner)
            return
        case Role.GATEWAY:
            _put(folder / "clients.json", _clients(home, directory), owner)
        case Role.CLIENT:
            _put(folder / "token", home.token(str(identity.name)).read_bytes(), owner)
        case Role.SERVICE | Role.TOOL:
            pass
        case _:
            assert_never(identity.role)
    _put(folder / "seed", seed, owner)


def _clients(home: Home, directory: Directory) -> bytes:
    """The clients file with those alone who have a folder."""
    present = {each.name for each in directory.identities if each.role is Role.CLIENT}
    known = read_clients(home).clients
    clients = Clients(clients={name: entry for name, entry in known.items() if name in present})
    return clients.model_dump_json(indent=1).encode()


def _fill_operator(directory: Directory, identity: Identity, seed: bytes, home: Home, owner: int) -> None:
    for place in (home.keys, home.nats):
        place.mkdir(exist_ok=True)
    _put(home.seed(identity.label), seed, owner)
    _put(home.directory, directory.model_dump_json(indent=1).encode(), owner)


def _fill_broker(directory: Directory, folder: Path, owner: int) -> None:
    store = folder / "jetstream"
    if not store.exists():
        store.mkdir(mode=0o700)
        os.chown(store, owner, -1)
    _put(folder / "nats-server.conf", render_contained(store, directory.identities).encode(), owner)


def _put(path: Path, data: bytes, owner: int) -> None:
    replace_private(path, data)
    os.chown(path, owner, -1)
