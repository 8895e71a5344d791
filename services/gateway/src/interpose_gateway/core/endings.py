"""How an ask ended, as values. `CutOff` is the call's own limit: it stops the call whatever the fail mode says."""

from dataclasses import dataclass

from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Failure

BUDGET_USED_UP = "budget-used-up"
TOO_LARGE = "too-large"
CUT_OFF_WORD = "cut_off"
NOT_ASKED_WORD = "not_asked"


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


@dataclass(frozen=True, slots=True)
class Unmet:
    """Not asked: a hook that it needs did not end well. `need` is that hook's name, `word` how it ended."""

    need: str
    word: str

    @property
    def detail(self) -> str:
        """A sentence for people."""
        return f"it was not asked, because {self.need}, which it needs, gave no yes ({self.word})"


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """Not asked: its own condition says that this call is none of its business."""


Ending = Answered | Failed | CutOff | Skipped | Unmet | NotApplicable


def ending_word(ending: Ending) -> str:
    """The ending in one word of a closed set: a verdict, a failure, `cut_off`, `not_asked` or `not_applicable`."""
    match ending:
        case Answered(verdict):
            return verdict.verdict.value
        case Failed(failure, _):
            return failure.value
        case CutOff():
            return CUT_OFF_WORD
        case Skipped() | Unmet():
            return NOT_ASKED_WORD
        case NotApplicable():
            return "not_applicable"


def reason_of(ending: Ending) -> str | None:
    """The sentence that goes with an ending."""
    match ending:
        case Answered(verdict):
            return verdict.reason
        case Failed(_, detail) | CutOff(detail):
            return detail
        case Unmet():
            return ending.detail
        case Skipped() | NotApplicable():
            return None
