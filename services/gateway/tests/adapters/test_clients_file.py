"""Who may call, by a file that changes while the gateway runs."""

import hashlib
import json
from datetime import UTC, datetime, timedelta

import pytest

from interpose_gateway.adapters.clients_file import ClientsFile

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)


def digest(secret):
    """What the file holds of a token."""
    return hashlib.sha256(secret.encode()).hexdigest()


def written(path, **secrets):
    """The file, with these clients and their tokens."""
    entries = {name: {"token_sha256": digest(secret)} for name, secret in secrets.items()}
    path.write_text(json.dumps({"clients": entries}))
    return path


@pytest.fixture
def clients(tmp_path):
    """One client, with the token `first`."""
    return ClientsFile(written(tmp_path / "clients.json", local="first"))


def names(clients, *secrets):
    """Whose tokens these are."""
    found = [clients.by_secret(secret) for secret in secrets]
    return [None if caller is None else caller.name for caller in found]


def test_a_token_is_rotated_without_a_restart(clients):
    """As soon as the file is written anew, the old token opens nothing and the new one does."""
    assert ["local", None] == names(clients, "first", "second")
    written(clients.path, local="second", other="third")

    assert [None, "local", "other"] == names(clients, "first", "second", "third")


def test_an_old_token_opens_until_its_end(tmp_path):
    """To the second, by the wall clock and without a change of the file; the present one has no end."""
    path, now = tmp_path / "clients.json", [NOW]
    also = [{"token_sha256": digest("first"), "until": (NOW + timedelta(minutes=10)).isoformat()}]
    path.write_text(json.dumps({"clients": {"local": {"token_sha256": digest("second"), "also": also}}}))
    clients = ClientsFile(path, now=lambda: now[0])

    found = []
    for minutes in (0, 9.999, 10, 1000):
        now[0] = NOW + timedelta(minutes=minutes)
        found.append(names(clients, "first", "second"))

    assert [["local", "local"], ["local", "local"], [None, "local"], [None, "local"]] == found


def test_a_token_of_two_clients_lets_nobody_in(tmp_path):
    """Nobody could say who calls with it, so the file is none."""
    clients = ClientsFile(written(tmp_path / "clients.json", ci="same", cd="same", local="other"))

    assert [None, None] == names(clients, "same", "other")


@pytest.mark.parametrize("broken", ["", "{", '{"clients": {"local": {}}}', None])
def test_a_file_that_cannot_be_read_lets_nobody_in(clients, caplog, broken):
    """While it is broken or gone nobody may call, which is said once; mended, it counts again."""
    names(clients, "first")
    if broken is None:
        clients.path.unlink()
    else:
        clients.path.write_text(broken)

    assert [None, None] == names(clients, "first", "first")
    assert clients.is_empty
    assert ["ERROR"] == [record.levelname for record in caplog.records]

    written(clients.path, local="second")
    assert ["local"] == names(clients, "second")


def test_without_a_file_nobody_may_call():
    """A gateway without a clients file has no clients."""
    assert ClientsFile(None).is_empty
