"""One record of each phase, whatever the broker confirms: what stands already, and whose it may be."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from interpose.bus import headers
from interpose.contracts.approval import ApprovalRecord
from interpose.contracts.ask import Context
from interpose.contracts.evaluation import Resolution
from interpose.contracts.record import Producer, Record, RecordedNative, Runner
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Decision, Failure, Phase
from interpose_gateway.adapters.recording import StreamRecorder
from interpose_gateway.core.ports import RecordImpossible

AT = datetime(2026, 11, 21, tzinfo=UTC)
SILENCE = NoReply(Failure.DEADLINE_EXCEEDED, "no answer", was_sent=True)


class Broker:
    """Answers each publish as it is told, and remembers what came."""

    client = SimpleNamespace(max_payload=8 * 1024 * 1024)

    def __init__(self, *replies: Replied | NoReply) -> None:
        self._replies, self.sent = list(replies), list[tuple[str, dict[str, str]]]()

    async def ask(self, subject: str, _body: bytes, _timeout_s: float, own: dict[str, str]) -> Replied | NoReply:
        """One publish."""
        self.sent.append((subject, own))
        return self._replies.pop(0)


def ack(sequence: int, **more: Any) -> Replied:
    """The stream has it."""
    return Replied(orjson.dumps({"stream": "TOOL_CALLS", "seq": sequence} | more), "")


def record(phase: Phase, runner: Runner) -> Record:
    """A record of the call c."""
    return Record(
        record_id="r",
        call_id="c",
        phase=phase,
        at=AT,
        revision=1,
        registry_digest=None,
        client="local",
        context=Context(),
        tool="Bash",
        action=None,
        kind="Execute",
        native=RecordedNative(tool="Bash", digest="sha256:0"),
        original=None,
        final=None,
        final_digest=None,
        decision=Decision.RUN,
        trace_id=None,
        span_id=None,
        producer=Producer(instance="gateway-1", sequence=1),
        runner=runner,
    )


ANSWER = ApprovalRecord(
    record_id="a",
    call_id="c",
    evaluation_id="c.1",
    at=AT,
    what="approved Bash",
    by="patrick",
    resolution=Resolution.APPROVED,
    resolved_by="patrick",
    said=None,
    scope=None,
    resolver="local",
    client="local",
    tool="Bash",
    action=None,
    revision=1,
    registry_digest=None,
    decision=Decision.RUN,
    decided_by=None,
    code=None,
    reason=None,
    final_digest=None,
    trace_id=None,
    span_id=None,
    producer=Producer(instance="gateway-1", sequence=1),
)


async def stands_at(broker: Broker, what: Record | ApprovalRecord) -> tuple[int | None, bool]:
    """Where something stands already, and whether it may be ours, as the recorder says."""
    recorder = StreamRecorder(broker)
    with pytest.raises(RecordImpossible) as impossible:
        await (recorder.write(what, 5) if isinstance(what, Record) else recorder.write_approval(what, 5))
    return impossible.value.stands_at, impossible.value.maybe_stored


@pytest.mark.parametrize(
    ("what", "subject", "once"),
    [
        (record(Phase.BEFORE, Runner.GATEWAY), "tool.record.before.Bash", "c.before"),
        (record(Phase.AFTER, Runner.AGENT), "tool.record.after.Bash.agent", "c.after"),
        (ANSWER, "tool.record.approval", "c.approval"),
    ],
)
async def test_each_kind_has_its_subject_and_its_message_id(what: Any, subject: str, once: str) -> None:
    """So that there is one to each call and phase, and one answer to each question."""
    broker = Broker(ack(7))
    recorder = StreamRecorder(broker)

    sequence = await (recorder.write(what, 5) if isinstance(what, Record) else recorder.write_approval(what, 5))

    assert (7, [(subject, once)]) == (sequence, [(to, own[headers.MESSAGE_ID]) for to, own in broker.sent])


@pytest.mark.parametrize("what", [record(Phase.AFTER, Runner.AGENT), record(Phase.BEFORE, Runner.GATEWAY), ANSWER])
async def test_what_stood_before_the_first_attempt_is_somebody_elses(what: Any) -> None:
    """And it is told where."""
    assert (7, False) == await stands_at(Broker(ack(7, duplicate=True)), what)


@pytest.mark.parametrize("what", [record(Phase.AFTER, Runner.AGENT), ANSWER])
async def test_what_others_may_write_is_not_taken_for_ours(what: Any) -> None:
    """Behind an attempt that nobody confirmed it may be ours or another's: whoever asked looks at it."""
    assert (7, True) == await stands_at(Broker(SILENCE, ack(7, duplicate=True)), what)


@pytest.mark.parametrize(
    "what", [record(phase, Runner.GATEWAY) for phase in Phase] + [record(Phase.BEFORE, Runner.AGENT)]
)
async def test_what_nobody_else_writes_is_ours(what: Record) -> None:
    """The id of a call is the gateway's own."""
    assert 7 == await StreamRecorder(Broker(SILENCE, ack(7, duplicate=True))).write(what, 5)


@pytest.mark.parametrize(
    "reply", [ack(7, stream="OTHER"), ack(7, error={"code": 500}), Replied(b"{}", ""), Replied(b"[", "")]
)
async def test_what_is_no_acknowledgement_confirms_nothing(reply: Replied) -> None:
    """Of another stream, an error, or no JSON."""
    assert (None, False) == await stands_at(Broker(reply), record(Phase.AFTER, Runner.AGENT))
