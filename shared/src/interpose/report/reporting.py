"""Reporting the end of a call: its claim, one snapshot of what came of it, the report that fits, and its delivery.

May raise what the disk or the interpreter raises; `Gate` turns that into a receipt.
"""

from typing import Any, NamedTuple

from interpose.report import log
from interpose.report.claims import Call, Claims, Reservation
from interpose.report.counters import Counted, Counters
from interpose.report.courier import Courier
from interpose.report.evidence import find
from interpose.report.failure import text_of
from interpose.report.receipt import Outcome, Receipt, read, withhold
from interpose.report.settings import Settings
from interpose.report.shedding import ERROR_CUT, MOST_BYTES, MOST_VALUES, RESULT, Draft, Part, encode, fit
from interpose.report.snapshot import take

SUCCESS, ERROR, NOT_EXECUTED = "success", "error", "not_executed"
STATUSES = (SUCCESS, ERROR, NOT_EXECUTED)
ABSENT: Any = object()
"""No result was given; None is one."""
LONGEST_DURATION_MS = 1e12


class Ending(NamedTuple):
    """How a call ended. `status` empty: an error where there is an `error`, else a success."""

    call: Call
    result: object = ABSENT
    error: object = None
    status: str = ""
    duration_ms: object = None

    @property
    def said_status(self) -> str:
        """The status to report. Raises ValueError for a word that is none."""
        if self.status and self.status not in STATUSES:
            raise ValueError(f"a status is one of {', '.join(STATUSES)}")
        return self.status or (SUCCESS if self.error is None else ERROR)


class Reports:
    """The reports of one origin."""

    def __init__(self, settings: Settings, claims: Claims, courier: Courier, counters: Counters) -> None:
        self._settings = settings
        self._claims = claims
        self._courier = courier
        self._counters = counters

    def report(self, ending: Ending) -> Receipt:
        """Report the end of a call that was evaluated. Of one that was not, nothing is sent."""
        status = ending.said_status
        found = self._claims.claim(ending.call)
        if found is None:
            self._counters.count(Counted.MISSED)
            log.warning("a call of %s ended that was not evaluated, or more than ten minutes ago", ending.call.tool)
            return withhold(Outcome.MISSED, "this call was not evaluated, or too long ago")
        draft, judged = self._draft(found, ending, status)
        payload = fit(draft)
        self._counters.count(Counted.SHED, int(bool(payload.shed)))
        self._counters.count(Counted.TRUNCATED, int(ERROR_CUT in payload.shed))
        delivery = self._courier.send(payload.body)
        if delivery.answer is None:
            return withhold(delivery.outcome, delivery.trouble)
        return read(delivery.answer, judged, is_whole=payload.is_whole)

    def _draft(self, found: Reservation, ending: Ending, status: str) -> tuple[Draft, Any]:
        """All that there is to say, and the result as the gateway will judge it."""
        core = {"evaluation_id": found.evaluation_id, "status": status, **_duration(ending.duration_ms)}
        draft = Draft(core, error=None if ending.error is None else text_of(ending.error))
        if status == SUCCESS:
            draft = draft._replace(evidence=find(ending.result, found.tool, self._settings.evidence))
        if ending.result is ABSENT or status == NOT_EXECUTED:
            return draft, None
        taken = take(ending.result, MOST_BYTES, MOST_VALUES)
        if taken is None:
            return draft._replace(shed=(RESULT,)), None
        return draft._replace(result=Part(encode(taken.value), taken.values)), taken.value


def _duration(given: object) -> dict[str, int | float]:
    """The duration, where what was given is one."""
    if type(given) not in (int, float) or not 0 <= given <= LONGEST_DURATION_MS:  # type: ignore[operator]
        return {}
    return {"duration_ms": given}  # type: ignore[dict-item]
