"""The after record of a call that nobody ended, built from its before record. Pure."""

from datetime import datetime

from interpose.contracts.ids import call_id as new_id
from interpose.contracts.record import Producer, Record
from interpose.contracts.words import Decision, Outcome, Phase
from interpose_gateway.core.reconcile.opening import Kind

EXPIRED = "evaluation-expired"
LOST = "gateway-lost"
_REASONS = {
    EXPIRED: "its agent was allowed to run it and never reported what came of it",
    LOST: "its gateway stopped before it could say what came of it; nobody knows whether the tool ran",
}
_CODES = {Kind.EVALUATION: EXPIRED, Kind.QUESTION: EXPIRED, Kind.ORPHAN: LOST}
_OUTCOMES = {EXPIRED: Outcome.EXPIRED, LOST: Outcome.UNKNOWN}


def after_record(before: Record, kind: Kind, at: datetime, producer: Producer) -> Record:
    """Its after record: nothing was judged and nothing is delivered. It is smaller than the before record."""
    code = _CODES[kind]
    return before.model_copy(
        update={
            "record_id": new_id(),
            "phase": Phase.AFTER,
            "at": at,
            "original": None,
            "changes": [],
            "final": None,
            "final_digest": None,
            "hooks": [],
            "decision": Decision.WITHHOLD,
            "decided_by": None,
            "reason": _REASONS[code],
            "code": code,
            "outcome": _OUTCOMES[code],
            "warnings": [],
            "producer": producer,
            "open_until": None,
        }
    )


def alarm_about(record: Record) -> str:
    """The sentence for the operator."""
    return f"call {record.call_id} of tool {record.tool} by client {record.client}: {record.reason}"
