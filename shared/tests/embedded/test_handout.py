"""Each folder gets what its identity needs, and no other's."""

import json
import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from interpose.contracts.clients import Clients, Scope
from interpose.embedded.clients import rotate
from interpose.embedded.handout import hand_out
from interpose.embedded.home import Home
from interpose.embedded.identities import Directory
from interpose.embedded.tokens import digest_of
from interpose.errors import ConfigurationError

URL = "nats://nats:4222"
LABELS = ("broker", "client-local", "gateway", "operator", "service-validator", "tool-message")


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    """A folder for one identity of each kind."""
    for label in LABELS:
        (tmp_path / "handout" / label).mkdir(parents=True)
    return tmp_path / "handout"


def give(folders: Path) -> list[str]:
    """Hand out to ourselves."""
    return hand_out(Home(folders.parent / "home"), folders, URL, os.geteuid())


def files(folders: Path) -> list[str]:
    """Every file that was handed out."""
    return sorted(str(path.relative_to(folders)) for path in folders.rglob("*") if path.is_file())


def users(folders: Path) -> dict[str, Any]:
    """The users of the broker's configuration by their public keys."""
    text = (folders / "broker/nats-server.conf").read_text()
    found = json.loads(text.split("\n", 1)[1])
    return {user["nkey"]: user["permissions"] for user in found["authorization"]["users"]}


def test_each_folder_gets_its_own_and_nothing_else(folders: Path) -> None:
    """One seed for each identity, tokens for clients, digests for the gateway, public keys for the broker."""
    handed = give(folders)

    assert sorted(LABELS) == sorted(handed)
    assert [
        "broker/nats-server.conf",
        "client-local/seed",
        "client-local/token",
        "gateway/clients.json",
        "gateway/seed",
        "operator/keys/operator.seed",
        "operator/nats/directory.json",
        "service-validator/seed",
        "tool-message/seed",
    ] == files(folders)


def test_every_file_is_its_owners_alone(folders: Path) -> None:
    """Nobody else may read a key, a token or the users."""
    give(folders)

    assert {0o600} == {stat.S_IMODE((folders / name).stat().st_mode) for name in files(folders)}


def test_seeds_differ_and_are_kept(folders: Path) -> None:
    """Handing out again gives everybody the key that they had; no two have the same."""
    give(folders)
    seeds = {name: (folders / name).read_text() for name in files(folders) if name.endswith("seed")}
    give(folders)

    assert seeds == {name: (folders / name).read_text() for name in seeds}
    assert len(seeds) == len(set(seeds.values()))


def test_the_operators_folder_is_a_state_folder(folders: Path) -> None:
    """Commands find the broker there and the operator's key; every identity is listed with its public key."""
    give(folders)
    home = Home(folders / "operator")
    directory = Directory.read(home)

    assert directory is not None
    assert (URL, 5) == (directory.url, len(directory.identities))
    assert home.seed("operator").exists()


def test_the_broker_knows_everybody_and_keeps_its_promises(folders: Path) -> None:
    """It listens on its container's networks, syncs each write, and has a user for each identity."""
    give(folders)
    settings = json.loads((folders / "broker/nats-server.conf").read_text().split("\n", 1)[1])
    directory = Directory.read(Home(folders / "operator"))

    assert directory is not None
    assert {each.public_key for each in directory.identities} == users(folders).keys()
    assert ("0.0.0.0", 4222) == (settings["host"], settings["port"])  # noqa: S104
    assert ("always", str(folders / "broker/jetstream")) == (
        settings["jetstream"]["sync_interval"],
        settings["jetstream"]["store_dir"],
    )
    assert not {"pid_file", "log_file", "http", "http_port"} & settings.keys()


def test_who_has_no_folder_any_more_is_let_in_no_more(folders: Path) -> None:
    """Without its folder an identity is no user of the broker, and a client's token is nobody's."""
    give(folders)
    before = users(folders)
    for name in files(folders):
        if name.startswith(("service-validator", "client-local")):
            (folders / name).unlink()
    (folders / "service-validator").rmdir()
    (folders / "client-local").rmdir()
    give(folders)

    assert 2 == len(before) - len(users(folders))
    assert {} == Clients.model_validate_json((folders / "gateway/clients.json").read_bytes()).clients


def test_scopes_are_given_to_clients_with_a_folder(folders: Path) -> None:
    """Another run keeps them; a name without a folder is refused, and nothing is handed out."""
    (folders / "client-coder").mkdir()
    clients = Path(folders / "gateway/clients.json")

    def scopes() -> dict[str, list[Scope]]:
        return {name: entry.scopes for name, entry in Clients.model_validate_json(clients.read_bytes()).clients.items()}

    hand_out(Home(folders.parent / "home"), folders, URL, os.geteuid(), {"coder": [Scope.EVALUATE]})
    give(folders)
    given = clients.read_bytes()
    with pytest.raises(ConfigurationError, match="codr: is no client here"):
        hand_out(Home(folders.parent / "home"), folders, URL, os.geteuid(), {"codr": [Scope.OPERATE]})

    assert {"coder": [Scope.EVALUATE], "local": list(Scope)} == scopes()
    assert given == clients.read_bytes()


def test_a_token_that_was_rotated_is_handed_out(folders: Path) -> None:
    """To its client the new one; to the gateway both digests, and the old one's end."""
    give(folders)
    first, home = (folders / "client-local/token").read_bytes(), Home(folders.parent / "home")
    until = rotate(home, "local", timedelta(minutes=10), datetime.now(UTC))

    give(folders)

    second = (folders / "client-local/token").read_bytes()
    handed = Clients.model_validate_json((folders / "gateway/clients.json").read_bytes()).clients["local"]
    ends = {digest_of(first.decode().strip()): until, digest_of(second.decode().strip()): None}
    assert (2, ends) == (len(ends), handed.digests())


@pytest.mark.parametrize("label", ["validator", "service-", "service-a.b", "robot-1", "Gateway"])
def test_a_folder_named_after_nobody_is_refused(folders: Path, label: str) -> None:
    """A slip in a mount makes no identity that nobody meant: nothing is handed out."""
    (folders / label).mkdir()

    with pytest.raises(ConfigurationError, match="named after nobody") as refused:
        give(folders)

    assert str(folders / label) in str(refused.value)
    assert [] == files(folders)


def test_a_place_that_is_not_there_is_told(tmp_path: Path) -> None:
    """The command names the place."""
    with pytest.raises(ConfigurationError, match="cannot look for folders in"):
        hand_out(Home(tmp_path / "home"), tmp_path / "none", URL, os.geteuid())
