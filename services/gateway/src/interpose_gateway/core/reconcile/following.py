"""Reading the stream into the ledger: as far as anybody tells, or to its very end as the leader knows it."""

import logging
from dataclasses import dataclass

from interpose.contracts.words import Phase
from interpose_gateway.core.reconcile.ledger import Ledger
from interpose_gateway.core.reconcile.ports import Batch, Pause, RecordStream

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Follower:
    """One kind of call and its ledger."""

    stream: RecordStream
    ledger: Ledger
    pause: Pause

    async def follow(self, most_batches: int) -> bool:
        """Take in what is there, in so many batches at most; whether there may be more. Raises Unavailable."""
        self.ledger.go_back()
        for _ in range(most_batches):
            if not self._took_in(await self.stream.batch(self.ledger.ahead), {}):
                return False
            await self.pause()
        return True

    async def to_the_end(self) -> dict[str, int]:
        """Return when all is taken in that stood in the stream when this was called. Raises Unavailable.

        Which of the open calls that closed, and the places of their after records. A replica may lag behind: what it
        does not tell, the leader does.
        """
        closed: dict[str, int] = {}
        last = await self.stream.last()
        if 0 < last < self.ledger.ahead - 1:
            self._begin_again(last)
        while self.ledger.ahead <= last:
            if not self._took_in(await self.stream.batch(self.ledger.ahead), closed):
                self._took_in(await self.stream.one(self.ledger.ahead), closed)
            await self.pause()
        return closed

    def _took_in(self, batch: Batch, closed: dict[str, int]) -> bool:
        for seen in batch.records:
            if seen.phase is Phase.AFTER and seen.call_id in self.ledger:
                closed[seen.call_id] = seen.sequence
            self.ledger.take_in(seen)
        is_more = batch.next_start > self.ledger.ahead
        self.ledger.go_on(batch.next_start)
        return is_more

    def _begin_again(self, last: int) -> None:
        """The stream ends before what was read of it: it was made anew, and nothing that is known of it holds."""
        log.error("the stream of records ends at %s and was read beyond that: it was made anew", last)
        self.ledger = Ledger(self.ledger.terms, most=self.ledger.most)
