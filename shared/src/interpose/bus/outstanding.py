"""One ask that waits: what was sent of it, what came back, and which of that is its answer."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from interpose.bus import replies
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure


class Repeat(StrEnum):
    """How often an ask may be sent. `IF_NOBODY`: again where the broker says that no worker had it, so none has it
    twice. `IF_LATE`: that, and once more after a third of its time, so that two workers may have it."""

    NEVER = "never"
    IF_NOBODY = "if-nobody"
    IF_LATE = "if-late"


@dataclass(slots=True)
class Outstanding:
    """An ask and its copies, each with an inbox token of its own that is heard once.

    The first reply of a worker that is no error ends the ask, whatever is in it: a second opinion on a bad verdict is
    never sought. An error ends it when no other copy is out; that nobody had a copy says nothing about another one.
    `again` sends a copy that the broker had no worker for a second time, and is used once.
    """

    subject: str
    answer: asyncio.Future[Replied | NoReply]
    again: Callable[[], None] | None = None
    tokens: list[str] = field(default_factory=list)
    _copies: int = 0
    _kept: NoReply | None = None

    def sent(self, token: str) -> str:
        """One copy more is out, with this token."""
        self._copies += 1
        self.tokens.append(token)
        return token

    def hear(self, reply: Replied | NoReply) -> None:
        """What one copy came to."""
        if isinstance(reply, Replied):
            self.end(reply)
            return
        self._copies -= 1
        had_nobody = reply.failure is Failure.NO_RESPONDERS
        if had_nobody and self._copies == 0 and self._kept is None and self.again is not None:
            again, self.again = self.again, None
            again()
            return
        if self._kept is None and not had_nobody:
            self._kept = reply
        if self._copies == 0:
            self.end(self._kept or reply)

    def expire(self, timeout_s: float) -> None:
        """Nothing that counts came in time."""
        self.end(self._kept or replies.not_in_time(timeout_s))

    def end(self, answer: Replied | NoReply) -> None:
        """Only the first end counts."""
        if not self.answer.done():
            self.answer.set_result(answer)
