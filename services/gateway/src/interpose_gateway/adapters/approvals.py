"""People's answers about calls that agents run, in the bucket `CALLS`: the first that came stands."""

from dataclasses import dataclass

from pydantic import ValidationError

from interpose.bus import subjects
from interpose.contracts.model import encode
from interpose_gateway.adapters.keys import Keys
from interpose_gateway.core.evaluated.ports import Answered, Unavailable


@dataclass(frozen=True, slots=True)
class KvApprovals:
    """The core's `Approvals`, over the bucket's keys."""

    keys: Keys

    async def read(self, call_id: str) -> Answered | None:
        """The answer as the leader tells it. Raises Unavailable, also for what is no answer: it is not a no either."""
        found = await self.keys.read(subjects.approval(call_id))
        if found is None:
            return None
        try:
            return Answered.model_validate_json(found.data)
        except ValidationError as error:
            raise Unavailable(f"the answer about call {call_id} is none: {error.errors()[0]['msg']}") from error

    async def answer(self, call_id: str, answered: Answered, keep_s: float) -> bool:
        """Create it; False where there is one. Raises Unavailable."""
        key = subjects.approval(call_id)
        return await self.keys.write(key, encode(answered), after=0, life_s=keep_s) is not None
