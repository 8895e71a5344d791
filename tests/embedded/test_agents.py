"""`interpose agents` beside a running Interpose: the canary's refusal comes back through what was installed."""

import json
from typing import Any

import pytest

from interpose.agents.places import PLACES

pytestmark = pytest.mark.server

WRITTEN = [platform for platform in PLACES if platform != "opencode"]
"""Platforms whose hook is a command; a plugin has tests of its own."""


@pytest.fixture
def person(machine: Any) -> Any:
    """A machine whose person has nothing in the home folder."""
    machine.environment["HOME"] = str(machine.folder)
    return machine


def where(person: Any, platform: str) -> tuple[str, ...]:
    """In the person's own file, or in a project where the platform has hooks there only."""
    project = person.folder / "project"
    project.mkdir(exist_ok=True)
    return () if PLACES[platform].user is not None else ("--project", str(project))


async def test_a_canary_comes_back_from_every_platform(person: Any) -> None:
    """Installed, its refusal is a gateway's own; the gateway stopped, it is refused all the same and told apart."""
    person.write({"hooks": {}})
    up = await person.up_lean()
    await up.started()
    for platform in WRITTEN:
        done = person.run("agents", "install", platform, "--yes", *where(person, platform))
        assert 0 == done.returncode, done.stderr
    for platform in WRITTEN:
        status = person.run("agents", "status", platform, "--json", *where(person, platform))
        assert (0, True) == (status.returncode, json.loads(status.stdout)["judged"]), status.stdout + status.stderr

    at_home = person.run("agents", "status", "claude", "--json", "--home", str(person.home.root))
    elsewhere = person.run("agents", "status", "claude", "--json", "--home", str(person.folder / "other"))
    told = [json.loads(each.stdout) for each in (at_home, elsewhere)]
    assert [(0, []), (1, told[0]["events"])] == [
        (done.returncode, each["other_token"]) for done, each in zip((at_home, elsewhere), told, strict=True)
    ]

    again = person.run("agents", "install", "claude", "--yes")
    assert "nothing was changed" in again.stdout
    records = person.run("records", "list", "--json", "--tool", "interpose-canary")
    assert len(WRITTEN) + 2 == len(records.stdout.splitlines())

    up.process.terminate()
    await up.ended()
    for platform in WRITTEN:
        status = person.run("agents", "status", platform, "--json", *where(person, platform))
        told = json.loads(status.stdout)
        assert (1, False, []) == (status.returncode, told["judged"], told["unguarded"])


def test_a_hook_of_an_older_version_is_told_and_written_anew(person: Any) -> None:
    """It has no guard: when its program is gone, the platform would let every call run."""
    assert 0 == person.run("agents", "install", "claude", "--yes").returncode
    settings = person.folder / ".claude" / "settings.json"
    document = json.loads(settings.read_text())
    hook = document["hooks"]["PreToolUse"][0]["hooks"][0]
    guarded, hook["command"] = hook["command"], "/old/bin/interpose hook claude-code --token-file /old/token"
    settings.write_text(json.dumps(document))

    before = person.run("agents", "status", "claude")
    again = person.run("agents", "install", "claude", "--yes")
    after = person.run("agents", "status", "claude")

    assert "unguarded: PreToolUse" in before.stdout
    assert 1 == before.returncode
    assert guarded == json.loads(settings.read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["command"], again.stdout
    assert "guard: with its program gone each hook refuses" in after.stdout


def test_the_three_commands_take_the_same_places(person: Any) -> None:
    """Project and state folder: who installs with them tries and removes with them."""
    places = ("--project", str(person.folder), "--home", str(person.folder / "a state"))

    installed = person.run("agents", "install", "codex", "--yes", *places)
    status = person.run("agents", "status", "codex", "--json", *places)
    removed = person.run("agents", "remove", "codex", "--yes", *places)

    assert [0, 1, 0] == [each.returncode for each in (installed, status, removed)], installed.stderr + removed.stderr
    assert [] == json.loads(status.stdout)["other_token"]
    assert f"clients revoke agent-codex --home '{person.folder}/a state'" in removed.stdout


def test_nothing_is_written_where_nobody_can_agree(person: Any) -> None:
    """The difference is shown, and --yes is asked for."""
    done = person.run("agents", "install", "claude", stdin="")

    assert 1 == done.returncode
    assert "PreToolUse" in done.stdout
    assert "--yes" in done.stderr
    assert not (person.folder / ".claude").exists()


def test_before_it_is_installed_the_status_says_so(person: Any) -> None:
    """And how it is installed; after its removal again."""
    assert "not installed" in person.run("agents", "status", "gemini").stdout
    assert 0 == person.run("agents", "install", "gemini", "--yes").returncode
    assert 0 == person.run("agents", "remove", "gemini", "--yes").returncode

    assert "not installed" in person.run("agents", "status", "gemini").stdout
    assert not (person.folder / ".gemini" / "settings.json").exists()
