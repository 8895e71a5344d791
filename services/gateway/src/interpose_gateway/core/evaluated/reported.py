"""What an agent reports, as after hooks and the record have it; and the answer, which is read from the record. Pure."""

from typing import Any

from interpose.contracts.digest import digest
from interpose.contracts.evaluation import Report, ReportAnswer, Reported
from interpose.contracts.record import Record
from interpose.contracts.words import Decision, Outcome
from interpose_gateway.core.evaluated.evidence import Sifted, told
from interpose_gateway.core.ports import Execution
from interpose_gateway.core.response import to_response, unwrapped
from interpose_gateway.core.toolcall import ToolResponse

OUTCOME_OF = {
    Reported.SUCCESS: Outcome.SUCCESS,
    Reported.ERROR: Outcome.ERROR,
    Reported.NOT_EXECUTED: Outcome.NOT_EXECUTED,
}
ERROR, RESULT = "error", "result"
SILENT = "the agent reports an error and does not say which"


def response_of(asked: Report) -> ToolResponse:
    """What the tool answered. An error stands in `error`, with what it answered beside it where it answered at all."""
    response: Any = asked.result
    if asked.status is Reported.ERROR and (asked.error is not None or asked.result is None):
        response = {ERROR: asked.error or SILENT} | ({} if asked.result is None else {RESULT: asked.result})
    return to_response(Execution(OUTCOME_OF[asked.status], response), asked.duration_ms or 0.0)


def digest_of(asked: Report) -> str:
    """Of all that was sent, whatever the order of its keys."""
    return digest(asked.model_dump(mode="json", exclude_unset=True))


def answer_of(after: Record, asked: Report, sifted: list[Sifted], *, is_repeated: bool = False) -> ReportAnswer:
    """The same for a report and for its repetition."""
    rewritten = {} if (changed := _rewritten(after, asked)) is None else {"result": changed[0]}
    return ReportAnswer(
        audit_record_id=after.record_id,
        already_finalized=True if is_repeated else None,
        decision=after.decision,
        reason=after.reason,
        code=after.code,
        evidence=told(sifted, after.evidence) if sifted else None,
        warnings=after.warnings,
        **rewritten,
    )


def _rewritten(after: Record, asked: Report) -> tuple[Any] | None:
    """What after hooks made of the result, where they changed it and let it be delivered."""
    is_same = after.final is None or digest(after.final) == digest(after.original)
    if after.decision is not Decision.DELIVER or after.final is None or is_same:
        return None
    is_beside_error = asked.status is Reported.ERROR and asked.error is not None and asked.result is not None
    return (after.final.get(RESULT) if is_beside_error else unwrapped(after.final, response_of(asked)),)
