"""The records of one kind of call, as reconciling sees them: in batches from anybody, one by one from the leader."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import ValidationError

from interpose.bus import headers, messages, subjects
from interpose.bus.asker import Asker
from interpose.contracts.model import Open
from interpose.contracts.record import Runner
from interpose.contracts.reply import Replied
from interpose.contracts.words import Decision, Phase
from interpose_gateway.adapters.keys import message_in
from interpose_gateway.adapters.reconcile.batches import Batches, Piece
from interpose_gateway.core.evaluated.ports import Unavailable
from interpose_gateway.core.reconcile.ports import Batch, Seen

READ_S = 5.0


class Head(Open):
    """What of a before record says whether its call is open; whatever else stands in it is not looked at."""

    call_id: str
    decision: Decision
    at: datetime
    runner: Runner = Runner.GATEWAY
    open_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class CallRecords:
    """The core's `RecordStream`: the records below one subject with wildcards."""

    asker: Asker
    batches: Batches
    subject: str

    async def last(self) -> int:
        """The place of the latest, by the leader; 0 where there is none. Raises Unavailable."""
        found = await self._ask(messages.last_of(self.subject))
        return 0 if found is None else found.sequence

    async def batch(self, start: int) -> Batch:
        """Some from there on. Raises Unavailable."""
        return _batch(await self.batches.read(self.subject, start), start)

    async def one(self, start: int) -> Batch:
        """The first from there on, by the leader. Raises Unavailable."""
        found = await self._ask(messages.next_of(self.subject, start))
        if found is None:
            return Batch((), start)
        return _batch([Piece(found.sequence, found.subject, found.header(headers.MESSAGE_ID), found.data)], start)

    async def _ask(self, request: bytes) -> messages.Message | None:
        reply = await self.asker.ask(subjects.RECORD_READ, request, READ_S)
        if not isinstance(reply, Replied):
            raise Unavailable(f"the broker does not tell its records: {reply.detail}")
        return message_in(reply.body, f"the records {self.subject}")


def seen_in(piece: Piece) -> Seen | None:
    """What reconciling has to know of it; None where it is no record of a call."""
    phase = (piece.subject.split(".") + [""] * 3)[2]
    call_id, _, written = (piece.message_id or "").rpartition(".")
    if phase == Phase.AFTER and written == Phase.AFTER and call_id:
        # Its id says all that matters, and it may be long.
        return Seen(piece.sequence, call_id, Phase.AFTER, Decision.WITHHOLD, Runner.AGENT, 0)
    if phase not in {*Phase}:
        return None
    try:
        head = Head.model_validate_json(piece.data)
    except ValidationError:
        return None
    until_s = None if head.open_until is None else head.open_until.timestamp()
    at_s = head.at.timestamp()
    return Seen(piece.sequence, head.call_id, Phase(phase), head.decision, head.runner, at_s, until_s)


def _batch(pieces: Sequence[Piece], start: int) -> Batch:
    seen = tuple(each for each in map(seen_in, pieces) if each is not None)
    return Batch(seen, pieces[-1].sequence + 1 if pieces else start)
