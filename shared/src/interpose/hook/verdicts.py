"""The four verdicts as functions, so that a hook reads like the rule it enforces."""

from typing import Any

from interpose.contracts.limits import REASON_CHARACTERS
from interpose.contracts.model import JsonObject
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import VerdictKind


def allow(*, warnings: list[str] | None = None, annotations: JsonObject | None = None) -> Verdict:
    """Yes, unchanged."""
    return Verdict(verdict=VerdictKind.ALLOW, warnings=warnings or [], annotations=annotations or {})


def reject(reason: str, *, code: str | None = None, annotations: JsonObject | None = None) -> Verdict:
    """No. `reason` is plain text for people and models (cut at 2,000 characters), `code` kebab-case for machines.

    `annotations["errors"]`, a list of `{"path", "message", "limit"?, "given"?}`, reaches the caller as `errors`.
    """
    return Verdict(verdict=VerdictKind.REJECT, reason=_cut(reason), code=code, annotations=annotations or {})


def transform(output: dict[str, Any], *, annotations: JsonObject | None = None) -> Verdict:
    """Yes, with this value instead: new parameters before, a new response after. The hook must declare it."""
    return Verdict(verdict=VerdictKind.TRANSFORM, output=output, annotations=annotations or {})


def require_approval(reason: str, *, annotations: JsonObject | None = None) -> Verdict:
    """A person must decide; until then it is a no. `reason` is the question."""
    return Verdict(verdict=VerdictKind.ASK, reason=_cut(reason), annotations=annotations or {})


def _cut(reason: str) -> str:
    return reason if len(reason) <= REASON_CHARACTERS else reason[: REASON_CHARACTERS - 1] + "…"
