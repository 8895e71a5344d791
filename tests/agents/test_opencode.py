"""The OpenCode plugin against everything that `interpose up` starts, put in by the command, driven as OpenCode does.

The plugin is the file that `interpose agents install` writes, on a Node of its own; the host's part is played by
`programs/opencode.mjs`.
"""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .system import PATIENCE_S, PROGRAMS, Interpose

pytestmark = pytest.mark.server

RULES = {
    "hooks": {
        "before:Bash": [
            {"name": "rewriter", "service": "rewriter", "transform": True},
            {"name": "guard", "service": "guard"},
        ],
        "after:Bash": [
            {"name": "masker", "service": "masker", "transform": True},
            {"name": "outcomes", "service": "guard"},
        ],
    }
}
WITHHELD = "[withheld by Interpose: a secret (the tool HAS run; do not call it again for this)]"
RESULT = {"title": "ls", "output": "a\nb\n", "metadata": {"output": "a\nb\n", "exit": 0}}


class OpenCode:
    """A host's process with the plugin in it."""

    def __init__(self, node: str, project: Path, environment: dict[str, str]) -> None:
        command = [node, str(PROGRAMS / "opencode.mjs"), str(project / ".opencode" / "plugin"), str(project)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
        )
        self.hooks = self._hears()["hooks"]

    def call(self, command: str, session: str, result: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """One `bash`, from the gate to what the model gets."""
        order = {
            "tool": "bash",
            "args": {"command": command, **more},
            "ids": {"sessionID": session, "callID": f"call-{session}"},
            "result": result or RESULT,
        }
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return self._hears()

    def _hears(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"it ended with {self.process.wait(PATIENCE_S)}"
        return dict(json.loads(line))

    def end(self) -> None:
        """Gone on return."""
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module")
def interpose(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interpose]:
    """A running system with the plugin in a project; one for all tests."""
    running = Interpose(tmp_path_factory.mktemp("interpose"), RULES, ("guard", "rewriter", "masker"))
    try:
        running.up()
        (running.folder / "shop").mkdir()
        running.run("agents", "install", "opencode", "--project", "shop", "--yes")
        # OpenCode's own runtime takes the file for a module without being told; this Node is older than that.
        (running.folder / "shop" / ".opencode" / "plugin" / "package.json").write_text('{"type": "module"}')
        yield running
    finally:
        running.run("down")


@pytest.fixture
def start(node: str, interpose: Interpose) -> Iterator[Callable[[], OpenCode]]:
    """Starts hosts in the project."""
    started: list[OpenCode] = []

    def make() -> OpenCode:
        environment = {"PATH": os.environ["PATH"], "HOME": str(interpose.folder)}
        started.append(OpenCode(node, interpose.folder / "shop", environment))
        return started[-1]

    yield make
    for host in started:
        host.end()


@pytest.fixture
def session() -> str:
    """A session of this test's own."""
    return os.urandom(8).hex()


def test_an_allowed_call_runs_and_its_outcome_is_on_the_record(start, interpose, session) -> None:
    """Whose call it was, where it ran, and what came of it."""
    told = start().call("ls", session)
    after = interpose.outcome(session)

    assert ([{"command": "ls"}], RESULT) == (told["ran"], told["result"])
    assert ("Bash", "bash", "agent-opencode", session) == (
        after["tool"],
        after["native"]["tool"],
        after["client"],
        after["context"]["session"],
    )
    assert ("success", "deliver", RESULT) == (after["outcome"], after["decision"], after["final"])
    assert str(interpose.folder / "shop") == after["context"]["claimed"]["cwd"]


def test_a_refused_call_does_not_run(start, interpose, session) -> None:
    """The model is told the rule's words; the record is final."""
    told = start().call("refused", session)
    [before] = interpose.records(session)

    assert ("nobody runs this here", []) == (told["error"], told["ran"])
    assert ("refuse", None) == (before["decision"], before["open_until"])


def test_what_a_rule_rewrites_is_what_runs(start, interpose, session) -> None:
    """In OpenCode's own argument names, in the object that it holds."""
    told = start().call("rewritten", session, timeout=5000)

    assert [{"command": "rewritten safely", "timeout": 5000}] == told["ran"]
    assert "success" == interpose.outcome(session)["outcome"]


def test_a_key_that_a_rule_takes_away_is_gone(start, interpose, session) -> None:
    """What ran had only what is left."""
    told = start().call("bared", session, timeout=5000, workdir="/")

    assert [{"command": "bared"}] == told["ran"]
    assert "success" == interpose.outcome(session)["outcome"]


def test_a_call_that_needs_a_person_does_not_run(start, interpose, session) -> None:
    """OpenCode has no way to ask one for a plugin, and says so."""
    told = start().call("asked", session)

    assert ("a person has to agree, and this platform cannot ask one here: may it run?", []) == (
        told["error"],
        told["ran"],
    )


def test_a_response_that_a_rule_rewrites_is_what_the_model_gets(start, interpose, session) -> None:
    """The whole of it: text and metadata."""
    secret = {"title": "cat", "output": "key=abc123\n", "metadata": {"output": "key=abc123\n", "exit": 7}}
    told = start().call("cat", session, secret)
    masked = {"title": "cat", "output": "key=***\n", "metadata": {"output": "key=***\n", "exit": 7}}

    assert masked == told["result"]
    assert masked == interpose.outcome(session)["final"]


def test_a_response_that_a_rule_gave_another_form_is_read_all_the_same(start, session) -> None:
    """As text, where OpenCode reads, with nothing left of what stood beside it."""
    told = start().call("cat", session, {"title": "flat", "output": "flat", "metadata": {"output": "flat"}})

    assert {"said": "nothing else"} == json.loads(told["result"]["output"])
    assert "flat" not in json.dumps(told["result"])


def test_a_withheld_response_is_emptied_in_its_own_form(start, interpose, session) -> None:
    """The model reads why instead."""
    told = start().call("ls", session, {"title": "hush", "output": "hush", "metadata": {"exit": 7}})

    assert {"title": WITHHELD, "output": WITHHELD, "metadata": {"exit": 0}} == told["result"]
    assert "withhold" == interpose.outcome(session)["decision"]


def test_a_withheld_result_of_an_mcp_tool_stays_one(start, interpose, session) -> None:
    """One part of text, which OpenCode shows; parts of another type are gone."""
    told = start().call("ls", session, {"content": [{"type": "image", "data": "hush", "mimeType": "image/png"}]})

    assert {"content": [{"type": "text", "text": WITHHELD}]} == told["result"]
    assert "withhold" == interpose.outcome(session)["decision"]


def test_arguments_that_are_too_large_do_not_run(start, session) -> None:
    """The gateway's bound is told."""
    told = start().call("x" * 3_000_000, session)

    assert [] == told["ran"]
    assert "too large" in told["error"]


def test_the_canary_comes_back_through_the_installed_file(interpose) -> None:
    """The command tells that a gateway judged it, and that nothing is missing."""
    told = json.loads(interpose.run("agents", "status", "opencode", "--project", "shop", "--json"))

    assert (True, True, [], None) == (told["installed"], told["judged"], told["missing"], told["note"])


def test_installing_again_changes_nothing(interpose) -> None:
    """No difference is shown, and no backup is made."""
    told = interpose.run("agents", "install", "opencode", "--project", "shop", "--yes")

    assert 2 == told.count("it is there already, nothing was changed")
    assert "+++" not in told


def test_taken_out_the_command_says_so(interpose) -> None:
    """Exit code 1 and the remedy, where it was never put in too."""
    (interpose.folder / "other").mkdir()
    interpose.run("agents", "install", "opencode", "--project", "other", "--yes")
    shown = interpose.run("agents", "remove", "opencode", "--project", "other", "--yes")
    done = interpose.tried("agents", "status", "opencode", "--project", "other")

    assert 2 == shown.count(": removed")
    assert (1, True) == (done.returncode, "nothing judges what this agent runs" in done.stdout)


def test_where_the_gateway_is_away_nothing_runs(start, interpose, session) -> None:
    """Until it is back: then calls run again, in the same host."""
    host = start()
    interpose.run("down")
    told = host.call("ls", session)

    assert [] == told["ran"]
    assert "Interpose could not judge this call, so it does not run: no connection to the gateway" in told["error"]
    interpose.up()
    assert [{"command": "ls"}] == host.call("ls", session)["ran"]
