"""Installs: only a hook that enforces and that means installs can say yes, and what is decided is final."""

from typing import Any

import pytest

from interpose.contracts.record import Runner
from interpose.contracts.words import Decision, Outcome, Phase
from interpose_gateway.core.ports import RecordImpossible

PACKAGE = {"name": "left-pad", "version": "1.3.0", "source": "npm"}
REJECT = {"verdict": "reject", "reason": "no", "code": "no-no"}


async def test_an_install_that_a_hook_allows(agents, hook):
    """Judged as the tool `install` with the package as its parameters; closed at once, because nobody reports it."""
    agents.world.configure({"before:install": [hook("b")]})

    told = await agents.install(PACKAGE, session_id="s-1", origin="openclaw")

    ask = agents.hooks.asks[0]
    assert (200, "allow", None) == (told.status, told.decision, told.matched_rule)
    assert ("install", None, PACKAGE) == (ask["tool"], ask["action"], ask["parameters"])
    assert ("s-1", {"origin": "openclaw"}) == (ask["context"]["session"], ask["context"]["claimed"])
    assert (Decision.RUN, Runner.AGENT, None) == (
        agents.before().decision,
        agents.before().runner,
        agents.before().open_until,
    )
    assert (Outcome.UNKNOWN, Runner.AGENT) == (agents.after().outcome, agents.after().runner)
    assert ([], False) == (agents.world.watch.alarms, "warnings" in told.body)
    assert ["allow"] == agents.counts.evaluations


@pytest.mark.parametrize(
    ("key", "fields", "verdict"),
    [
        ("before:Bash", {}, {"verdict": "allow"}),
        ("before:*", {}, {"verdict": "allow"}),
        ("after:install", {}, {"verdict": "allow"}),
        ("before:install", {"failMode": "warn"}, {"verdict": "allow"}),
        ("before:install", {"mode": "shadow"}, {"verdict": "allow"}),
        ("before:install", {"when": "false"}, {"verdict": "allow"}),
        ("before:install", {"failMode": "warn"}, REJECT),
    ],
)
async def test_an_install_without_a_yes_is_denied(agents, hook, key, fields, verdict):
    """Of a hook that could have said no, and was put there for installs; the reason says what to add."""
    agents.world.configure({key: [hook("b", **fields)]})
    agents.hooks.does = {"b": verdict}

    told = await agents.install(PACKAGE)

    assert (200, "deny", "install-unjudged") == (told.status, told.decision, told.code)
    assert "add a before:install hook" in told.reason == told.feedback["message"]
    assert [Phase.BEFORE] == [record.phase for record in agents.ledger.records]


@pytest.mark.parametrize("canonicalizer", ["inline", "service"])
async def test_the_canonicalizer_is_no_yes(agents, canonicalizer):
    """It says what is called, not whether."""
    agents.world.configure({}, gateway={"canonicalizer": canonicalizer})
    agents.hooks.does = {"canonicalizer": lambda _ask: {"verdict": "reject", "reason": "not asked for this"}}

    assert "deny" == (await agents.install(PACKAGE)).decision


async def test_a_hook_under_both_keys_means_installs(agents, hook):
    """Wherever it stands first."""
    agents.world.configure({"before:*": [hook("b")], "before:install": [hook("b")]})

    assert "allow" == (await agents.install(PACKAGE)).decision


@pytest.mark.parametrize("key", ["before:inst*", "before:INSTALL"])
async def test_a_key_that_begins_like_installs_means_them(agents, hook, key):
    """As keys match everywhere."""
    agents.world.configure({key: [hook("b")]})

    assert "allow" == (await agents.install(PACKAGE)).decision


@pytest.mark.parametrize(
    ("verdict", "decision", "code"),
    [
        (REJECT, "deny", "no-no"),
        ({"verdict": "reject", "reason": "later", "code": "rate-limited"}, "rate_limited", "rate-limited"),
        ({"verdict": "ask", "reason": "sure?"}, "deny", "approval-required"),
        ({"verdict": "transform", "output": {"name": "right-pad"}}, "deny", "cannot-rewrite"),
    ],
)
async def test_whatever_is_no_yes_denies(agents, hook, verdict, decision, code):
    """A question too, because nobody is asked about installs, and another package than the one that was asked for."""
    agents.world.configure({"before:install": [hook("b", transform=verdict["verdict"] == "transform"), hook("c")]})
    agents.hooks.does = {"b": verdict}

    told = await agents.install(PACKAGE)

    assert (decision, code) == (told.decision, told.code)
    assert "arguments" not in told.body


async def test_a_report_of_an_install_changes_nothing(agents, hook):
    """It is final; an allowed one that succeeded is no alarm, a denied one is."""
    agents.world.configure({"before:install": [hook("b")]})
    allowed = await agents.report(await agents.install(PACKAGE))
    agents.hooks.does = {"b": REJECT}
    denied = await agents.report(await agents.install(PACKAGE))

    assert [(200, "evaluate")] * 2 == [(told.status, told.finalized_by) for told in (allowed, denied)]
    assert ["ran-although-refused"] == agents.world.watch.alarms


async def test_what_unknown_tool_says_is_about_tools(agents, hook):
    """An install needs its own yes in any case."""
    agents.world.configure({"before:install": [hook("b")]}, defaults={"unknownTool": "reject"})

    assert "allow" == (await agents.install(PACKAGE)).decision


async def test_an_install_that_cannot_be_closed_is_unavailable(agents, hook):
    """Its close is owed."""
    agents.world.configure({"before:install": [hook("b")]})
    agents.ledger.impossible = {Phase.AFTER: RecordImpossible("the disk is full", maybe_stored=False)}

    assert (503, [Outcome.UNKNOWN]) == (
        (await agents.install(PACKAGE)).status,
        [record.outcome for record in agents.ledger.owed],
    )


@pytest.mark.parametrize(
    ("package", "more", "status", "places"),
    [
        ({"name": ""}, {}, 400, ["$.package.name"]),
        ({}, {}, 400, ["$.package.name"]),
        (PACKAGE | {"files": []}, {}, 400, ["$.package.files"]),
        (PACKAGE, {"tool": {"name": "x"}}, 400, ["$.tool"]),
        (PACKAGE, {"metadata": {"x": "y" * 4096}}, 413, ["$.metadata"]),
    ],
)
async def test_what_is_no_install_is_told_with_its_places(
    agents: Any, package: Any, more: Any, status: int, places: list[str]
) -> None:
    """Nothing is recorded."""
    told = await agents.install(package, **more)

    assert (status, places) == (told.status, told.places)
    assert [] == agents.ledger.records
