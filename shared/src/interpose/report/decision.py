"""The gateway's decision about one call or install. Everything that is not a well-formed `allow` is a refusal."""

from enum import StrEnum
from typing import Any, NamedTuple

from interpose.report.client import Answer, NoAnswer

UNAVAILABLE = "governance unavailable"
AMBIGUOUS = "cannot correlate ambiguous concurrent tool calls"
_LONGEST_ID = 256


class Verb(StrEnum):
    """The decision in the protocol's words."""

    ALLOW = "allow"
    DENY = "deny"
    REQUIRE_APPROVAL = "require_approval"
    RATE_LIMITED = "rate_limited"
    DRY_RUN = "dry_run"


class Approval(NamedTuple):
    """A question for the person at the agent's own platform; `Gate.resolve` takes the answer."""

    id: str
    timeout_ms: int


class Decision(NamedTuple):
    """Whether a call may run. `arguments` are those that were judged, or what a hook made of them: run with these.

    `reason` says why not, for people and models; `code` is its word for machines. `is_local`: the gateway did not
    decide this, so nothing of it is on the record.
    """

    verb: Verb
    reason: str = ""
    code: str | None = None
    evaluation_id: str | None = None
    arguments: dict[str, Any] | None = None
    is_rewritten: bool = False
    approval: Approval | None = None
    matched_rule: str | None = None
    limits: dict[str, Any] | None = None
    would_be: str | None = None
    is_local: bool = False

    @property
    def is_allowed(self) -> bool:
        """Whether the call may run now."""
        return self.verb is Verb.ALLOW


def refuse(reason: str) -> Decision:
    """A refusal of our own."""
    return Decision(Verb.DENY, reason, is_local=True)


def unavailable(trouble: str) -> Decision:
    """The refusal where there is no decision."""
    return refuse(f"{UNAVAILABLE}: {trouble}")


def read(answer: Answer | NoAnswer, arguments: dict[str, Any] | None = None) -> Decision:
    """The decision in an answer to `/evaluate` or `/install-scan`. Fields that we do not know are ignored."""
    if isinstance(answer, NoAnswer) or not answer.is_success:
        return unavailable(answer.trouble)
    body = answer.body
    verb = read_verb(body)
    evaluation_id = body.get("evaluation_id")
    if verb is None or not _is_id(evaluation_id):
        return unavailable("the answer holds no decision")
    if not isinstance(body.get("arguments", {}), dict):
        return unavailable("the arguments in the answer are no object")
    approval = _approval(body.get("approval")) if verb is Verb.REQUIRE_APPROVAL else None
    if verb is Verb.REQUIRE_APPROVAL and approval is None:
        return unavailable("the answer asks for an approval and names none")
    return Decision(
        verb,
        reason=_reason(body),
        code=_text(body.get("code")),
        evaluation_id=evaluation_id,
        arguments=body.get("arguments", arguments),
        is_rewritten="arguments" in body,
        approval=approval,
        matched_rule=_text(body.get("matched_rule")),
        limits=_object(body.get("limits")),
        would_be=_text((_object(body.get("dry_run")) or {}).get("decision")),
    )


def read_resolution(answer: Answer | NoAnswer) -> Decision:
    """The decision in an answer to `/approval/{id}/resolve`."""
    if isinstance(answer, NoAnswer) or not answer.is_success:
        return unavailable(answer.trouble)
    verb = read_verb(answer.body)
    if verb is None:
        return unavailable("the answer holds no decision")
    return Decision(verb, reason=_reason(answer.body), code=_text(answer.body.get("code")))


def read_verb(body: dict[str, Any]) -> Verb | None:
    """The word of a decision; None for one that is not ours."""
    word = body.get("decision")
    return next((verb for verb in Verb if verb.value == word), None)


def _reason(body: dict[str, Any]) -> str:
    feedback = _object(body.get("feedback")) or {}
    return _text(feedback.get("message")) or _text(body.get("reason")) or ""


def _approval(given: object) -> Approval | None:
    asked = _object(given) or {}
    name, timeout_ms = asked.get("id"), asked.get("timeout_ms")
    return Approval(name, timeout_ms) if _is_id(name) and type(timeout_ms) is int and timeout_ms > 0 else None  # type: ignore[arg-type]


def _is_id(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_ID and value.isascii() and value.isprintable()


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _object(value: object) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None
