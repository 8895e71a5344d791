"""The original configuration, played as its author means it: OpenClaw's calls through everything that `up` starts."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpose.embedded.ports import own_ports

pytestmark = pytest.mark.server

ROOT = Path(__file__).parents[2]
CLI = [str(Path(sys.executable).parent / "interpose")]
PROGRAMS = Path(__file__).parent / "programs"
TIMEOUT_S = 120
MOST_ATTEMPTS = 10
SECTION = [{"type": "section", "text": {"type": "mrkdwn", "text": "hi"}}]


class OpenClaw:
    """An agent's machine: the example's folder, everything running, and the command line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sent = folder / "sent.jsonl"
        self.audit = folder / "audit"
        self.audit.mkdir()
        own = {
            "INTERPOSE_HOME": str(folder / "home"),
            "INTERPOSE_SCRIPT_AUDIT_FOLDER": str(self.audit),
            "OPENCLAW_SENT": str(self.sent),
        }
        self._environment = os.environ | own | own_ports()

    def interpose(self, *words: str) -> subprocess.CompletedProcess[str]:
        """One command of the command line."""
        return subprocess.run(
            [*CLI, *words],
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )

    def call(self, tool: str, parameters: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """One tool call: the exit code and the answer."""
        done = self.interpose("call", tool, "--params", json.dumps(parameters), "--user", "patrick", "--json")
        assert done.stdout, done.stderr
        return done.returncode, json.loads(done.stdout)["answer"]


@pytest.fixture(scope="module")
def openclaw(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenClaw]:
    """The example as it stands, up; `openclaw.json` names scripts and no tool, as the original does."""
    folder = tmp_path_factory.mktemp("openclaw")
    shutil.copytree(ROOT / "examples" / "openclaw", folder, dirs_exist_ok=True)
    machine = OpenClaw(folder)
    tools = [word for name in ("message", "web_fetch") for word in ("--with", str(PROGRAMS / f"{name}.py"))]
    started = machine.interpose("up", "--config", "openclaw.json", *tools, "--detach")
    try:
        assert started.returncode == 0, started.stdout + started.stderr
        yield machine
    finally:
        machine.interpose("down")


def test_a_plain_message_is_refused_and_not_sent(openclaw: OpenClaw) -> None:
    """The action stands in OpenClaw's parameters, and `before:message.send` meets it there."""
    code, answer = openclaw.call("message", {"action": "send", "to": "@bob", "text": "hi"})

    assert 2 == code
    assert ("refuse", False, "block-kit-enforcer") == (answer["decision"], answer["ran"], answer["decided_by"])
    assert "$.parameters.blocks" in answer["reason"]
    assert not openclaw.sent.exists()


def test_a_message_with_blocks_is_sent_as_it_was_judged(openclaw: OpenClaw) -> None:
    """The enforcer lets it through and the tool sends exactly that."""
    parameters = {"action": "send", "to": "@bob", "text": "hi", "blocks": SECTION}
    code, answer = openclaw.call("message", parameters)

    assert (0, "deliver") == (code, answer["decision"])
    assert parameters in [json.loads(line) for line in openclaw.sent.read_text().splitlines()]


def test_another_action_does_not_meet_the_rule_for_sending(openclaw: OpenClaw) -> None:
    """Only `send` has to carry blocks."""
    code, answer = openclaw.call("message", {"action": "react", "to": "@bob", "emoji": "+1"})

    assert 0 == code
    assert ["canonicalizer", "global-audit-logger"] == [hook["name"] for hook in answer["hooks"]]


def test_a_fetched_page_arrives_without_its_orders(openclaw: OpenClaw) -> None:
    """The sanitizer's output replaces the response before the agent sees it; honest text stays."""
    code, answer = openclaw.call("web_fetch", {"url": "https://example.com"})

    assert 0 == code
    assert "transformed" in [hook["effect"] for hook in answer["hooks"]]
    assert "Opening hours: 9 to 5." in answer["response"]["content"]
    assert "<|im_start|>" not in answer["response"]["content"]
    assert "previous instructions" not in answer["response"]["content"].lower()


def logged_in_time(openclaw: OpenClaw, tool: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """The answer of a call for which no hook was late: a logger that is, on a busy machine, is but a warning."""
    for _ in range(MOST_ATTEMPTS):
        _, answer = openclaw.call(tool, parameters)
        if "warned" not in [hook["effect"] for hook in answer["hooks"]]:
            return answer
    raise AssertionError(f"of {MOST_ATTEMPTS} attempts each had a hook that was late")


def test_every_attempt_is_in_the_audit_log(openclaw: OpenClaw) -> None:
    """Refused ones too: judging hooks see what other hooks stop. A rule for `*` is told the canonical tool."""
    refused = logged_in_time(openclaw, "message", {"action": "send", "to": "@eve", "text": "hi"})
    fetched = logged_in_time(openclaw, "web_fetch", {"url": "https://example.com/2"})
    lines = [json.loads(line) for line in (openclaw.audit / "audit.jsonl").read_text().splitlines()]
    logged = {line["call_id"]: (line["tool"], line["user"]) for line in lines}

    assert ("message", "patrick") == logged[refused["call_id"]]
    assert ("WebFetch", "patrick") == logged[fetched["call_id"]]
