"""Keys, tokens, and the directory."""

import hashlib
import re
from pathlib import Path

import nkeys
import pytest

from interpose.embedded import provision
from interpose.embedded.home import Home
from interpose.embedded.identities import Directory, Identity, Role, ensure_identity, label_of
from interpose.embedded.tokens import read_clients
from interpose.errors import ConfigurationError


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").prepared()


def test_a_key_is_a_user_seed_that_signs_for_its_public_key(home: Home) -> None:
    """The seed file holds an nkey of a user; what it signs is verified by the public key in the directory."""
    identity = ensure_identity(home, Role.SERVICE, "validator")

    pair = nkeys.from_seed(bytearray(home.seed("service-validator").read_bytes()))
    assert identity.public_key == pair.public_key.decode()
    assert re.fullmatch(r"U[A-Z2-7]{55}", identity.public_key)
    assert pair.verify(b"nonce", pair.sign(b"nonce"))


def test_a_key_that_exists_is_kept(home: Home) -> None:
    """Asking twice gives the same identity."""
    assert ensure_identity(home, Role.GATEWAY) == ensure_identity(home, Role.GATEWAY)


def test_two_identities_have_two_keys(home: Home) -> None:
    """A service and a tool of one name are two users."""
    keys = {ensure_identity(home, role, "echo").public_key for role in (Role.SERVICE, Role.TOOL, Role.CLIENT)}

    assert len(keys) == 3


@pytest.mark.parametrize("content", [b"", b"no seed", b"SUAAA", b"\xff\xfe"])
def test_a_damaged_seed_is_an_error_with_its_path(home: Home, content: bytes) -> None:
    """A seed that cannot be read is never replaced silently."""
    ensure_identity(home, Role.OPERATOR)
    home.seed("operator").write_bytes(content)

    with pytest.raises(ConfigurationError, match=r"operator\.seed"):
        ensure_identity(home, Role.OPERATOR)


@pytest.mark.parametrize("name", ["../../outside", "a/b", "*", ">", "a b", "", "é", "x" * 65])
def test_no_name_leaves_the_folder(name: str) -> None:
    """A name that is no plain token becomes a digest in the file's name."""
    assert re.fullmatch(r"tool-x[0-9a-f]{32}", label_of(Role.TOOL, name))


def test_provisioning_knows_everybody_once(home: Home) -> None:
    """The gateway, the operator, each service, tool and client, in a stable order."""
    directory = provision.ensure(home, ["validator"], ["echo"], ["local", "agent"]).directory

    assert [
        "gateway",
        "operator",
        "service-validator",
        "tool-echo",
        "client-local",
        "client-agent",
    ] == [each.label for each in directory.identities]


def test_provisioning_again_keeps_keys_tokens_and_those_who_are_there(home: Home) -> None:
    """A second call with fewer names loses nobody and changes no key."""
    first = provision.ensure(home, ["validator"], ["echo"], ["local", "agent"], broker=4555).directory
    clients = read_clients(home)

    second = provision.ensure(home, broker=4555).directory

    assert first == second
    assert clients == read_clients(home)


def test_the_clients_file_holds_digests_and_no_token(home: Home) -> None:
    """Each client's entry has the SHA-256 of the token in its file; the token itself stands nowhere else."""
    provision.ensure(home, clients=["local", "agent"])

    tokens = {name: home.token(name).read_bytes().strip() for name in ("local", "agent")}
    entries = read_clients(home).clients
    assert {name: hashlib.sha256(token).hexdigest() for name, token in tokens.items()} == {
        name: entry.token_sha256 for name, entry in entries.items()
    }
    assert not any(token in home.clients.read_bytes() for token in tokens.values())


def test_only_the_local_client_speaks_for_everybody(home: Home) -> None:
    """The person at this machine may name any user, another client none."""
    provision.ensure(home, clients=["local", "agent"])

    entries = read_clients(home).clients
    assert (["*"], "local", None) == (entries["local"].users, entries["local"].agent, entries["local"].platform)
    assert entries["agent"].users == []


def test_a_client_that_was_edited_keeps_its_rights(home: Home) -> None:
    """What an operator wrote into an entry stays when the home is provisioned again."""
    provision.ensure(home, clients=["local"])
    home.clients.write_text(home.clients.read_text().replace('"*"', '"patrick"'))

    provision.ensure(home, clients=["local", "agent"])

    assert ["patrick"] == read_clients(home).clients["local"].users


def test_a_damaged_clients_file_is_an_error(home: Home) -> None:
    """It is named and never overwritten."""
    home.clients.write_text('{"clients": {"local": {}}}')

    with pytest.raises(ConfigurationError, match=r"clients\.json"):
        provision.ensure(home)


def test_a_damaged_directory_is_an_error(home: Home) -> None:
    """It is named with the remedy."""
    home.directory.write_text("{}")

    with pytest.raises(ConfigurationError, match=r"directory\.json is damaged; move"):
        Directory.read(home)


def test_the_url_is_our_own_broker_or_the_one_that_was_named() -> None:
    """A port means loopback."""
    urls = [Directory(broker=4555).url, Directory(broker="nats://elsewhere:4222").url]

    assert ["nats://127.0.0.1:4555", "nats://elsewhere:4222"] == urls


def test_including_replaces_in_place() -> None:
    """A new key of somebody who is known takes the old one's place."""
    old, new, other = (
        Identity(role=Role.TOOL, name=name, public_key=key) for name, key in (("a", "U1"), ("a", "U2"), ("b", "U3"))
    )

    merged = Directory(broker=1, identities=[old, other]).including([new])

    assert [new, other] == merged.identities
