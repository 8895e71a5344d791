"""The OpenClaw plugin against everything that `interpose up` starts, driven as its host drives it.

The plugin is a copy of its folder alone, on a Node of its own; the host's part is played by `programs/openclaw.mjs`.
"""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .system import PATIENCE_S, PROGRAMS, Interpose, until

pytestmark = pytest.mark.server

MIB = 1024 * 1024
RULES = {
    "hooks": {
        "before:Bash": [
            {"name": "rewriter", "service": "rewriter", "transform": True},
            {"name": "guard", "service": "guard"},
        ],
        "after:Bash": [{"name": "outcomes", "service": "guard"}],
        "before:install": [{"name": "installs", "service": "guard"}],
    }
}
SESSION = {"agentId": "main", "sessionKey": "agent:main:main", "sessionId": "0f9d-1"}
EVIDENCE = [
    {"tool": "exec", "key": "command", "path": ["command"], "from": "params"},
    {"tool": "exec", "key": "host", "path": ["url", "host"], "ttlSeconds": 60},
    {"tool": "exec", "key": "nowhere", "path": ["no", "such", "place"]},
]


class OpenClaw:
    """A host's process with the plugin in it."""

    def __init__(self, node: str, plugin: Path, environment: dict[str, str], config: dict[str, Any]) -> None:
        command = [node, str(PROGRAMS / "openclaw.mjs"), str(plugin), json.dumps(config)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
        )
        self.hooks = self.hears()["hooks"]

    def call(self, command: str, session: str, **more: Any) -> dict[str, Any]:
        """One `exec`, from the gate to what came of it."""
        self.tells(call=exec_of(command, session) | more)
        return self.hears()

    def install(self, name: str) -> dict[str, Any]:
        """One plugin from a registry."""
        request = {"kind": "plugin-npm", "mode": "install", "requestedSpecifier": f"{name}@1"}
        self.tells(install={"targetType": "plugin", "targetName": name, "request": request, "builtinScan": {}})
        return self.hears()

    def tells(self, **order: Any) -> None:
        """Give an order."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def hears(self) -> dict[str, Any]:
        """Its next answer."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"it ended with {self.process.wait(PATIENCE_S)}"
        return dict(json.loads(line))

    def kill(self) -> None:
        """kill -9, and gone on return."""
        self.process.kill()
        self.process.communicate()


def exec_of(command: str, session: str) -> dict[str, Any]:
    """A call of OpenClaw's shell tool."""
    ids = {"toolCallId": f"tc-{session}", "runId": f"run-{session}"}
    return {
        "toolName": "exec",
        "params": {"command": command, "title": "a title"},
        "ids": ids,
        "ctx": SESSION | {"sessionId": session},
    }


@pytest.fixture(scope="module")
def interpose(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interpose]:
    """A running system; one for all tests."""
    running = Interpose(tmp_path_factory.mktemp("interpose"), RULES, ("guard", "rewriter"))
    try:
        running.up()
        running.token = running.let_in("openclaw")
        yield running
    finally:
        running.run("down")


@pytest.fixture
def start(node: str, plugin: Path, interpose: Interpose, tmp_path: Path) -> Iterator[Callable[..., OpenClaw]]:
    """Starts hosts with the plugin, over one folder of reports."""
    started: list[OpenClaw] = []

    def make(token: str | None = None, **config: Any) -> OpenClaw:
        given = {"baseUrl": f"http://127.0.0.1:{interpose.port}", "evaluateTimeoutMs": 10_000} | config
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "OPENCLAW_STATE_DIR": str(tmp_path / "state")}
        told = interpose.token if token is None else token
        started.append(OpenClaw(node, plugin, environment | {"INTERPOSE_TOKEN": told}, given))
        return started[-1]

    yield make
    for host in started:
        host.kill()


@pytest.fixture
def session() -> str:
    """A session of this test's own."""
    return os.urandom(8).hex()


def test_an_allowed_call_runs_and_its_outcome_is_on_the_record(start, interpose, session) -> None:
    """Whose call it was, what ran and what came of it."""
    told = start().call("ls", session)
    after = interpose.outcome(session)

    assert [{"command": "ls", "title": "a title"}] == told["ran"]
    assert ("Bash", "exec", "openclaw", session) == (
        after["tool"],
        after["native"]["tool"],
        after["client"],
        after["context"]["session"],
    )
    assert ("success", "deliver", told["result"]) == (after["outcome"], after["decision"], after["final"])


def test_a_refused_call_does_not_run(start, interpose, session) -> None:
    """OpenClaw tells the rule's words; the record is final and nothing is reported."""
    told = start().call("refused", session)
    [before] = interpose.records(session)

    assert ("nobody runs this here", None) == (told["blocked"], told.get("ran") or None)
    assert ("refuse", None) == (before["decision"], before["open_until"])


def test_what_a_rule_rewrites_is_what_runs(start, interpose, session) -> None:
    """In OpenClaw's own argument names, and so it is recorded."""
    told = start().call("rewritten", session)

    assert [{"command": "rewritten safely", "title": "a title"}] == told["ran"]
    assert "success" == interpose.outcome(session)["outcome"]


def test_a_rewrite_that_openclaw_cannot_follow_does_not_run(start, interpose, session) -> None:
    """A key that is taken away cannot be said: the call is blocked and recorded as not executed."""
    told = start().call("bared", session)

    assert 'takes "title" out of the arguments' in told["blocked"]
    assert "not_executed" == interpose.outcome(session)["outcome"]


def test_configured_evidence_reaches_the_record(start, interpose, session) -> None:
    """From parameters and result; a place that is not there costs no other entry."""
    result = {"url": {"host": "example.com"}, "details": {"exitCode": 0}}
    start(evidence=EVIDENCE).call("ls", session, tool={"result": result})
    after = interpose.outcome(session)

    assert [("command", "ls"), ("host", "example.com")] == [
        (entry["evidence_key"], entry["evidence_data"]) for entry in after["evidence"]
    ]


def test_a_failed_call_is_recorded_as_one_and_proves_nothing(start, interpose, session) -> None:
    """The error is on the record; evidence is for successes."""
    told = start(evidence=EVIDENCE).call("ls", session, tool={"throws": "ENOENT: no such file"})
    after = interpose.outcome(session)

    assert "ENOENT: no such file" == told["error"]
    assert ("error", {"error": "ENOENT: no such file"}, []) == (after["outcome"], after["final"], after["evidence"])


def test_a_result_that_is_too_large_is_reported_without_it(start, interpose, session) -> None:
    """The call ends as the success that it was."""
    start().call("ls", session, tool={"result": {"page": "x" * MIB}})
    after = interpose.outcome(session)

    assert ("success", "deliver") == (after["outcome"], after["decision"])


def test_evidence_that_is_too_much_goes_from_the_end(start, interpose, session) -> None:
    """What has room is kept, and the report is taken."""
    rules = [{"tool": "exec", "key": f"part-{index}", "path": ["parts", index]} for index in range(20)]
    parts = ["x" * 60 * 1024] * 20
    start(evidence=rules).call("ls", session, tool={"result": {"parts": parts}})
    kept = [entry["evidence_key"] for entry in interpose.outcome(session)["evidence"]]

    assert 0 < len(kept) < len(parts)
    assert [f"part-{index}" for index in range(len(kept))] == kept


def test_an_error_that_is_too_large_is_cut(start, interpose, session) -> None:
    """At a whole character, with a mark at its end."""
    start().call("ls", session, tool={"throws": "é" * MIB})
    error = interpose.outcome(session)["final"]["error"]

    assert ("é", "...[truncated]") == (error.removesuffix("...[truncated]")[-1], error[-14:])
    assert MIB - 17 * 1024 < len(error.encode()) < MIB - 16 * 1024


def test_a_withheld_result_is_told_although_openclaw_has_delivered_it(start, interpose, session) -> None:
    """After the fact nothing can be taken back: the record and the log say it."""
    host = start()
    told = host.call("ls", session, tool={"result": {"text": "hush"}})
    after = interpose.outcome(session)
    logged = until(lambda: host.call("ls", os.urandom(8).hex())["logged"] or None)

    assert {"text": "hush"} == told["result"]
    assert ("withhold", "secret") == (after["decision"], after["code"])
    assert any("would have withheld a result that the host has delivered: a secret" in line for line in logged)


def test_a_person_decides_about_a_call(start, interpose, session) -> None:
    """OpenClaw asks in its own way; a yes runs the call, and the record tells the answer and what came of it."""
    told = start().call("asked", session, answer="allow-once")
    after = interpose.outcome(session)
    [answered] = interpose.approvals(after["call_id"])

    assert [{"command": "asked", "title": "a title"}] == told["ran"]
    assert ("approved", "once", "openclaw", "run") == tuple(
        answered[name] for name in ("resolution", "scope", "resolved_by", "decision")
    )
    assert ("success", told["result"]) == (after["outcome"], after["final"])


@pytest.mark.parametrize(
    ("answer", "resolution"), [("deny", "denied"), ("timeout", "timeout"), ("cancelled", "cancelled")]
)
def test_without_a_yes_the_call_does_not_run(start, interpose, session, answer, resolution) -> None:
    """Whatever kind of no it is, the gateway hears it."""
    host = start()
    told = host.call("asked", session, answer=answer)
    [before] = [one for one in interpose.records(session) if one["phase"] == "before"]
    answered = until(lambda: next(iter(interpose.approvals(before["call_id"])), None))

    assert (f"the person said {answer}", resolution, "refuse") == (
        told["blocked"],
        answered["resolution"],
        answered["decision"],
    )


def test_an_install_needs_a_yes(start) -> None:
    """A rule for installs says it, or says why not."""
    host = start()

    assert host.install("friend").get("blocked") is None
    assert "its publisher is not known" == host.install("stranger")["blocked"]


def test_without_a_token_nothing_runs(start, interpose) -> None:
    """Neither calls nor installs, and the log says so loudly."""
    told = start(token="").call("ls", "closed")

    assert "the environment variable INTERPOSE_TOKEN holds no token" in told["blocked"]
    assert any("EVERY TOOL CALL AND EVERY INSTALL IS BLOCKED" in line for line in told["logged"])
    assert [] == interpose.records("closed")


def test_a_token_that_opens_nothing_blocks(start) -> None:
    """401 is no yes."""
    told = start(token="not-a-token").call("ls", "stranger")

    assert told["blocked"].startswith("Interpose governance unavailable: status 401 unauthorized")


def test_a_report_outlives_the_gateway_and_the_host(start, interpose, session, tmp_path) -> None:
    """The gateway dies while the tool runs, all else ends, and so does the host once it has reported.

    The report waits on the disk; when everything is back, the next host delivers it, for the call that it belongs to.
    """
    host = start()
    host.tells(call=exec_of("ls", session) | {"tool": {"waits": True}})
    assert {"running": {"command": "ls", "title": "a title"}} == host.hears()
    interpose.kill_gateway()
    interpose.run("down")
    host.tells(go=True)
    told = host.hears()
    host.kill()
    [kept] = (tmp_path / "state" / "interpose" / "outbox").iterdir()
    interpose.up()
    start()
    after = interpose.outcome(session)

    assert ("success", told["result"]) == (after["outcome"], after["final"])
    assert until(lambda: None if kept.exists() else True)
