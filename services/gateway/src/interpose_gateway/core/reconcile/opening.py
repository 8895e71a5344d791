"""Which records leave a call open, until when, and what may end it then. Pure."""

from dataclasses import dataclass
from enum import Enum, auto

from interpose.contracts.record import Runner
from interpose.contracts.words import Decision, Phase
from interpose_gateway.core.reconcile.ports import Seen


class Kind(Enum):
    """Why a call is open."""

    EVALUATION = auto()
    """Its agent may run it, and has to report."""
    QUESTION = auto()
    """A person is asked. It is open only if the answer was yes; without one there is nothing to close."""
    ORPHAN = auto()
    """Its gateway owes the after record: it runs the call, or had to close it at once."""


@dataclass(frozen=True, slots=True)
class Terms:
    """`slack_s`: for clocks that differ, and reports that are being taken. `orphan_after_s`: no call lasts longer."""

    slack_s: float
    orphan_after_s: float


@dataclass(frozen=True, slots=True)
class Open:
    """A call without an after record. `due_s`: from when on, by the wall clock, it has to be closed."""

    call_id: str
    sequence: int
    kind: Kind
    due_s: float


def opened_by(seen: Seen, terms: Terms) -> Open | None:
    """The call that this record leaves open; None where no after record is to follow."""
    if seen.phase is not Phase.BEFORE:
        return None
    if seen.runner is Runner.AGENT and seen.open_until_s is not None:
        kind = {Decision.RUN: Kind.EVALUATION, Decision.ASK: Kind.QUESTION}.get(seen.decision)
        due_s = seen.open_until_s + terms.slack_s
    else:
        kind = Kind.ORPHAN if seen.decision is Decision.RUN else None
        due_s = seen.at_s + terms.orphan_after_s
    return None if kind is None else Open(seen.call_id, seen.sequence, kind, due_s)
