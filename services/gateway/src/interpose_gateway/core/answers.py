"""The answer and its HTTP status. `ran` tells whether the tool ran, so that nobody retries a call that did."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ValidationError

from interpose.contracts.call import Answer, AnswerError, HookReport
from interpose.contracts.model import JsonObject
from interpose.contracts.words import Decision, Failure, Phase
from interpose.errors import Fault
from interpose_gateway.core.decide import Asked, Decided
from interpose_gateway.core.endings import Failed, reason_of
from interpose_gateway.core.judge import Judged

Ran = bool | Literal["unknown"]

_ABSENT: Any = object()


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back to the caller: a status, a body, and seconds to wait where waiting helps."""

    status: int
    answer: Answer
    retry_after_s: int | None = None


@dataclass(slots=True)
class Draft:
    """What is known of a call so far: filled as it travels, turned into the answer at the end."""

    call_id: str | None = None
    trace_id: str | None = None
    revision: int | None = None
    parameters: JsonObject | None = None
    judged: list[tuple[Phase, Judged]] = field(default_factory=list)
    ran: Ran = False
    warnings: tuple[str, ...] = ()

    def add(self, phase: Phase, judged: Judged) -> None:
        """One phase's hooks; the final parameters are those the before hooks left."""
        self.judged.append((phase, judged))
        if phase is Phase.BEFORE:
            self.parameters = judged.value

    def reply(
        self,
        status: int,
        decided: Decided,
        *,
        response: Any = _ABSENT,
        faults: Sequence[Fault] = (),
        retry_after_s: int | None = None,
    ) -> Reply:
        """Close the draft."""
        fields: dict[str, Any] = {} if response is _ABSENT else {"response": response}
        answer = Answer(
            call_id=self.call_id,
            trace_id=self.trace_id,
            revision=self.revision,
            decision=decided.decision,
            ran=self.ran,
            withheld=decided.decision is Decision.WITHHOLD,
            reason=decided.reason,
            code=decided.code,
            decided_by=decided.decided_by,
            warnings=[*self.warnings, *(warning for _, judged in self.judged for warning in judged.warnings)],
            errors=[_error(fault) for fault in faults] + errors_of(decided.annotations),
            parameters=self.parameters,
            hooks=[_report(phase, one) for phase, judged in self.judged for one in judged.asked],
            **fields,
        )
        return Reply(status, answer, retry_after_s)


def errors_of(annotations: JsonObject | None) -> list[AnswerError]:
    """The deciding hook's `annotations.errors`, as far as they are errors with a path and a message."""
    listed = (annotations or {}).get("errors")
    errors: list[AnswerError] = []
    for item in listed if isinstance(listed, list) else []:
        try:
            errors.append(AnswerError.model_validate(item))
        except ValidationError:
            continue  # a hook's annotation is free text to us: what is no error stays on the record only
    return errors


def _error(fault: Fault) -> AnswerError:
    return AnswerError(path=fault.path, message=fault.message, limit=fault.limit, given=fault.given)


def _report(phase: Phase, one: Asked) -> HookReport:
    failure: Failure | None = one.ending.failure if isinstance(one.ending, Failed) else None
    return HookReport(
        name=one.step.hook.name,
        phase=phase,
        verdict=one.kind,
        failure=failure,
        effect=one.effect,
        ms=one.ms,
        worker=one.worker,
        reason=reason_of(one.ending),
    )
