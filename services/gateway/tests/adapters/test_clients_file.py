"""Who may call, by a file that changes while the gateway runs."""

import hashlib
import json

import pytest

from interpose_gateway.adapters.clients_file import ClientsFile


def written(path, **secrets):
    """The file, with these clients and their tokens."""
    entries = {name: {"token_sha256": hashlib.sha256(secret.encode()).hexdigest()} for name, secret in secrets.items()}
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
