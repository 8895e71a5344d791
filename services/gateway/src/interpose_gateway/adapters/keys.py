"""Keys of a bucket: read from the leader, written by compare-and-set, each with a life of its own (NATS ADR-8, ADR-43).

A key whose life is over is gone without a trace, so that the next one may be created at once. The broker counts lives
in whole seconds by its own clock, from when it stored the value; a life that began before it was restarted goes on.

A write that nobody confirmed may have arrived, or arrive yet. It is sent once more; where the broker then says that
something stands there, its mark tells whether that is our own. What cannot be told is raised.
"""

import math
from dataclasses import dataclass

import orjson

from interpose.bus import headers, messages
from interpose.bus.asker import Asker
from interpose.contracts.ids import secret
from interpose.contracts.reply import Replied
from interpose.contracts.words import Failure
from interpose_gateway.core.evaluated.ports import Unavailable

ATTEMPT_S = 2.0
ATTEMPTS = 2
CHANGED_MEANWHILE = frozenset({10071, 10164})
"""The broker's codes for a last sequence that is not the expected one; the second where another write is on its way."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands under a key, and its revision to change it by."""

    revision: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of the bucket whose stream is `stream`, over one connection's asker. Safe for any number at once."""

    asker: Asker
    stream: str
    read_subject: str

    async def read(self, key: str) -> Entry | None:
        """What stands there now, by the leader. Raises Unavailable."""
        found = await self._message(key)
        return None if found is None else Entry(found.sequence, found.data)

    async def write(self, key: str, data: bytes, *, after: int | None, life_s: float | None = None) -> int | None:
        """The new revision; None where `after` (0: nothing, None: whatever) is not what stands there any more.

        It lives for `life_s`, rounded up to a second, or for good. Raises Unavailable; then it may have arrived.
        """
        mark, is_out, why = secret(), False, ""
        sent = self._headers(mark, after, life_s)
        for _ in range(ATTEMPTS):
            reply = await self.asker.ask(key, data, ATTEMPT_S, sent)
            if isinstance(reply, Replied):
                revision = _stored_at(reply.body, self.stream)
                return await self._own(key, mark) if revision is None and is_out else revision
            is_out, why = is_out or reply.was_sent, reply.detail
            if reply.failure is not Failure.DEADLINE_EXCEEDED:
                break
        raise Unavailable(f"the broker did not confirm {key}: {why}")

    def _headers(self, mark: str, after: int | None, life_s: float | None) -> dict[str, str]:
        sent = {headers.EXPECTED_STREAM: self.stream, headers.ATTEMPT: mark}
        if after is not None:
            sent[headers.EXPECTED_LAST] = str(after)
        if life_s is not None:
            sent[headers.LIFE] = str(max(1, math.ceil(life_s)))
        return sent

    async def _own(self, key: str, mark: str) -> int | None:
        """Whether what stands there came of an attempt of ours that nobody confirmed."""
        found = await self._message(key)
        is_ours = found is not None and found.header(headers.ATTEMPT) == mark
        return found.sequence if found is not None and is_ours else None

    async def _message(self, key: str) -> messages.Message | None:
        reply = await self.asker.ask(self.read_subject, messages.last_of(key), ATTEMPT_S)
        if not isinstance(reply, Replied):
            raise Unavailable(f"the broker does not tell {key}: {reply.detail}")
        return message_in(reply.body, key)


def message_in(body: bytes, what: str) -> messages.Message | None:
    """The message in the leader's answer, None where none stands there. Raises Unavailable."""
    try:
        found = messages.read_message(body)
    except ValueError as error:
        raise Unavailable(f"the broker's answer about {what} cannot be read: {error}") from error
    if isinstance(found, messages.Message):
        return found
    if found.code == messages.NO_MESSAGE:
        return None
    raise Unavailable(f"the broker does not tell {what}: {found.said}")


def _stored_at(body: bytes, stream: str) -> int | None:
    """The revision in an acknowledgement; None where something else stood there. Raises Unavailable."""
    try:
        ack = orjson.loads(body)
        error = ack.get("error")
        if error is None and ack["stream"] == stream:
            return int(ack["seq"])
        if error is not None and error.get("err_code") in CHANGED_MEANWHILE:
            return None
    except (ValueError, KeyError, TypeError, AttributeError) as unreadable:
        raise Unavailable(f"the broker's acknowledgement cannot be read: {unreadable!r}") from unreadable
    raise Unavailable(f"the broker does not write to {stream}: {error}")
