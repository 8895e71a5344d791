"""The gate as an adapter sees it: decisions, receipts, and a no for everything that goes wrong."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpose.contracts.evaluation import Evaluate, InstallScan, Report, Resolve
from interpose.contracts.limits import KIB, MIB
from interpose.contracts.strict import read_model
from interpose.report import Decision, Gate, Outcome, Verb
from interpose.report.claims import TTL_MS
from interpose.report.counters import Counted
from interpose.report.evaluation import ARGUMENTS_BYTES

from .conftest import ALLOW, FINALISED, TOKEN, MakeGate, PlayedGateway, SetClock, told

AMBIGUOUS = "cannot correlate ambiguous concurrent tool calls"
ARGUMENTS = {"command": "ls", "deep": [{"a": None, "b": 1.5, "c": "é"}]}


def evaluated(decision: str = "allow", **more: object) -> bytes:
    """An answer to an evaluation."""
    return told(200, {"evaluation_id": "e-1", "decision": decision, "reason": None, "matched_rule": None} | more)


def nothing(_home: Path) -> None:
    """No change."""


def test_a_call_is_asked_about_and_reported(gate: Gate, gateway: PlayedGateway) -> None:
    """What is sent is what the contract says, and nothing that was not given."""
    decision = gate.before("Bash", ARGUMENTS, call_id="c-1", session="s-1")
    receipt = gate.after(call_id="c-1", result={"stdout": "a"}, duration_ms=12)

    question, report = gateway.requests
    asked = {"origin": "an-agent", "session_id": "s-1", "tool": {"name": "Bash"}, "arguments": ARGUMENTS}
    told_of = {"evaluation_id": "e-1", "status": "success", "result": {"stdout": "a"}, "duration_ms": 12}
    assert (asked, told_of) == (question.json, report.json)
    assert (True, "e-1", ARGUMENTS) == (decision.is_allowed, decision.evaluation_id, decision.arguments)
    assert (Outcome.FINALISED, True, {"stdout": "a"}) == (receipt.outcome, receipt.deliver, receipt.result)
    assert "r-1" == receipt.audit_record_id


def test_everything_that_can_be_said_is_said(make_gate: MakeGate, gateway: PlayedGateway) -> None:
    """Every body is what the contract's models take."""
    gate = make_gate(
        agent_id="main", adapter_version="1.2", evidence=[{"evidence_key": "host", "path": ["url", "host"]}]
    )
    declared = {"description": "runs", "input_schema": {"type": "object"}, "title": "T", "annotations": {"x": True}}
    gateway.answers.append(evaluated("require_approval", approval={"id": "a/1", "timeout_ms": 5, "resolve_path": "/x"}))
    gateway.answers.append(told(200, {"ok": True, "decision": "allow"}))
    gate.before("Bash", ARGUMENTS, call_id="c", session="s", declared=declared, metadata={"channel": "x"})
    gate.resolve("approved", call_id="c", resolved_by="patrick", reason="fine", scope="once")
    gate.after(call_id="c", result={"url": {"host": "h"}}, error="half", status="success", duration_ms=1.5)
    gate.install("left-pad", version="1", source="npm", spec="left-pad@1", url="https://x.example", metadata={"a": 1})

    models = [Evaluate, Resolve, Report, InstallScan]
    asked, resolved, reported, installed = (
        read_model(model, request.body, limit=MIB) for model, request in zip(models, gateway.requests, strict=True)
    )
    assert ["/v1/evaluate", "/v1/approval/a%2F1/resolve", "/v1/audit", "/v1/install-scan"] == [
        request.path for request in gateway.requests
    ]
    assert isinstance(asked, Evaluate)
    assert ("main", "1.2", declared | {"name": "Bash"}) == (
        asked.agent_id,
        asked.adapter_version,
        asked.tool.model_dump(),
    )
    assert isinstance(reported, Report)
    assert ("half", "host", "h") == (
        reported.error,
        reported.evidence[0].evidence_key,
        reported.evidence[0].evidence_data,
    )
    assert {
        "resolution": "approved",
        "resolved_by": "patrick",
        "reason": "fine",
        "scope": "once",
    } == resolved.model_dump()
    assert isinstance(installed, InstallScan)
    assert ("left-pad", {"a": 1}) == (installed.package.name, installed.metadata)


@pytest.mark.parametrize("decision", ["deny", "rate_limited", "dry_run"])
def test_a_refusal_is_final(gate: Gate, gateway: PlayedGateway, decision: str) -> None:
    """It says why, waits for no report, and stands in no other call's way."""
    gateway.answers.append(evaluated(decision, reason="no", code="not-so", feedback={"message": "not in this folder"}))

    refused = gate.before("Bash", ARGUMENTS, session="s")

    assert (False, decision, "not in this folder", "not-so") == (
        refused.is_allowed,
        refused.verb.value,
        refused.reason,
        refused.code,
    )
    assert Outcome.MISSED is gate.after("Bash", session="s", result=1).outcome
    assert gate.before("Bash", ARGUMENTS, session="s").is_allowed


def test_rewritten_arguments_are_the_ones_to_run_with(gate: Gate, gateway: PlayedGateway) -> None:
    """They stand in the decision, which says so."""
    gateway.answers.append(evaluated(arguments={"command": "ls -l"}))

    decision = gate.before("Bash", ARGUMENTS, call_id="c")

    assert ({"command": "ls -l"}, True) == (decision.arguments, decision.is_rewritten)


def test_arguments_that_change_after_they_were_judged_do_not_run(gate: Gate) -> None:
    """The decision carries its own copy."""
    arguments = {"command": "ls"}
    decision = gate.before("Bash", arguments, call_id="c")
    arguments["command"] = "rm -rf /"

    assert {"command": "ls"} == decision.arguments


def test_a_dry_run_reserves_nothing(gate: Gate, gateway: PlayedGateway) -> None:
    """It says what would be decided and never allows a call, whatever comes back."""
    gate.before("Bash", ARGUMENTS, session="s")
    gateway.answers.append(evaluated("dry_run", dry_run={"decision": "allow"}))
    gateway.answers.append(evaluated("allow"))

    rehearsed, taken_for_a_call = (gate.before("Bash", ARGUMENTS, session="s", dry_run=True) for _ in range(2))

    assert (False, "allow") == (rehearsed.is_allowed, rehearsed.would_be)
    assert (False, "governance unavailable: a dry run was taken for a call") == (
        taken_for_a_call.is_allowed,
        taken_for_a_call.reason,
    )
    assert [True, True] == [body["dry_run"] for body in gateway.bodies("/evaluate")[1:]]


NO_DECISION = {
    "no word": told(200, {"evaluation_id": "e-1"}),
    "another word": evaluated("spend_limited"),
    "a loud word": evaluated("ALLOW"),
    "a list of words": told(200, {"evaluation_id": "e-1", "decision": ["allow"]}),
    "true": told(200, {"evaluation_id": "e-1", "decision": True}),
    "no id": told(200, {"decision": "allow"}),
    "an empty id": told(200, {"decision": "allow", "evaluation_id": ""}),
    "a number for an id": told(200, {"decision": "allow", "evaluation_id": 5}),
    "a long id": told(200, {"decision": "allow", "evaluation_id": "e" * 257}),
    "half a character in an id": told(200, {"decision": "allow", "evaluation_id": "\ud800"}),
    "arguments that are none": evaluated(arguments=["ls"]),
    "arguments that are null": evaluated(arguments=None),
    "an approval without a question": evaluated("require_approval"),
    "an approval without a time": evaluated("require_approval", approval={"id": "a-1"}),
    "an error": told(400, {"error": "invalid_request", "message": "$.tool"}),
    "an allow that is an error": told(403, ALLOW | {"evaluation_id": "e-1"}),
    "an allow elsewhere": told(302, ALLOW | {"evaluation_id": "e-1"}),
    "unavailable": told(503, {"error": "governance_unavailable"}),
    "nothing": b"",
    "half an allow": b'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"evaluation_id":"e-1","decision":"allow"}',
    "two decisions": b'HTTP/1.1 200 OK\r\n\r\n{"evaluation_id":"e-1","decision":"deny","decision":"allow"}',
    "no JSON": b"HTTP/1.1 200 OK\r\n\r\nallow",
}


@pytest.mark.parametrize("answer", NO_DECISION.values(), ids=NO_DECISION)
def test_whatever_is_no_decision_blocks(gate: Gate, gateway: PlayedGateway, answer: bytes) -> None:
    """The call, and with the same answer an install; it is counted and stands in nobody's way."""
    gateway.answers.extend([answer, answer])

    refused, not_installed = gate.before("Bash", ARGUMENTS, session="s"), gate.install("left-pad")

    assert [(Verb.DENY, True)] * 2 == [(one.verb, one.is_local) for one in (refused, not_installed)]
    assert refused.reason.startswith("governance unavailable: ")
    assert 2 == gate.counters[Counted.UNAVAILABLE]
    assert gate.before("Bash", ARGUMENTS, session="s").is_allowed


def test_a_gateway_that_hangs_blocks(make_gate: MakeGate, gateway: PlayedGateway) -> None:
    """In the time that it was given."""
    gateway.answers.append(None)

    refused = make_gate(evaluate_timeout_ms=50).before("Bash", ARGUMENTS, call_id="c")

    assert "governance unavailable: no answer within 50 ms" == refused.reason


def test_a_gateway_that_is_not_there_blocks(make_gate: MakeGate) -> None:
    """Calls and installs."""
    gate = make_gate(url="http://127.0.0.1:1")

    assert ["governance unavailable: Connection refused"] * 2 == [
        gate.before("Bash", ARGUMENTS, call_id="c").reason,
        gate.install("left-pad").reason,
    ]


@pytest.mark.parametrize("named", [{"session": "s"}, {"run_id": "r"}, {}])
def test_a_second_call_that_could_be_the_first_is_blocked(
    gate: Gate, gateway: PlayedGateway, named: dict[str, str]
) -> None:
    """In these very words, without asking the gateway; once the first has ended it may come again."""
    gate.before("Bash", ARGUMENTS, **named)

    refused = gate.before("Bash", ARGUMENTS, **named)

    assert (Verb.DENY, AMBIGUOUS, 1) == (refused.verb, refused.reason, len(gateway.requests))
    assert {Counted.AMBIGUOUS: 1, Counted.UNAVAILABLE: 0} == {
        what: gate.counters[what] for what in (Counted.AMBIGUOUS, Counted.UNAVAILABLE)
    }
    gate.after("Bash", **named)
    assert gate.before("Bash", ARGUMENTS, **named).is_allowed


def test_calls_with_ids_run_side_by_side(gate: Gate, gateway: PlayedGateway) -> None:
    """Each report names its own evaluation, in whatever order they end."""
    for number in range(3):
        gate.before("Bash", ARGUMENTS, call_id=f"c-{number}", run_id="r", session="s")
    for number in (2, 0, 1):
        gate.after(call_id=f"c-{number}", result=number)

    assert [("e-3", 2), ("e-1", 0), ("e-2", 1)] == [
        (body["evaluation_id"], body["result"]) for body in gateway.bodies("/audit")
    ]


def test_an_end_without_a_claim_is_not_sent(
    gate: Gate, gateway: PlayedGateway, clock: SetClock, caplog: pytest.LogCaptureFixture
) -> None:
    """A call that nobody evaluated, one that was reported already, one that took too long: counted and logged."""
    gate.before("Bash", ARGUMENTS, call_id="twice")
    gate.after(call_id="twice")
    gate.before("Bash", ARGUMENTS, call_id="slow")
    clock.time_ms += TTL_MS
    already = len(gateway.requests)

    receipts = [gate.after("Bash", call_id=name, result="x") for name in ("never", "twice", "slow")]

    assert [(Outcome.MISSED, False, None)] * 3 == [(one.outcome, one.deliver, one.result) for one in receipts]
    assert (3, already) == (gate.counters[Counted.MISSED], len(gateway.requests))
    assert 3 == caplog.messages.count("a call of Bash ended that was not evaluated, or more than ten minutes ago")


@pytest.mark.parametrize(
    ("ending", "sent"),
    [
        ({"result": None}, {"status": "success", "result": None}),
        ({}, {"status": "success"}),
        ({"error": "broken"}, {"status": "error", "error": "broken"}),
        ({"error": ValueError("broken", 3)}, {"status": "error", "error": "ValueError: broken, 3"}),
        (
            {"error": FileNotFoundError(2, "No such file", "/x")},
            {"status": "error", "error": "FileNotFoundError: 2, No such file, /x"},
        ),
        ({"error": KeyError()}, {"status": "error", "error": "KeyError"}),
        ({"error": {"code": 5}}, {"status": "error", "error": '{"code":5}'}),
        ({"error": "e", "result": {"partial": 1}}, {"status": "error", "error": "e", "result": {"partial": 1}}),
        ({"status": "not_executed", "result": 1}, {"status": "not_executed"}),
        ({"result": 1, "duration_ms": 2.5}, {"status": "success", "result": 1, "duration_ms": 2.5}),
        ({"result": 1, "duration_ms": float("nan")}, {"status": "success", "result": 1}),
        ({"result": 1, "duration_ms": -1}, {"status": "success", "result": 1}),
        ({"result": 1, "duration_ms": "12"}, {"status": "success", "result": 1}),
        ({"result": 1, "duration_ms": True}, {"status": "success", "result": 1}),
        ({"result": 1, "duration_ms": 10**400}, {"status": "success", "result": 1}),
    ],
    ids=range(15),
)
def test_an_end_is_told_as_it_was(
    gate: Gate, gateway: PlayedGateway, ending: dict[str, Any], sent: dict[str, Any]
) -> None:
    """Success, error or not executed; what is no duration is left out; the contract takes every one."""
    gate.before("Bash", ARGUMENTS, call_id="c")
    gate.after(call_id="c", **ending)

    assert [sent | {"evaluation_id": "e-1"}] == gateway.bodies("/audit")
    read_model(Report, gateway.requests[-1].body, limit=MIB)


def test_evidence_is_of_successful_calls_only(make_gate: MakeGate, gateway: PlayedGateway) -> None:
    """By the tool that was evaluated, also where its end does not name it; a missing path costs nothing else."""
    rules = [
        {"evidence_key": "host", "path": ["url", "host"], "tool": "fetch"},
        {"evidence_key": "port", "path": ["url", "port"], "ttl_seconds": 5},
        {"evidence_key": "other", "path": ["url", "host"], "tool": "read"},
    ]
    gate = make_gate(evidence=rules)
    result = {"url": {"host": "h"}}
    for name, error in (("good", None), ("bad", "broken")):
        gate.before("fetch", {}, call_id=name)
        gate.after(call_id=name, result=result, error=error)

    good, bad = gateway.bodies("/audit")
    assert [{"evidence_key": "host", "evidence_data": "h"}] == good["evidence"]
    assert "evidence" not in bad


@pytest.mark.parametrize(
    ("answer", "deliver", "result", "reason"),
    [
        ({"decision": "deliver"}, True, {"a": 1}, ""),
        ({"decision": "deliver", "result": {"a": 2}}, True, {"a": 2}, ""),
        ({"decision": "deliver", "result": None}, True, None, ""),
        ({"decision": "withhold", "reason": "a secret", "code": "secret"}, False, None, "a secret"),
        (
            {"decision": "withhold", "result": {"a": 2}},
            False,
            None,
            "the gateway did not say that the response may be delivered",
        ),
        ({}, False, None, "the gateway did not say that the response may be delivered"),
        ({"decision": ["deliver"]}, False, None, "the gateway did not say that the response may be delivered"),
        (
            {"already_finalized": True, "finalized_by": "evaluate"},
            False,
            None,
            "the gateway did not say that the response may be delivered",
        ),
    ],
    ids=range(8),
)
def test_a_response_is_delivered_on_the_gateways_word_alone(
    gate: Gate, gateway: PlayedGateway, answer: dict[str, Any], deliver: bool, result: object, reason: str
) -> None:
    """What it rewrote takes the place of what the tool answered; a success of any kind is a success."""
    gate.before("Bash", ARGUMENTS, call_id="c")
    gateway.answers.append(told(200, {"ok": True, "audit_record_id": "r-1"} | answer))

    receipt = gate.after(call_id="c", result={"a": 1})

    assert (Outcome.FINALISED, deliver, result, reason) == (
        receipt.outcome,
        receipt.deliver,
        receipt.result,
        receipt.reason,
    )
    assert ("result" in answer and deliver) == receipt.is_rewritten


def test_what_was_judged_is_delivered_and_not_the_object(gate: Gate) -> None:
    """Hooks saw the copy; the object may have said something else."""

    class Page:
        def __init__(self) -> None:
            self.text = "seen"
            self._hidden = "unseen"

    gate.before("fetch", {}, call_id="c")

    assert {"text": "seen"} == gate.after(call_id="c", result=Page()).result


@pytest.mark.parametrize(
    ("ending", "shed"),
    [
        ({"result": "x" * MIB}, ["result"]),
        ({"result": list(range(60_000))}, ["result"]),
        ({"result": "é" * (MIB // 2)}, ["result"]),
        ({"error": "x" * MIB, "result": 1}, ["result", "error: cut"]),
        ({"error": "\x00" * MIB}, ["error: cut"]),
    ],
    ids=range(5),
)
def test_a_report_that_is_too_large_is_shed_and_its_response_withheld(
    gate: Gate, gateway: PlayedGateway, ending: dict[str, Any], shed: list[str]
) -> None:
    """The gateway learns what it does not see, and nobody delivers what it did not see."""
    gate.before("Bash", ARGUMENTS, call_id="c")

    receipt = gate.after(call_id="c", **ending)

    (report,) = gateway.bodies("/audit")
    assert (shed, "e-1") == (report["shed"], report["evaluation_id"])
    assert (Outcome.FINALISED, False, "the response is too large to be judged") == (
        receipt.outcome,
        receipt.deliver,
        receipt.reason,
    )
    assert len(gateway.requests[-1].body) <= MIB - 16 * KIB
    counted = gate.counters
    assert (1, int("error: cut" in shed)) == (counted[Counted.SHED], counted[Counted.TRUNCATED])


def test_a_result_is_shed_before_evidence_from_it(make_gate: MakeGate, gateway: PlayedGateway) -> None:
    """And losing evidence withholds nothing: an answer is what the tool answered."""
    gate = make_gate(evidence=[{"evidence_key": f"k{n}", "path": [f"k{n}"]} for n in range(20)])
    for name, size in (("few", 40_000), ("many", 60_000)):
        gate.before("fetch", {}, call_id=name)
        gate.after(call_id=name, result={"page": "x" * MIB} | {f"k{n}": "y" * size for n in range(20)})

    few, many = gateway.bodies("/audit")
    assert (["result"], 20) == (few["shed"], len(few["evidence"]))
    assert (["result", "evidence[17]", "evidence[18]", "evidence[19]"], 17) == (many["shed"], len(many["evidence"]))


def test_a_report_that_cannot_be_sent_is_kept_and_sent_again(
    make_gate: MakeGate, gateway: PlayedGateway, clock: SetClock
) -> None:
    """The agent gets no response in the meantime; later the gateway gets the very same bytes."""
    gate = make_gate()
    clock.is_impatient = True
    gate.before("Bash", ARGUMENTS, call_id="c")
    gateway.answers.append(told(503, {"error": "governance_unavailable", "message": "no broker"}))

    receipt = gate.after(call_id="c", result={"a": 1})
    clock.time_ms += 60_000
    left = gate.drain()

    assert (Outcome.KEPT, False, None) == (receipt.outcome, receipt.deliver, receipt.result)
    assert "governance unavailable: the gateway answered 503 (governance_unavailable: no broker)" == receipt.reason
    first, second = [request.body for request in gateway.requests if request.path == "/v1/audit"]
    assert (0, first) == (left, second)
    assert (1, 1) == (gate.counters[Counted.RETRIED], gate.counters[Counted.FINALISED])


def test_an_approval_is_resolved_by_the_person(gate: Gate, gateway: PlayedGateway) -> None:
    """The call waits, found by its own name; a yes that the gateway confirms lets it run, and its end is reported."""
    gateway.answers.append(evaluated("require_approval", approval={"id": "a-1", "timeout_ms": 120_000}))
    gateway.answers.append(told(200, {"ok": True, "decision": "allow"}))

    asked = gate.before("Bash", ARGUMENTS, session="s")
    again = gate.before("Bash", ARGUMENTS, session="s")
    resolved = gate.resolve("approved", "Bash", session="s", resolved_by="patrick")
    receipt = gate.after("Bash", session="s", result=1)

    assert asked.approval is not None
    assert (False, "a-1", 120_000) == (asked.is_allowed, asked.approval.id, asked.approval.timeout_ms)
    assert AMBIGUOUS == again.reason
    assert (True, "e-1") == (resolved.is_allowed, resolved.evaluation_id)
    assert {"resolution": "approved", "resolved_by": "patrick"} == gateway.requests[1].json
    assert Outcome.FINALISED is receipt.outcome


@pytest.mark.parametrize(
    ("resolution", "answer"),
    [
        ("denied", told(200, {"ok": True, "decision": "deny"})),
        ("denied", told(200, {"ok": True, "decision": "allow"})),
        ("approved", told(200, {"ok": True, "decision": "deny", "reason": "another rule by now"})),
        ("approved", told(200, {"ok": True, "decision": "require_approval"})),
        ("approved", told(200, {"ok": True})),
        ("approved", told(409, {"error": "already_resolved"})),
        ("approved", b""),
    ],
    ids=range(7),
)
def test_only_a_confirmed_yes_is_one(gate: Gate, gateway: PlayedGateway, resolution: Any, answer: bytes) -> None:
    """Everything else blocks, and frees the way; where the gateway may think otherwise it hears that nothing ran."""
    gateway.answers.append(evaluated("require_approval", approval={"id": "a-1", "timeout_ms": 120_000}))
    gateway.answers.append(answer)
    gate.before("Bash", ARGUMENTS, session="s")

    resolved = gate.resolve(resolution, "Bash", session="s")
    gate.drain()

    assert False is resolved.is_allowed
    unsure = [{"evaluation_id": "e-1", "status": "not_executed"}] if resolved.is_local else []
    assert unsure == gateway.bodies("/audit")
    assert Outcome.MISSED is gate.after("Bash", session="s").outcome
    assert gate.before("Bash", ARGUMENTS, session="s").is_allowed


def test_a_yes_names_who_gave_it(gate: Gate, gateway: PlayedGateway) -> None:
    """Where the platform does not say who, it is the platform."""
    gateway.answers.append(evaluated("require_approval", approval={"id": "a-1", "timeout_ms": 120_000}))
    gate.before("Bash", ARGUMENTS, call_id="c")
    gate.resolve("denied", call_id="c")

    assert {"resolution": "denied", "resolved_by": "an-agent"} == gateway.requests[1].json


def test_a_resolution_needs_a_question(gate: Gate, gateway: PlayedGateway) -> None:
    """A call that was allowed, or is not known, has none; nothing is asked."""
    gate.before("Bash", ARGUMENTS, call_id="allowed")

    reasons = {gate.resolve("approved", call_id=name).reason for name in ("allowed", "unknown")}

    assert {"governance unavailable: no question waits for an answer under this call"} == reasons
    assert 1 == len(gateway.requests)


def test_an_install_is_allowed_or_not(gate: Gate, gateway: PlayedGateway) -> None:
    """Nothing else is a decision about one."""
    gateway.answers.extend([evaluated("allow"), evaluated("deny", reason="no")])
    gateway.answers.append(evaluated("require_approval", approval={"id": "a", "timeout_ms": 5}))
    gateway.answers.append(evaluated("dry_run"))

    decisions = [gate.install("left-pad", version="1") for _ in range(4)]

    assert [True, False, False, False] == [decision.is_allowed for decision in decisions]
    assert {"origin": "an-agent", "package": {"name": "left-pad", "version": "1"}} == gateway.requests[0].json


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


def test_memory_and_folder_are_the_same_to_an_adapter(make_gate: MakeGate, gateway: PlayedGateway) -> None:
    """But that another gate finds only what lies in the folder."""
    for claims, found in (("folder", Outcome.FINALISED), ("memory", Outcome.MISSED)):
        make_gate(claims=claims).before("Bash", ARGUMENTS, session=claims)
        assert found is make_gate(claims=claims).after("Bash", session=claims).outcome
        gate = make_gate(claims=claims)
        gate.before("Bash", ARGUMENTS, session=f"own {claims}")
        assert Outcome.FINALISED is gate.after("Bash", session=f"own {claims}").outcome

    assert 3 == len(gateway.bodies("/audit"))


def test_origins_do_not_meet(make_gate: MakeGate) -> None:
    """Two adapters on one machine have folders of their own."""
    make_gate("one").before("Bash", ARGUMENTS, session="s")

    assert make_gate("two").before("Bash", ARGUMENTS, session="s").is_allowed


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

    assert caplog.messages
    assert [] == [message for message in caplog.messages if "secret" in message]


def test_a_finalised_report_needs_no_drain(gate: Gate) -> None:
    """Nothing waits after what went well."""
    gate.before("Bash", ARGUMENTS, call_id="c")
    gate.after(call_id="c", result=1)

    assert (0, 1) == (gate.drain(), gate.counters[Counted.FINALISED])
    assert FINALISED["ok"]
