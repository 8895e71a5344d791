"""The gate after a call: what is reported, what is shed, kept, and may be delivered."""

from typing import Any

import pytest

from interpose.contracts.evaluation import Report
from interpose.contracts.limits import KIB, MIB
from interpose.contracts.strict import read_model
from interpose.report import Gate, Outcome
from interpose.report.claims import TTL_MS
from interpose.report.counters import Counted

from .conftest import FINALISED, MakeGate, PlayedGateway, SetClock, told

ARGUMENTS = {"command": "ls", "deep": [{"a": None, "b": 1.5, "c": "é"}]}


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


def test_a_finalised_report_needs_no_drain(gate: Gate) -> None:
    """Nothing waits after what went well."""
    gate.before("Bash", ARGUMENTS, call_id="c")
    gate.after(call_id="c", result=1)

    assert (0, 1) == (gate.drain(), gate.counters[Counted.FINALISED])
    assert FINALISED["ok"]
