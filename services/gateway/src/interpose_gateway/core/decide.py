"""The decision. "run" and "deliver" are built here, in one place, and nowhere else.

Precedence: refuse, then ask, then a hook that was not asked, then run. Decision and reason come from the first deciding
hook in plan order, so they never depend on who answered first. `ask` is a question only where somebody can be asked:
the platform of an agent that runs the call itself (docs/adr/0017-calls-that-agents-run.md). Everywhere else it is a
refusal with code `approval-required`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from interpose.contracts.model import JsonObject
from interpose.contracts.words import Decision, Effect, Phase, VerdictKind
from interpose.planning.plan import Step
from interpose_gateway.core.endings import (
    BUDGET_USED_UP,
    Answered,
    CutOff,
    Ending,
    Failed,
    NotApplicable,
    Skipped,
    Unmet,
    reason_of,
)
from interpose_gateway.core.reasons import explain

GOES_ON = frozenset({Effect.PASSED, Effect.TRANSFORMED, Effect.WARNED, Effect.NOT_APPLICABLE})
"""The effects that stop nothing. A word that is not here stops."""
APPROVAL_REQUIRED = "approval-required"
NOT_ASKED = "not-asked"


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
    is_undecided: bool = False
    """Stopped although nothing was found against it: the budget ended or the gateway broke, so a retry may pass."""

    @property
    def goes_on(self) -> bool:
        """Whether the tool may run, or the response may be delivered."""
        return self.decision in (Decision.RUN, Decision.DELIVER)


def decide(phase: Phase, asked: Sequence[Asked], *, has_person: bool = False) -> Decided:
    """Combine all endings of one phase. A hook not asked never counts as a yes: it gave none.

    With a person to ask, questions are put to it where nothing else stands against the call: it could not help there.
    """
    against = [one for one in asked if one.effect not in GOES_ON]
    if has_person and against:
        questions = [one for one in against if one.effect is Effect.APPROVAL and one.kind is VerdictKind.ASK]
        if len(questions) == len(against):
            return _question(questions)
        against = [one for one in against if one not in questions]
    for effect in (Effect.STOPPED, Effect.APPROVAL):
        for one in against:
            if one.effect is effect:
                return _stopped_by(phase, one)
    if against:
        return _stopped_by(phase, against[0])
    return Decided(Decision.RUN if phase is Phase.BEFORE else Decision.DELIVER)


def stop(  # noqa: PLR0913 (the parts of a decision; grouping them would only rename them)
    phase: Phase,
    decided_by: str | None,
    reason: str,
    code: str,
    annotations: JsonObject | None = None,
    *,
    is_undecided: bool = False,
) -> Decided:
    """Refuse (before) or withhold (after)."""
    decision = Decision.REFUSE if phase is Phase.BEFORE else Decision.WITHHOLD
    return Decided(decision, decided_by, reason, code, annotations, is_undecided)


def _question(asking: Sequence[Asked]) -> Decided:
    """Several are one: whoever says yes to it has read them all."""
    first = asking[0]
    said = [(one.step.hook.name, str(reason_of(one.ending))) for one in asking]
    reason = said[0][1] if len(said) == 1 else "; ".join(f"{name}: {why}" for name, why in said)
    annotations = first.ending.verdict.annotations if isinstance(first.ending, Answered) else None
    return Decided(Decision.ASK, first.step.hook.name, reason, APPROVAL_REQUIRED, annotations)


def _stopped_by(phase: Phase, one: Asked) -> Decided:
    hook = one.step.hook
    match one.ending:
        case Answered(verdict):
            is_question = verdict.verdict is VerdictKind.ASK
            code = APPROVAL_REQUIRED if is_question else verdict.code or "rejected"
            return stop(phase, hook.name, str(verdict.reason), code, verdict.annotations)
        case Failed(failure, detail):
            return stop(phase, hook.name, explain(hook, failure, detail, one.step.origin), failure.replace("_", "-"))
        case CutOff(detail, code):
            return stop(phase, hook.name, detail, code, is_undecided=code == BUDGET_USED_UP)
        case Unmet():
            return stop(phase, hook.name, f"{hook.name}: {one.ending.detail}", NOT_ASKED)
        case Skipped() | NotApplicable():
            return stop(phase, hook.name, f"{hook.name} was not asked", NOT_ASKED)
