"""This package spells the protocol's words and sizes itself, to start fast. They are the contract's."""

from interpose.contracts import evaluation as contract
from interpose.contracts.protocol_error import STATUS_OF, Error
from interpose.contracts.strict import read_model
from interpose.report import claims, courier, decision, evaluation, evidence, receipt, reporting
from interpose.report.client import Answer


def test_the_words_are_those_of_the_contract() -> None:
    """Decisions, statuses, the error that is tried again."""
    assert {verb.value for verb in contract.Verb} == {verb.value for verb in decision.Verb}
    assert {status.value for status in contract.Reported} == set(reporting.STATUSES)
    assert contract.Resolution.APPROVED == evaluation.APPROVED
    assert courier.is_final(Answer(409, {"error": Error.CONFLICT.value}))
    assert not courier.is_final(Answer(409, {"error": Error.UNRESOLVED.value}))


def test_every_error_of_the_contract_is_final_or_not() -> None:
    """What a later report would meet again is; what passes is not."""
    passing = {
        error for error, status in STATUS_OF.items() if not courier.is_final(Answer(status, {"error": error.value}))
    }

    assert {
        Error.UNRESOLVED,
        Error.TOO_SLOW,
        Error.TOO_MANY,
        Error.UNAVAILABLE,
    } == passing


def test_the_sizes_are_those_of_the_contract() -> None:
    """What we refuse or leave out ourselves, the gateway would."""
    assert contract.ARGUMENTS_BYTES == evaluation.ARGUMENTS_BYTES
    assert contract.EVIDENCE_BYTES == evidence.MOST_CHARACTERS
    assert 10 * 60 * 1000 == claims.TTL_MS


def test_the_answers_of_the_contract_are_read() -> None:
    """As the gateway writes them."""
    said = contract.Evaluation(
        evaluation_id="e-1",
        decision=contract.Verb.REQUIRE_APPROVAL,
        reason="a person must agree",
        feedback=contract.Feedback(message="wait"),
        approval=contract.ApprovalAsked(id="a-1", timeout_ms=5, resolve_path="/approval/a-1/resolve"),
        arguments={"a": 1},
        limits={"per_minute": 5},
    )

    heard = decision.read(Answer(200, _body(said.to_bytes())), {"a": 0})

    assert (decision.Verb.REQUIRE_APPROVAL, "wait", decision.Approval("a-1", 5)) == (
        heard.verb,
        heard.reason,
        heard.approval,
    )
    assert ({"a": 1}, True, {"per_minute": 5}) == (heard.arguments, heard.is_rewritten, heard.limits)


def test_a_resolution_of_the_contract_is_read() -> None:
    """As the gateway writes it."""
    said = contract.ResolveAnswer(decision=contract.Verb.ALLOW)

    assert decision.read_resolution(Answer(200, _body(said.to_bytes()))).is_allowed


def test_a_receipt_of_the_contract_is_read() -> None:
    """With what hooks made of the result, and what became of evidence."""
    said = contract.ReportAnswer(
        audit_record_id="r-1",
        decision=contract.Decision.DELIVER,
        result=None,
        evidence=[contract.EvidenceKept(evidence_key="k", stored=False, reason="too large")],
    )

    heard = receipt.read(Answer(201, _body(said.to_bytes())), {"a": 1}, is_whole=True)

    assert (True, None, True, "r-1") == (heard.deliver, heard.result, heard.is_rewritten, heard.audit_record_id)
    assert ({"evidence_key": "k", "stored": False, "reason": "too large"},) == heard.evidence


def test_fields_that_we_do_not_know_change_nothing() -> None:
    """A newer gateway may say more."""
    body = _body(contract.Evaluation(evaluation_id="e-1", decision=contract.Verb.ALLOW).to_bytes())

    assert decision.read(Answer(200, body)) == decision.read(Answer(200, body | {"new": {"a": 1}}))


def _body(data: bytes) -> dict[str, object]:
    import json

    return dict(json.loads(data))


def test_what_closes_an_evaluation_is_a_report() -> None:
    """The shortest one."""
    report = read_model(contract.Report, b'{"evaluation_id":"e-1","status":"not_executed"}', limit=contract.BODY_BYTES)

    assert contract.Reported.NOT_EXECUTED is report.status
