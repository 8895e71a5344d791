"""What calls that agents run need from outside: the stream's records, and one claim to each call.

The state of such a call between its evaluation and its report is its before record in the stream, and nothing else: an
`evaluation_id` is `<call_id>.<sequence>`, so any gateway finds it. Whoever ends the call (a report, a person's no, the
reconciler) first holds its claim.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from interpose.contracts.approval import ApprovalRecord
from interpose.contracts.evaluation import ApprovalScope, Resolution
from interpose.contracts.model import Closed
from interpose.contracts.record import Record


class Unavailable(Exception):
    """The bus does not answer: nothing can be told about the call now. The message says why."""


class ClaimState(StrEnum):
    """`claimed`: somebody is ending the call now. `finished`: its after record is durable."""

    CLAIMED = "claimed"
    FINISHED = "finished"


class Ended(StrEnum):
    """What ended the call."""

    REPORT = "report"
    EXPIRY = "expiry"


class Claim(Closed):
    """The value of a claim. `sequence` is the after record's place in the stream, once it is there."""

    state: ClaimState
    by: str
    """The gateway's instance."""
    ended: Ended
    digest: str | None = None
    """Of the report, without regard to the order of its keys."""
    sequence: int | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """A claim as it stands, and its revision to change it by."""

    claim: Claim
    revision: int


class Claims(Protocol):
    """One claim to each call, decided by compare-and-set. A claim ends by itself when its holder died."""

    async def read(self, call_id: str) -> Held | None:
        """The claim, or None when nobody holds one. Raises Unavailable."""
        ...

    async def take(self, call_id: str, claim: Claim, lease_s: float) -> int | None:
        """The claim's revision when it is ours now, for `lease_s`; None when somebody holds one. Raises Unavailable.

        After an unconfirmed attempt of our own it may be ours although this raised: it ends with its lease.
        """
        ...

    async def finish(self, call_id: str, revision: int, claim: Claim, keep_s: float) -> bool:
        """Replace what we hold, and keep it for `keep_s`; False when it is not ours any more. Raises Unavailable."""
        ...


class Answered(Closed):
    """A person's answer to the question about one call, and what the call's second plan made of a yes."""

    resolution: Resolution
    resolved_by: str | None = None
    reason: str | None = None
    scope: ApprovalScope | None = None
    by: str
    runs: bool
    """Whether the call may run: approved, and not refused when it was planned again."""
    code: str | None = None
    why: str | None = None
    record_id: str | None = None


class Approvals(Protocol):
    """One answer to each question, the first that came."""

    async def read(self, call_id: str) -> Answered | None:
        """The answer, or None when nobody gave one. Raises Unavailable."""
        ...

    async def answer(self, call_id: str, answered: Answered, keep_s: float) -> bool:
        """Keep the answer; False when there is one already. Raises Unavailable."""
        ...


class RecordReader(Protocol):
    """Reads the stream of records, from its leader."""

    async def at(self, sequence: int) -> Record | None:
        """The call's record at this place, or None where there is none, or something else. Raises Unavailable."""
        ...

    async def approval_at(self, sequence: int) -> ApprovalRecord | None:
        """The same for the record of a person's answer. Raises Unavailable."""
        ...


class ApprovalRecorder(Protocol):
    """Makes the records of people's answers durable, one to each call."""

    async def write_approval(self, record: ApprovalRecord, timeout_s: float) -> int:
        """Its place in the stream. Raises RecordImpossible, with the place where one stands already."""
        ...


class EvidenceStore(Protocol):
    """Keeps what a session's calls established."""

    async def keep(self, tenant: str, session: str, key: str, data: object, ttl_s: int) -> bool:
        """Whether it is durable now. Never raises for what the bus does or does not do."""
        ...


class Tally(Protocol):
    """Counts what agents ask and report; must never raise."""

    def evaluated(self, verb: str) -> None:
        """One evaluation or install was decided."""
        ...

    def reported(self, ending: str) -> None:
        """What became of one report: `recorded`, `repeated`, `final`, or an error of the protocol."""
        ...

    def resolved(self, resolution: str) -> None:
        """A question got its answer."""
        ...
