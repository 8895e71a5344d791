"""Records from the stream `TOOL_CALLS`, one by its place, as the stream's leader tells it."""

from dataclasses import dataclass

from interpose.bus import messages, subjects
from interpose.bus.asker import Asker
from interpose.contracts.approval import ApprovalRecord
from interpose.contracts.record import Record
from interpose.contracts.reply import Replied
from interpose.records.stored import Stored
from interpose_gateway.adapters.keys import message_in
from interpose_gateway.core.evaluated.ports import Unavailable

READ_S = 5.0
"""A record may have 8 MiB, and its answer a third more."""
MOST_SEQUENCE = 2**63
"""Evaluations are named by callers: what no stream can hold is not asked for."""


@dataclass(frozen=True, slots=True)
class LeadersRecords:
    """The core's `RecordReader`."""

    asker: Asker

    async def at(self, sequence: int) -> Record | None:
        """The call's record at this place, None where there is none, or something else. Raises Unavailable."""
        found = await self._stored(sequence)
        return None if found is None else found.record

    async def approval_at(self, sequence: int) -> ApprovalRecord | None:
        """The same for the record of a person's answer."""
        found = await self._stored(sequence)
        return None if found is None else found.approval

    async def _stored(self, sequence: int) -> Stored | None:
        if not 0 < sequence < MOST_SEQUENCE:
            return None
        reply = await self.asker.ask(subjects.RECORD_READ, messages.at(sequence), READ_S)
        if not isinstance(reply, Replied):
            raise Unavailable(f"the broker does not tell record {sequence}: {reply.detail}")
        found = message_in(reply.body, f"record {sequence}")
        return None if found is None else Stored(found.sequence, found.subject, None, 0, found.data)
