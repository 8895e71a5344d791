"""The gate before a call: what it asks, what it decides, and a no for everything that is no decision."""

from typing import Any

import pytest

from interpose.contracts.evaluation import Evaluate, InstallScan, Report, Resolve
from interpose.contracts.limits import MIB
from interpose.contracts.strict import read_model
from interpose.report import Gate, Outcome, Verb
from interpose.report.counters import Counted

from .conftest import ALLOW, MakeGate, PlayedGateway, told

AMBIGUOUS = "cannot correlate ambiguous concurrent tool calls"


ARGUMENTS = {"command": "ls", "deep": [{"a": None, "b": 1.5, "c": "é"}]}


def evaluated(decision: str = "allow", **more: object) -> bytes:
    """An answer to an evaluation."""
    return told(200, {"evaluation_id": "e-1", "decision": decision, "reason": None, "matched_rule": None} | more)


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

    assert [(True, False), (False, False), (False, True), (False, True)] == [
        (decision.is_allowed, decision.is_local) for decision in decisions
    ]
    assert [None] * 4 == [decision.approval for decision in decisions]
    assert {"origin": "an-agent", "package": {"name": "left-pad", "version": "1"}} == gateway.requests[0].json


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
