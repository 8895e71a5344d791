"""The ONE fail-mode function: what an ending does to the call (DESIGN.md, section 6; docs/adr/0002-fail-modes.md)."""

from typing import assert_never

from interpose.contracts.words import Effect, FailMode, OnFailure, VerdictKind
from interpose_gateway.core.endings import Answered, CutOff, Ending, Failed, NotApplicable, Skipped, Unmet


def effect_of(ending: Ending, fail_mode: FailMode, on_failure: OnFailure | None) -> Effect:
    """Only `allow` and a valid declared `transform` are a yes; all else stops unless the operator said otherwise."""
    match ending:
        case Answered(verdict):
            return _effect_of_verdict(verdict.verdict, fail_mode)
        case Failed():
            is_waived = fail_mode is FailMode.WARN or on_failure is OnFailure.WARN
            return Effect.WARNED if is_waived else Effect.STOPPED
        case CutOff():
            return Effect.STOPPED
        case Skipped():
            return Effect.NOT_ASKED
        case Unmet():
            # No failure of this hook: what onFailure waives is its silence, not that it was never asked.
            return Effect.WARNED if fail_mode is FailMode.WARN else Effect.NOT_ASKED
        case NotApplicable():
            return Effect.NOT_APPLICABLE
        case _:  # pragma: no cover
            assert_never(ending)


def _effect_of_verdict(kind: VerdictKind, fail_mode: FailMode) -> Effect:
    match kind:
        case VerdictKind.ALLOW:
            return Effect.PASSED
        case VerdictKind.TRANSFORM:
            return Effect.TRANSFORMED
        case VerdictKind.REJECT:
            return Effect.WARNED if fail_mode is FailMode.WARN else Effect.STOPPED
        case VerdictKind.ASK:
            return Effect.WARNED if fail_mode is FailMode.WARN else Effect.APPROVAL
        case _:  # pragma: no cover
            assert_never(kind)
