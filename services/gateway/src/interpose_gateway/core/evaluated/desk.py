"""What all requests of agents that run their own tools need: where calls pass, and what is kept between them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from interpose.contracts.protocol_error import Error
from interpose_gateway.core.evaluated.ports import (
    ApprovalRecorder,
    Approvals,
    Claims,
    EvidenceStore,
    RecordReader,
    Tally,
)
from interpose_gateway.core.evaluated.told import TurnedAway
from interpose_gateway.core.ports import Registry
from interpose_gateway.core.registry import Revision
from interpose_gateway.core.stations import Stations


@dataclass(frozen=True, slots=True)
class Desk:
    """Shared by all requests. `open_s`: how long an agent may take to report. `pause` waits so many seconds."""

    registry: Registry
    stations: Stations
    tally: Tally
    records: RecordReader
    claims: Claims
    approvals: Approvals
    approval_records: ApprovalRecorder
    evidence: EvidenceStore
    pause: Callable[[float], Awaitable[None]]
    instance: str
    open_s: float

    def confirmed(self) -> Revision:
        """The revision in force. Raises TurnedAway: without one nothing can be decided."""
        revision = self.registry.confirmed()
        if revision is None:
            raise TurnedAway(Error.UNAVAILABLE, self.registry.trouble())
        return revision
