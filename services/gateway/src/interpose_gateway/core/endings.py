"""How an ask ended, as values. `CutOff` is the call's own limit: it stops the call whatever the fail mode says."""

from dataclasses import dataclass

from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Failure

BUDGET_USED_UP = "budget-used-up"
TOO_LARGE = "too-large"


@dataclass(frozen=True, slots=True)
class Answered:
    """A valid verdict, checked against what the hook declares."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Failed:
    """No verdict, though the hook had its whole timeout. `detail` is a sentence for people."""

    failure: Failure
    detail: str


@dataclass(frozen=True, slots=True)
class CutOff:
    """The call's own limit: its budget ended before the hook's timeout did, or it is larger than hooks can read."""

    detail: str
    code: str = BUDGET_USED_UP


@dataclass(frozen=True, slots=True)
class Skipped:
    """Not asked: the chain had ended before its turn. The call is already stopped by whoever ended it."""


Ending = Answered | Failed | CutOff | Skipped
