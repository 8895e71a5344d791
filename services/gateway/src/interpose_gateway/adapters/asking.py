"""Asks over the bus."""

from dataclasses import dataclass

from interpose.bus import subjects
from interpose.bus.asker import Asker
from interpose.bus.outstanding import Repeat
from interpose.contracts.reply import NoReply, Replied
from interpose_gateway.core.ports import Question


@dataclass(frozen=True, slots=True)
class BusAsker:
    """The core's asker over one connection."""

    asker: Asker

    async def ask(self, question: Question) -> Replied | NoReply:
        """One request to the service's queue group, and a second one where the first is late and may be repeated."""
        subject = subjects.ask(question.phase, question.service)
        repeat = Repeat.IF_LATE if question.is_repeatable else Repeat.IF_NOBODY
        return await self.asker.ask(subject, question.body, question.timeout_s, repeat=repeat)
