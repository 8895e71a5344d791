"""The claims of calls that agents run, in the bucket `CALLS`: one key to each call, created by compare-and-set.

A claim under work lives for its lease, and is gone when its holder died. A taker that could not learn whether it holds
one leaves it to the lease: the report that comes again waits that long.
"""

from dataclasses import dataclass

from pydantic import ValidationError

from interpose.bus import subjects
from interpose.contracts.model import encode
from interpose_gateway.adapters.keys import Keys
from interpose_gateway.core.evaluated.ports import Claim, Held, Unavailable


@dataclass(frozen=True, slots=True)
class KvClaims:
    """The core's `Claims`, over the bucket's keys."""

    keys: Keys

    async def read(self, call_id: str) -> Held | None:
        """The claim as the leader tells it. Raises Unavailable, also for what is no claim."""
        found = await self.keys.read(subjects.claim(call_id))
        if found is None:
            return None
        try:
            return Held(Claim.model_validate_json(found.data), found.revision)
        except ValidationError as error:
            raise Unavailable(f"what claims call {call_id} is no claim: {error.errors()[0]['msg']}") from error

    async def take(self, call_id: str, claim: Claim, lease_s: float) -> int | None:
        """Create it, for `lease_s`; None where there is one. Raises Unavailable."""
        return await self.keys.write(subjects.claim(call_id), encode(claim), after=0, life_s=lease_s)

    async def finish(self, call_id: str, revision: int, claim: Claim, keep_s: float) -> bool:
        """Replace that revision, which begins a new life; False where it is gone or not ours. Raises Unavailable."""
        key = subjects.claim(call_id)
        return await self.keys.write(key, encode(claim), after=revision, life_s=keep_s) is not None
