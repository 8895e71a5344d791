"""What goes back to an agent that runs its calls itself: a status and a body. Errors are values of one shape."""

from collections.abc import Sequence
from dataclasses import dataclass

from interpose.contracts.call import AnswerError
from interpose.contracts.evaluation import Evaluation, ReportAnswer, ResolveAnswer
from interpose.contracts.protocol_error import STATUS_OF, Error, Failure
from interpose.errors import Fault

RETRY_AFTER_S = 1
WAITING_HELPS = frozenset({Error.TOO_MANY, Error.UNAVAILABLE, Error.UNRESOLVED})


@dataclass(frozen=True, slots=True)
class Told:
    """The reply, and seconds to wait where waiting helps."""

    status: int
    body: Evaluation | ReportAnswer | ResolveAnswer | Failure
    retry_after_s: int | None = None


class TurnedAway(Exception):
    """The request ends here, with one error of the protocol."""

    def __init__(self, error: Error, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.told = failed(error, message, faults)


def failed(error: Error, message: str, faults: Sequence[Fault] = ()) -> Told:
    """An error of the protocol as a reply."""
    failure = Failure(error=error.value, message=message, errors=errors_of_faults(faults))
    return Told(STATUS_OF[error], failure, RETRY_AFTER_S if error in WAITING_HELPS else None)


def errors_of_faults(faults: Sequence[Fault]) -> list[AnswerError]:
    """Faults as the protocol says them."""
    return [
        AnswerError(path=fault.path, message=fault.message, limit=fault.limit, given=fault.given) for fault in faults
    ]
