"""One claim to each call: whoever ends it holds it, for a lease; what ended it stays known for a while."""

import logging
from dataclasses import dataclass

from interpose.contracts.protocol_error import Error
from interpose.contracts.record import Record
from interpose_gateway.core.evaluated.desk import Desk
from interpose_gateway.core.evaluated.finding import is_open
from interpose_gateway.core.evaluated.ports import Claim, ClaimState, Ended, Unavailable
from interpose_gateway.core.evaluated.told import TurnedAway

POLL_S = 0.2
POLLS = 50
"""How often a report looks whether another gateway is done with the same one, before it is told to come again."""
LEAST_S = 1.0
"""With less of the lease left nothing is written: what is sent now may be stored a little later."""

EXPIRED = "this call is closed: it was not reported in time"
CONFLICT = "another report ended this call: one report counts, and it may be repeated byte for byte"
BUSY = "this very report is being taken; send it again shortly"
LOST = "recording this report took too long; send it again shortly"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Held:
    """A claim of ours. `until_s` is on the monotonic clock."""

    desk: Desk
    call_id: str
    claim: Claim
    revision: int
    until_s: float

    def check(self) -> None:
        """Raises TurnedAway where the lease may be over: then somebody else may be ending the call."""
        if self.until_s - self.desk.stations.clock.monotonic() < LEAST_S:
            raise TurnedAway(Error.UNAVAILABLE, LOST)

    async def finish(self, sequence: int, ended: Ended = Ended.REPORT, digest: str | None = None) -> None:
        """Say what ended the call. The record is durable by now, so nothing depends on this but repeated reports."""
        done = {"state": ClaimState.FINISHED, "sequence": sequence, "ended": ended}
        if digest is not None:
            done["digest"] = digest
        claim = self.claim.model_copy(update=done)
        try:
            is_ours = await self.desk.claims.finish(self.call_id, self.revision, claim, self.desk.open_s)
        except Unavailable as error:
            is_ours = False
            log.warning("the claim of call %s could not be ended: %s", self.call_id, error)
        if not is_ours:
            log.warning("the claim of call %s was over before it could be ended", self.call_id)


async def claim(desk: Desk, before: Record, digest: str, lease_s: float) -> Held | int:
    """A claim of our own; or the place of the after record, where this very report ended the call before.

    Raises TurnedAway (expired, a conflict, still under way) and Unavailable.
    """
    own = Claim(state=ClaimState.CLAIMED, by=desk.instance, ended=Ended.REPORT, digest=digest)
    for _ in range(POLLS):
        taken = await _take(desk, before, own, lease_s)
        if taken is not None:
            return taken
        found = await desk.claims.read(before.call_id)
        if found is not None:
            sequence = _ended_by(found.claim, digest)
            if sequence is not None:
                return sequence
            await desk.pause(POLL_S)
        elif not is_open(desk, before):
            raise TurnedAway(Error.EXPIRED, EXPIRED)
    raise TurnedAway(Error.UNAVAILABLE, BUSY)


async def _take(desk: Desk, before: Record, own: Claim, lease_s: float) -> Held | None:
    if not is_open(desk, before):
        return None
    started_s = desk.stations.clock.monotonic()
    revision = await desk.claims.take(before.call_id, own, lease_s)
    return None if revision is None else Held(desk, before.call_id, own, revision, started_s + lease_s)


def _ended_by(found: Claim, digest: str) -> int | None:
    """The after record's place where this report ended it; None where it is about to."""
    if found.ended is Ended.EXPIRY:
        raise TurnedAway(Error.EXPIRED, EXPIRED)
    if found.digest != digest:
        raise TurnedAway(Error.CONFLICT, CONFLICT)
    return found.sequence if found.state is ClaimState.FINISHED else None
