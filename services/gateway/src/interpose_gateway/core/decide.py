"""The decision. "run" and "deliver" are built here, in one place, and nowhere else.

Precedence: refuse, then ask, then run. Decision and reason come from the first deciding hook in plan order, so they
never depend on who answered first. Until approvals are built, `ask` is a refusal with code `approval-required`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from interpose.contracts.model import JsonObject
from interpose.contracts.words import Decision, Effect, Phase, VerdictKind
from interpose_gateway.core.endings import Answered, CutOff, Ending, Failed, Skipped
from interpose_gateway.core.plan import Step
from interpose_gateway.core.reasons import explain

APPROVAL_REQUIRED = "approval-required"


@dataclass(frozen=True, slots=True)
class Asked:
    """One hook's part: how its ask ended and what that does."""

    step: Step
    ending: Ending
    effect: Effect
    ms: float = 0.0
    worker: str | None = None
    span_id: str | None = None

    @property
    def kind(self) -> VerdictKind | None:
        """The verdict's kind, where there was one."""
        return self.ending.verdict.verdict if isinstance(self.ending, Answered) else None


@dataclass(frozen=True, slots=True)
class Decided:
    """The combined answer of one phase."""

    decision: Decision
    decided_by: str | None = None
    reason: str | None = None
    code: str | None = None
    annotations: JsonObject | None = None

    @property
    def goes_on(self) -> bool:
        """Whether the tool may run, or the response may be delivered."""
        return self.decision in (Decision.RUN, Decision.DELIVER)


def decide(phase: Phase, asked: Sequence[Asked]) -> Decided:
    """Combine all endings of one phase. A hook not asked never counts as a yes: somebody before it stopped the call."""
    for effect in (Effect.STOPPED, Effect.APPROVAL):
        for one in asked:
            if one.effect is effect:
                return stop(phase, *_grounds(one))
    if all(one.effect in (Effect.PASSED, Effect.TRANSFORMED, Effect.WARNED) for one in asked):
        return Decided(Decision.RUN if phase is Phase.BEFORE else Decision.DELIVER)
    return stop(phase, None, "a hook was not asked and nobody said why", "not-asked")


def stop(
    phase: Phase, decided_by: str | None, reason: str, code: str, annotations: JsonObject | None = None
) -> Decided:
    """Refuse (before) or withhold (after)."""
    decision = Decision.REFUSE if phase is Phase.BEFORE else Decision.WITHHOLD
    return Decided(decision, decided_by, reason, code, annotations)


def _grounds(one: Asked) -> tuple[str, str, str, JsonObject | None]:
    hook = one.step.hook
    match one.ending:
        case Answered(verdict):
            is_question = verdict.verdict is VerdictKind.ASK
            code = APPROVAL_REQUIRED if is_question else verdict.code or "rejected"
            return hook.name, verdict.reason or "", code, verdict.annotations
        case Failed(failure, detail):
            return hook.name, explain(hook, failure, detail), failure.replace("_", "-"), None
        case CutOff(detail):
            return hook.name, detail, "budget-used-up", None
        case Skipped():
            return hook.name, "it was not asked", "not-asked", None
