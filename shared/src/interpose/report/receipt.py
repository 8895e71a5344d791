"""What became of a report, and whether the agent may see what the tool answered.

`deliver` is true only when the gateway said so of everything that stands in `result`. An agent that cannot hold a
response back ignores it; one that can must not deliver what after hooks have not judged.
"""

from enum import StrEnum
from typing import Any, NamedTuple

from interpose.report.client import Answer
from interpose.report.decision import UNAVAILABLE

DELIVER = "deliver"


class Outcome(StrEnum):
    """What became of a report."""

    FINALISED = "finalised"
    """The gateway has it."""
    KEPT = "kept"
    """It waits in the outbox and is sent again."""
    MISSED = "missed"
    """There was no evaluation to report on, so nothing was sent."""
    REJECTED = "rejected"
    """The gateway will never take it."""
    LOST = "lost"
    """It could neither be sent nor kept."""


class Receipt(NamedTuple):
    """`result` is what was judged, or what hooks made of it: hand on this and not the object that the tool returned."""

    outcome: Outcome
    reason: str = ""
    deliver: bool = False
    result: Any = None
    is_rewritten: bool = False
    code: str | None = None
    audit_record_id: str | None = None
    evidence: tuple[dict[str, Any], ...] = ()


def withhold(outcome: Outcome, trouble: str) -> Receipt:
    """The receipt where nobody judged the response."""
    return Receipt(outcome, f"{UNAVAILABLE}: {trouble}")


def read(answer: Answer, result: Any, *, is_whole: bool) -> Receipt:
    """The receipt of a report that the gateway took. `is_whole`: it saw all that the tool answered."""
    body = answer.body
    deliver = body.get("decision") == DELIVER and is_whole
    return Receipt(
        Outcome.FINALISED,
        reason=_reason(body, deliver=deliver, is_whole=is_whole),
        deliver=deliver,
        result=body.get("result", result) if deliver else None,
        is_rewritten=deliver and "result" in body,
        code=_text(body.get("code")),
        audit_record_id=_text(body.get("audit_record_id")),
        evidence=tuple(entry for entry in _list(body.get("evidence")) if isinstance(entry, dict)),
    )


def _reason(body: dict[str, Any], *, deliver: bool, is_whole: bool) -> str:
    said = _text(body.get("reason"))
    if deliver or said:
        return said or ""
    if not is_whole:
        return "the response is too large to be judged"
    return "the gateway did not say that the response may be delivered"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
