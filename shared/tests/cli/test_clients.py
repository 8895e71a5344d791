"""`interpose clients` in a home in which nothing runs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Interpose = Callable[..., Any]


def listed(interpose: Interpose) -> dict[str, dict[str, Any]]:
    """The clients by name, as `list --json` has them."""
    return {each["client"]: each for each in json.loads(interpose("clients", "list", "--json").out)["clients"]}


def token(tmp_path: Path, name: str) -> str:
    return (tmp_path / "home/tokens" / name).read_text().strip()


def test_a_client_is_added_and_its_token_is_not_shown(interpose: Interpose, tmp_path: Path) -> None:
    """What is told is where the token is, how it is used, and how it stands at the broker."""
    ran = interpose("clients", "add", "ci")

    path = tmp_path / "home/tokens/ci"
    assert (0, "") == (ran.code, ran.err)
    assert token(tmp_path, "ci") not in ran.out
    assert f"Authorization: Bearer $(cat {path})" in ran.out
    assert f"--token-file {path}" in ran.out
    assert "gateway.*.ci; no broker runs here" in ran.out


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_token_is_shown_where_that_is_asked_for(interpose: Interpose, tmp_path: Path, more: list[str]) -> None:
    """For people and for programs."""
    shown, hidden = (
        interpose("clients", "add", name, *way, *more) for name, way in (("a", ["--show-token"]), ("b", []))
    )

    assert token(tmp_path, "a") in shown.out
    assert token(tmp_path, "b") not in hidden.out


@pytest.mark.parametrize(
    ("said", "platform"),
    [("claude", "claude-code"), ("GEMINI", "gemini-cli"), ("copilot", "copilot-cli"), ("codex", "codex")],
)
def test_a_client_has_the_rights_that_were_told(interpose: Interpose, said: str, platform: str) -> None:
    """Platforms go by their short names as well, and stand in the file by their whole ones."""
    words = "--scope evaluate --scope call --agent helper --tenant acme --user ann --user *"

    interpose("clients", "add", "ci", *words.split(), "--platform", said)

    told = listed(interpose)["ci"]
    assert (["evaluate", "call"], platform, "helper", "acme", ["ann", "*"]) == (
        told["scopes"],
        told["platform"],
        told["agent"],
        told["tenant"],
        told["users"],
    )


def test_without_a_word_a_client_may_call_and_speaks_for_nobody(interpose: Interpose) -> None:
    """Its agent is its name."""
    interpose("clients", "add", "ci")

    told = listed(interpose)["ci"]
    assert (["call"], None, "ci", "default", [], True) == (
        told["scopes"],
        told["platform"],
        told["agent"],
        told["tenant"],
        told["users"],
        told["on_bus"],
    )


def test_a_name_that_is_taken_is_refused_with_the_remedy(interpose: Interpose) -> None:
    """Code 1, and the two commands that there are instead."""
    interpose("clients", "add", "ci")

    ran = interpose("clients", "add", "ci")

    assert (1, "") == (ran.code, ran.out)
    assert "`interpose clients rotate ci`" in ran.err
    assert "`interpose clients revoke ci`" in ran.err


def test_a_list_has_tokens_with_their_ends_and_no_digest(interpose: Interpose, tmp_path: Path) -> None:
    """Eight letters of each digest: enough to tell tokens apart."""
    interpose("clients", "add", "ci")
    rotated = json.loads(interpose("clients", "rotate", "ci", "--keep-old", "10m", "--json").out)

    ran = interpose("clients", "list")

    entry = json.loads((tmp_path / "home/clients.json").read_text())["clients"]["ci"]
    told = listed(interpose)["ci"]["tokens"]
    assert [
        (entry["token_sha256"][:8], None),
        (entry["also"][0]["token_sha256"][:8], rotated["old_until"]),
    ] == [(each["sha256"], each["until"]) for each in told]
    assert ran.out.startswith("ci  call, agent ci, tenant default, speaks for nobody, HTTP and bus\n")
    assert [f"    token {told[0]['sha256']}…  no end", f"    token {told[1]['sha256']}…  replaced; opens until"] == [
        line[: len("    token 01234567…  replaced; opens until")] for line in ran.out.splitlines()[1:]
    ]
    assert entry["token_sha256"] not in ran.out


def test_a_list_of_nobody_says_how_somebody_comes(interpose: Interpose) -> None:
    """Code 0."""
    ran = interpose("clients", "list")

    assert 0 == ran.code
    assert "interpose clients add NAME" in ran.out


def test_a_rotation_says_what_becomes_of_the_old_token(interpose: Interpose, tmp_path: Path) -> None:
    """It is in the same file; the token is not told."""
    interpose("clients", "add", "ci")
    first = token(tmp_path, "ci")

    kept, ended = interpose("clients", "rotate", "ci", "--keep-old", "2h"), interpose("clients", "rotate", "ci")

    assert "its last one opens until" in kept.out
    assert "its older tokens open nothing any more" in ended.out
    assert 1 == len(listed(interpose)["ci"]["tokens"])
    assert first != token(tmp_path, "ci")
    assert token(tmp_path, "ci") not in kept.out + ended.out


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_nobody_is_revoked_unasked(interpose: Interpose, more: list[str]) -> None:
    """Where there is no terminal to ask at it takes --yes; without it nothing is changed."""
    interpose("clients", "add", "ci")

    refused = interpose("clients", "revoke", "ci", *more)
    there = listed(interpose)
    done = interpose("clients", "revoke", "ci", "--yes", *more)

    assert (1, "") == (refused.code, refused.out)
    assert "--yes" in refused.err
    assert (["ci"], 0, {}) == (list(there), done.code, listed(interpose))


@pytest.mark.parametrize("command", ["rotate ci", "revoke ci --yes", "revoke local --yes", "add local"])
def test_what_cannot_be_done_is_a_sentence(interpose: Interpose, command: str) -> None:
    """Code 1, nothing on standard output, and a command that helps."""
    ran = interpose("clients", *command.split())

    assert (1, "") == (ran.code, ran.out)
    assert "`interpose " in ran.err
