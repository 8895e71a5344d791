"""Clients of a home in which nothing runs: added, given other tokens, revoked."""

import asyncio
import hashlib
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from interpose.contracts.clients import EVERYONE, ClientEntry, Scope
from interpose.embedded import clients, provision
from interpose.embedded.clients import Rights
from interpose.embedded.home import Home
from interpose.embedded.identities import Directory
from interpose.embedded.ports import free_port
from interpose.embedded.tokens import read_clients
from interpose.errors import ConfigurationError

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
CALLS = Rights([Scope.CALL])
ALL = list(Scope)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with `local`, on a port that nobody uses."""
    return provision.ensure(Home(tmp_path / "home"), broker=free_port()).home


def add(home: Home, name: str, rights: Rights = CALLS) -> None:
    asyncio.run(clients.add(home, name, rights))


def revoke(home: Home, name: str) -> None:
    asyncio.run(clients.revoke(home, name))


def entry(home: Home, name: str) -> ClientEntry:
    return read_clients(home).clients[name]


def digest(home: Home, name: str) -> str:
    """Of the token in the client's file."""
    return hashlib.sha256(home.token(name).read_bytes().strip()).hexdigest()


def labels(home: Home) -> set[str]:
    """Whom the broker's configuration is made of."""
    directory = Directory.read(home)
    return set() if directory is None else {each.label for each in directory.identities}


def test_a_new_client_has_a_token_a_key_and_its_rights(home: Home) -> None:
    """In files of its owner alone; a word that is said twice counts once."""
    add(home, "ci", Rights([Scope.CALL, Scope.EVALUATE, Scope.CALL], "t", "a", "codex", ["u", "u"]))

    expected = ClientEntry(
        token_sha256=digest(home, "ci"),
        scopes=[Scope.CALL, Scope.EVALUATE],
        tenant="t",
        agent="a",
        platform="codex",
        users=["u"],
    )
    assert expected == entry(home, "ci")
    assert [0o600, 0o600] == [path.stat().st_mode & 0o777 for path in (home.token("ci"), home.seed("client-ci"))]
    assert labels(home) == {"gateway", "operator", "client-local", "client-ci"}
    assert '"publish": {' in home.broker_config.read_text()
    assert "gateway.*.ci" in home.broker_config.read_text()


def test_a_client_may_be_added_before_the_first_start(tmp_path: Path) -> None:
    """The first `interpose up` finds it, and makes `local` beside it."""
    home = Home(tmp_path / "home")

    add(home, "ci")
    provision.ensure(home, broker=free_port())

    assert {"ci", "local"} == read_clients(home).clients.keys()
    assert labels(home) == {"gateway", "operator", "client-local", "client-ci"}


@pytest.mark.parametrize(("name", "remedy"), [("ci", "interpose clients rotate ci"), ("local", "interpose up")])
def test_a_name_is_given_once(home: Home, name: str, remedy: str) -> None:
    """Nobody's token is replaced by adding; what there is to do instead is told."""
    add(home, "ci")
    before = home.clients.read_bytes(), home.token(name).read_bytes()

    with pytest.raises(ConfigurationError, match=remedy):
        add(home, name)

    assert before == (home.clients.read_bytes(), home.token(name).read_bytes())


def test_of_two_who_add_one_name_at_the_same_time_one_is_refused(home: Home) -> None:
    """Eight at once: one client with the token in its file, and seven refusals; others' clients are not lost."""
    refused: list[str] = []

    def try_to(name: str) -> None:
        try:
            add(home, name)
        except ConfigurationError:
            refused.append(name)

    threads = [threading.Thread(target=try_to, args=(name,)) for name in ["same"] * 8 + [f"own-{n}" for n in range(8)]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert ["same"] * 7 == refused
    assert {"local", "same", *(f"own-{n}" for n in range(8))} == read_clients(home).clients.keys()
    assert {name: digest(home, name) for name in read_clients(home).clients} == {
        name: one.token_sha256 for name, one in read_clients(home).clients.items()
    }
    assert {"gateway", "operator", *(f"client-{name}" for name in read_clients(home).clients)} == labels(home)


def test_a_token_that_is_kept_opens_until_its_end(home: Home) -> None:
    """Beside the new one, and no longer than was said; one more rotation keeps what still opens, and drops the rest."""
    add(home, "ci")
    tokens = [digest(home, "ci")]

    for minutes, kept in ((0, 10), (5, 60), (11, 1)):
        now = NOW + timedelta(minutes=minutes)
        until = clients.rotate(home, "ci", timedelta(minutes=kept), now)
        assert now + timedelta(minutes=kept) == until
        tokens.append(digest(home, "ci"))

    ends = {tokens[1]: NOW + timedelta(minutes=65), tokens[2]: NOW + timedelta(minutes=12), tokens[3]: None}
    assert 4 == len(set(tokens))
    assert ends == entry(home, "ci").digests()


def test_without_a_time_to_keep_it_every_older_token_ends_at_once(home: Home) -> None:
    """Those of earlier rotations too; the client's rights stay."""
    add(home, "ci", Rights(ALL, users=["u"]))
    clients.rotate(home, "ci", timedelta(hours=1), NOW)

    until = clients.rotate(home, "ci", timedelta(), NOW)

    expected = ClientEntry(token_sha256=digest(home, "ci"), scopes=ALL, users=["u"])
    assert (None, expected) == (until, entry(home, "ci"))


def test_no_more_than_three_old_tokens_open(home: Home) -> None:
    """A fourth is refused with what there is to do, and changes nothing."""
    add(home, "ci")
    for _ in range(3):
        clients.rotate(home, "ci", timedelta(hours=1), NOW)
    before = home.clients.read_bytes(), home.token("ci").read_bytes()

    with pytest.raises(ConfigurationError, match="leave --keep-old out"):
        clients.rotate(home, "ci", timedelta(hours=1), NOW)

    assert before == (home.clients.read_bytes(), home.token("ci").read_bytes())


def test_a_client_that_was_written_by_hand_gets_a_token_of_ours(home: Home) -> None:
    """Its digest was known alone; its rotation writes a file."""
    written = ClientEntry(token_sha256="f" * 64)
    home.clients.write_text(read_clients(home).model_copy(update={"clients": {"ci": written}}).model_dump_json())

    clients.rotate(home, "ci", timedelta(), NOW)

    assert digest(home, "ci") == entry(home, "ci").token_sha256


def test_of_a_revoked_client_nothing_is_left(home: Home) -> None:
    """Neither entry nor token nor key nor permissions; another start does not bring it back."""
    add(home, "ci")

    revoke(home, "ci")
    provision.ensure(home, broker=free_port())

    assert {"local"} == read_clients(home).clients.keys()
    assert [False, False] == [home.token("ci").exists(), home.seed("client-ci").exists()]
    assert {"gateway", "operator", "client-local"} == labels(home)
    assert "gateway.*.ci" not in home.broker_config.read_text()


def test_a_name_that_was_revoked_gets_another_token_and_another_key(home: Home) -> None:
    """Whoever still has the old ones has nothing, also where the revocation was broken off before it removed them."""
    add(home, "ci")
    token, seed = home.token("ci").read_bytes(), home.seed("client-ci").read_bytes()
    revoke(home, "ci")
    home.token("ci").write_bytes(token)
    home.seed("client-ci").write_bytes(seed)

    add(home, "ci")

    assert token != home.token("ci").read_bytes()
    assert seed != home.seed("client-ci").read_bytes()
    assert digest(home, "ci") == entry(home, "ci").token_sha256


@pytest.mark.parametrize("name", ["nobody", "local"])
def test_who_is_not_there_or_this_machines_own_is_not_revoked(home: Home, name: str) -> None:
    """A sentence with what there is to do; nothing changes."""
    before = home.clients.read_bytes()

    with pytest.raises(ConfigurationError, match="interpose clients"):
        revoke(home, name)

    assert before == home.clients.read_bytes()


def test_nothing_is_made_for_a_client_that_nobody_has(tmp_path: Path) -> None:
    """In a folder where nothing ever was, rotating and revoking leave nothing behind."""
    home = Home(tmp_path / "home")

    with pytest.raises(ConfigurationError, match="no client ci"):
        clients.rotate(home, "ci", timedelta(), NOW)
    with pytest.raises(ConfigurationError, match="no client ci"):
        revoke(home, "ci")

    assert not home.root.exists()


def test_this_machines_own_client_has_every_scope(home: Home) -> None:
    """Any other that is provisioned may call."""
    provision.ensure(home, clients=["local", "ci"], broker=free_port())

    assert (ALL, [EVERYONE]) == (entry(home, "local").scopes, entry(home, "local").users)
    assert [Scope.CALL] == entry(home, "ci").scopes


@pytest.mark.parametrize(("said", "expected"), [("", ALL), (', "scopes": ["call"]', [Scope.CALL])])
def test_an_entry_of_local_from_before_scopes_is_brought_up(home: Home, said: str, expected: list[Scope]) -> None:
    """By the next start; one that names its scopes keeps them, and so does every other client."""
    old = f'"token_sha256": "{digest(home, "local")}"'
    home.clients.write_text(f'{{"clients": {{"local": {{{old}{said}}}, "ci": {{"token_sha256": "{"f" * 64}"}}}}}}')

    provision.ensure(home, broker=free_port())

    assert expected == entry(home, "local").scopes
    assert [Scope.CALL] == entry(home, "ci").scopes


def test_scopes_are_granted_to_those_who_are_there(home: Home) -> None:
    """What is not named stays; a name that nobody has refuses all of it."""
    add(home, "ci")
    clients.grant(home, {"ci": [Scope.EVALUATE, Scope.EVALUATE]})

    with pytest.raises(ConfigurationError, match="no client cd"):
        clients.grant(home, {"ci": ALL, "cd": ALL})

    assert ([Scope.EVALUATE], ALL) == (entry(home, "ci").scopes, entry(home, "local").scopes)
