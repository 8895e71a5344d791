"""Asks over the bus."""

from dataclasses import dataclass

from interpose.bus import subjects
from interpose.bus.asker import Asker
from interpose.contracts.reply import NoReply, Replied
from interpose_gateway.core.ports import Question


@dataclass(frozen=True, slots=True)
class BusAsker:
    """The core's asker over one connection."""

    asker: Asker

    async def ask(self, question: Question) -> Replied | NoReply:
        """One request to the service's queue group."""
        subject = subjects.ask(question.phase, question.service)
        return await self.asker.ask(subject, question.body, question.timeout_s)
