"""The gate in trouble: nothing is raised into the agent, nothing is let through, nothing is told that is secret."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpose.contracts.evaluation import Report
from interpose.contracts.limits import MIB
from interpose.contracts.strict import read_model
from interpose.report import Decision, Gate, Outcome
from interpose.report.counters import Counted
from interpose.report.evaluation import ARGUMENTS_BYTES

from .conftest import TOKEN, PlayedGateway, told

ARGUMENTS = {"command": "ls", "deep": [{"a": None, "b": 1.5, "c": "é"}]}


def evaluated(decision: str = "allow", **more: object) -> bytes:
    """An answer to an evaluation."""
    return told(200, {"evaluation_id": "e-1", "decision": decision, "reason": None, "matched_rule": None} | more)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"x": b"bytes"}, "unlike $.x"),
        ({"x": [float("nan")]}, "unlike $.x[0]"),
        ({"x": 2**60}, "unlike $.x"),
        ({1: "x"}, "unlike $"),
        ({"x": object()}, "unlike $.x"),
        ("ls", "unlike $"),
        (None, "unlike $"),
        (["ls"], "unlike $"),
        ({"x": "\ud800"}, "unlike $.x"),
        ({"x": "x" * ARGUMENTS_BYTES}, "the arguments are larger than 65536 bytes"),
        ({"x": "\n" * (ARGUMENTS_BYTES - 100)}, "the arguments are larger than 65536 bytes"),
    ],
    ids=range(11),
)
def test_arguments_that_could_not_be_judged_as_they_are_block(
    gate: Gate, gateway: PlayedGateway, arguments: object, reason: str
) -> None:
    """What runs would not be what the gateway saw, so it is not even asked."""
    refused = gate.before("Bash", arguments, call_id="c")

    assert (False, True) == (refused.is_allowed, refused.reason.endswith(reason))
    assert [] == gateway.requests


@pytest.mark.parametrize(
    "break_it",
    [
        lambda gate: gate.before(b"Bash", {}),
        lambda gate: gate.before(None, {}),
        lambda gate: gate.before("", {}),
        lambda gate: gate.before("Bash", {}, call_id=5),
        lambda gate: gate.before("Ba\ud800sh", {}),
        lambda gate: gate.before("Bash", {}, metadata="text"),
        lambda gate: gate.before("Bash", {}, metadata={"x": "x" * MIB}),
        lambda gate: gate.before("Bash", {}, declared=[1]),
        lambda gate: gate.install(None),
        lambda gate: gate.install(5),
        lambda gate: gate.resolve(None),
    ],
    ids=range(11),
)
def test_nothing_is_raised_before_a_call(
    gate: Gate, gateway: PlayedGateway, break_it: Callable[[Gate], Decision]
) -> None:
    """Whatever an adapter hands over wrongly is a no, and no question."""
    refused = break_it(gate)

    assert (False, True) == (refused.is_allowed, refused.reason.startswith("governance unavailable: "))
    assert [] == gateway.requests


def test_a_folder_that_cannot_be_used_blocks(gate: Gate, gateway: PlayedGateway, home: Path) -> None:
    """A call whose end could not be told from others does not run; its end, if it comes, is withheld."""
    (home / "an-agent" / "claims" / "lock").mkdir()

    refused, receipt = gate.before("Bash", {}), gate.after("Bash", result=1)

    assert (False, True) == (refused.is_allowed, refused.reason.startswith("governance unavailable: IsADirectoryError"))
    assert (Outcome.LOST, False, []) == (receipt.outcome, receipt.deliver, gateway.requests)


@pytest.mark.parametrize("ending", [{"call_id": 5}, {"status": "done"}, {"call_id": b"c"}, {"tool": object()}])
def test_nothing_is_raised_after_a_call(gate: Gate, ending: dict[str, Any]) -> None:
    """What cannot be reported is withheld."""
    gate.before("Bash", ARGUMENTS, call_id="c")

    receipt = gate.after(**({"call_id": "c", "result": 1} | ending))

    assert (Outcome.LOST, False) == (receipt.outcome, receipt.deliver)
    assert receipt.reason.startswith("governance unavailable: ")


class Evil:
    """An object that breaks whoever looks at it."""

    def __getattribute__(self, name: str) -> object:
        raise SystemExit(name)

    def __str__(self) -> str:
        raise SystemExit

    __repr__ = __iter__ = __len__ = __bool__ = __str__  # type: ignore[assignment]


class EvilError(Exception):
    """An error that does the same."""

    def __str__(self) -> str:
        raise SystemExit


def test_results_and_errors_cannot_break_the_agent(gate: Gate, gateway: PlayedGateway) -> None:
    """They are reported under their names, and every report is one that the contract takes."""
    cycle: list[object] = []
    cycle.append(cycle)
    endings: list[dict[str, Any]] = [
        {"result": Evil()},
        {"result": cycle},
        {"error": EvilError("why", Evil())},
        {"error": Evil()},
    ]
    for number, ending in enumerate(endings):
        gate.before("Bash", ARGUMENTS, call_id=f"c-{number}")
        assert Outcome.FINALISED is gate.after(call_id=f"c-{number}", **ending).outcome

    reports = [read_model(Report, json.dumps(body).encode(), limit=MIB) for body in gateway.bodies("/audit")]
    assert ["<Evil>", ["<cycle>"], None, None] == [report.result for report in reports]
    assert [None, None, 'EvilError: why, "<Evil>"', '"<Evil>"'] == [report.error for report in reports]


def test_an_evaluation_that_cannot_be_kept_blocks_and_is_closed(
    gate: Gate, gateway: PlayedGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills between the question and the answer: the call does not run, and the gateway hears that."""
    write, written = os.write, []

    def full_once(handle: int, data: Any) -> int:
        written.append(data)
        if len(written) == 2:
            raise OSError(28, "No space left on device")
        return write(handle, data)

    monkeypatch.setattr("interpose.report.folder.os.write", full_once)
    refused = gate.before("Bash", ARGUMENTS, session="s")
    gate.drain()

    assert "governance unavailable: the evaluation cannot be kept: [Errno 28] No space left on device" == refused.reason
    assert [{"evaluation_id": "e-1", "status": "not_executed"}] == gateway.bodies("/audit")
    assert gate.before("Bash", ARGUMENTS, session="s").is_allowed


BROKEN: dict[str, dict[str, Any]] = {
    "an empty token": {"token": ""},
    "no URL": {"url": "nowhere"},
    "an unknown option": {"tokne": "t"},
    "dotted evidence": {"evidence": [{"evidence_key": "k", "path": "a.b"}]},
    "a folder that is a file": {"folder": __file__},
    "a folder for everybody": {"folder": "/tmp"},  # noqa: S108 - somebody configures it
}


@pytest.mark.parametrize("options", BROKEN.values(), ids=BROKEN)
def test_a_gate_that_cannot_be_configured_blocks_everything(
    gateway: PlayedGateway, home: Path, caplog: pytest.LogCaptureFixture, options: dict[str, Any]
) -> None:
    """It is there, says so loudly, refuses calls and installs with the fault, and asks nobody."""
    gate = Gate.from_environment("an-agent", {}, **({"url": gateway.url, "token": TOKEN, "folder": home} | options))

    decisions = [gate.before("Bash", ARGUMENTS), gate.install("left-pad"), gate.resolve("approved", "Bash")]
    receipt = gate.after("Bash", result=1)

    assert ["ERROR"] == [record.levelname for record in caplog.records]
    assert caplog.messages[0].startswith(
        "EVERY CALL AND EVERY INSTALL IS BLOCKED until this is mended: misconfigured: "
    )
    assert [False] * 3 == [decision.is_allowed for decision in decisions]
    assert {f"governance unavailable: {gate.trouble}"} == {decision.reason for decision in decisions}
    assert (Outcome.MISSED, False) == (receipt.outcome, receipt.deliver)
    assert (3, 0, []) == (gate.counters[Counted.UNAVAILABLE], gate.drain(), gateway.requests)


def test_a_gate_that_is_configured_says_nothing(
    gateway: PlayedGateway, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The environment alone is enough."""
    environ = {"INTERPOSE_TOKEN": TOKEN, "INTERPOSE_GATEWAY_URL": gateway.url, "INTERPOSE_REPORT_FOLDER": str(home)}
    gate = Gate.from_environment("an-agent", environ)

    assert ("", True, []) == (gate.trouble, gate.before("Bash", ARGUMENTS, call_id="c").is_allowed, caplog.messages)
    assert {0o700} == {path.stat().st_mode & 0o777 for path in [home, *home.rglob("*")] if path.is_dir()}


def test_the_gate_logs_no_argument_and_no_result(
    gate: Gate, gateway: PlayedGateway, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever goes wrong, what an agent works with stays where it is."""
    gateway.answers.append(b"")
    gate.before("Bash", {"command": "a secret"}, call_id="c")
    gate.after(call_id="c", result="a secret")
    gate.before("Bash", {"command": "a secret", "b": b"a secret"}, call_id="c")
    gateway.answers.extend([evaluated(), told(400, {"error": "invalid_request"})])
    gate.before("Bash", {"command": "a secret"}, call_id="d")
    gate.after(call_id="d", result="a secret")
    gate.before("Ba\ud800sh", {"command": "a secret"}, call_id="e")
    gate.before("Bash", {"command": "a secret"}, call_id="e", metadata=["a secret"])

    assert 2 < len(caplog.messages)
    assert [] == [message for message in caplog.messages if "secret" in message]
