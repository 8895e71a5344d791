"""Records into the stream `TOOL_CALLS`: durable when the server acknowledged them, which it does after its sync."""

import asyncio
import logging
from dataclasses import dataclass, field

import orjson

from interpose.bus import headers, subjects
from interpose.bus.asker import Asker
from interpose.contracts.approval import ApprovalRecord
from interpose.contracts.limits import MIB
from interpose.contracts.model import encode_fields
from interpose.contracts.record import Record, Runner, ShadowRecord
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure, Phase
from interpose_gateway.core.ports import RecordImpossible
from interpose_gateway.core.records import without_values

ATTEMPT_S = 2.0
ATTEMPTS = 2
OWED_WAIT_S = (0.2, 0.5, 1, 2, 5, 10)
MOST_OWED = 10_000
MOST_OWED_BYTES = 64 * MIB
"""Every refusal is owed while the store is away: a long absence must not fill the memory."""
HEADERS_ROOM = 1024
"""The broker counts a message's headers with its body."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Letter:
    """A record ready to be sent. `is_contested`: somebody else may write it, so one that stands need not be ours."""

    subject: str
    message_id: str
    body: bytes
    is_contested: bool = False


@dataclass(slots=True)
class StreamRecorder:
    """Writes each record once: `Nats-Msg-Id` is call id and phase, and a repeat of our own bytes is the same record."""

    asker: Asker
    _owed: set[asyncio.Task[None]] = field(default_factory=set)
    _owed_bytes: int = 0

    @property
    def owed(self) -> int:
        """Records that are not durable yet and are still being tried."""
        return len(self._owed)

    async def write(self, record: Record, timeout_s: float) -> int:
        """Its sequence, when the stream has it on disk. Raises RecordImpossible, at the latest after `timeout_s`."""
        return await self._write(_letter(record, encode(record)), timeout_s)

    async def write_approval(self, record: ApprovalRecord, timeout_s: float) -> int:
        """The same for a person's answer, one to each call."""
        body, once = orjson.dumps(record.to_wire()), f"{record.call_id}.approval"
        return await self._write(Letter(subjects.APPROVAL_RECORDS, once, body, is_contested=True), timeout_s)

    async def _write(self, letter: Letter, timeout_s: float) -> int:
        maybe_stored, why = False, ""
        if len(letter.body) > self._most:
            why = f"it has {len(letter.body)} bytes and the broker takes {self._most}"
            raise RecordImpossible(why, maybe_stored=False)
        left_s = timeout_s
        for _ in range(ATTEMPTS):
            attempt_s = min(ATTEMPT_S, left_s)
            reply = await self._publish(letter, attempt_s)
            left_s -= attempt_s
            if isinstance(reply, Replied):
                may_be_repeat = maybe_stored and not letter.is_contested
                return _check(reply, maybe_stored=maybe_stored, may_be_repeat=may_be_repeat)
            maybe_stored, why = maybe_stored or reply.was_sent, _why(reply)
            if reply.failure is not Failure.DEADLINE_EXCEEDED or left_s <= 0:
                break
        raise RecordImpossible(f"the stream did not confirm it: {why}", maybe_stored=maybe_stored)

    def owe(self, *records: Record) -> None:
        """Keep trying in the background, in this order; what no stream would take whole goes without its values."""
        owed = [(record, self._fitting(record)) for record in records]
        size = sum(len(body) for _, body in owed)
        if len(self._owed) >= MOST_OWED or self._owed_bytes + size > MOST_OWED_BYTES:
            for record in records:
                log.error("the %s record of call %s is lost: too many are owed", record.phase, record.call_id)
            return
        self._owed_bytes += size
        task = asyncio.create_task(self._pay(owed, size))
        self._owed.add(task)
        task.add_done_callback(self._owed.discard)

    async def note(self, record: ShadowRecord) -> bool:
        """Publish it once; whether the stream has it."""
        body, once = orjson.dumps(record.to_wire()), f"{record.call_id}.{record.phase}.shadow"
        reply = await self._publish(Letter(subjects.shadow_record(record.tool), once, body), ATTEMPT_S)
        return isinstance(reply, Replied) and _settles(reply)

    async def drain(self, timeout_s: float) -> int:
        """Wait for what is owed; returns how many records stay unwritten."""
        if self._owed:
            await asyncio.wait(self._owed, timeout=timeout_s)
        for task in set(self._owed):
            task.cancel()
        return self.owed

    async def _pay(self, owed: list[tuple[Record, bytes]], size: int) -> None:
        try:
            for record, body in owed:
                await self._insist(record, body)
        finally:
            self._owed_bytes -= size

    async def _insist(self, record: Record, body: bytes) -> None:
        attempt = 0
        while True:
            reply = await self._publish(_letter(record, body), ATTEMPT_S)
            if isinstance(reply, Replied) and _settles(reply):
                log.warning("the %s record of call %s is durable now", record.phase, record.call_id)
                return
            await asyncio.sleep(OWED_WAIT_S[min(attempt, len(OWED_WAIT_S) - 1)])
            attempt += 1

    @property
    def _most(self) -> int:
        return self.asker.client.max_payload - HEADERS_ROOM

    def _fitting(self, record: Record) -> bytes:
        whole = encode(record)
        return whole if len(whole) <= self._most else encode(without_values(record, len(whole), self._most))

    async def _publish(self, letter: Letter, timeout_s: float) -> Replied | NoReply:
        own = {headers.MESSAGE_ID: letter.message_id, headers.EXPECTED_STREAM: subjects.RECORDS_STREAM}
        return await self.asker.ask(letter.subject, letter.body, timeout_s, own)


def _letter(record: Record, body: bytes) -> Letter:
    is_agents = record.runner is Runner.AGENT
    to = subjects.agent_record if is_agents else subjects.record
    once = f"{record.call_id}.{record.phase}"
    return Letter(to(record.phase, record.tool), once, body, is_agents and record.phase is Phase.AFTER)


def encode(record: Record) -> bytes:
    """The record's bytes: those of `to_wire()`, without the detour through a copy of everything in it."""
    fields = {"schema": record.record_schema, **vars(record)}
    del fields["record_schema"]
    return encode_fields(fields)


def _check(reply: Replied, *, maybe_stored: bool, may_be_repeat: bool) -> int:
    ack = _ack(reply)
    if "error" in ack or ack.get("stream") != subjects.RECORDS_STREAM:
        raise RecordImpossible(f"the stream refused it: {ack.get('error')}", maybe_stored=maybe_stored)
    sequence = ack.get("seq")
    if not isinstance(sequence, int):
        raise RecordImpossible("the stream does not say where it stands", maybe_stored=True)
    if ack.get("duplicate") and not may_be_repeat:
        # What stands in the stream may be somebody else's bytes. Ours do where only their acknowledgement was lost.
        raise RecordImpossible(
            "another record stands under this call's id", maybe_stored=maybe_stored, stands_at=sequence
        )
    return sequence


def _settles(reply: Replied) -> bool:
    ack = _ack(reply)
    return "error" not in ack and ack.get("stream") == subjects.RECORDS_STREAM


def _ack(reply: Replied) -> dict[str, object]:
    try:
        ack = orjson.loads(reply.body)
    except ValueError:
        return {"error": "the acknowledgement is no JSON"}
    return ack if isinstance(ack, dict) else {"error": "the acknowledgement is no object"}


def _why(reply: NoReply) -> str:
    if reply.failure is Failure.NO_RESPONDERS:
        return f"no stream {subjects.RECORDS_STREAM} listens; interpose up makes it"
    return reply.detail
