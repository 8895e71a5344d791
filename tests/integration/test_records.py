"""Records against a real stream: what counts as written, and what a gateway leaves behind that is killed."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio

from interpose.bus import connection, subjects
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners
from interpose.bus.replies import not_in_time
from interpose.bus.settings import BusSettings
from interpose.contracts.ask import Context
from interpose.contracts.ids import call_id as new_id
from interpose.contracts.record import Producer, Record, RecordedNative
from interpose.contracts.reply import NoReply
from interpose.contracts.words import Decision, Phase
from interpose_gateway.adapters.recording import StreamRecorder
from interpose_gateway.core.ports import RecordImpossible

PATIENCE_S = 30
pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def recorder(standing: Any) -> AsyncIterator[StreamRecorder]:
    """A recorder with the gateway's own key."""
    listeners = Listeners()
    settings = BusSettings(nats_url=standing.broker.url, nats_seed=standing.broker.seed("gateway"))
    inbox = f"{subjects.GATEWAY_INBOX}.recorder"
    client = await connection.connect(settings, name="recorder", inbox_prefix=inbox, listeners=listeners)
    asker = Asker(client, f"{inbox}.asks")
    await asker.start(listeners)
    yield StreamRecorder(asker)
    await client.close()


def record(call_id: str, text: str = "one") -> Record:
    """A before record that says run."""
    parameters = {"text": text}
    return Record(
        record_id=new_id(),
        call_id=call_id,
        phase=Phase.BEFORE,
        at=datetime.now(UTC),
        revision=1,
        registry_digest="sha256:" + "0" * 64,
        client="local",
        context=Context(),
        tool="echo",
        action=None,
        kind="Other",
        native=RecordedNative(tool="echo", digest="sha256:" + "0" * 64, arguments=parameters),
        original=parameters,
        final=parameters,
        final_digest="sha256:" + "0" * 64,
        decision=Decision.RUN,
        trace_id=None,
        span_id=None,
        producer=Producer(instance="recorder", sequence=1),
    )


async def test_a_record_is_in_the_stream_when_write_returns(standing: Any, recorder: StreamRecorder) -> None:
    """It stands there once, whole, under call id and phase."""
    written = record(new_id())

    await recorder.write(written, PATIENCE_S)

    [stored] = await standing.records(written.call_id)
    assert (f"{written.call_id}.before", written.to_wire()) == (stored.message_id, stored.body)


async def test_another_record_under_the_same_call_is_no_record(standing: Any, recorder: StreamRecorder) -> None:
    """The stream says duplicate for bytes that we never sent before: that is an error, and the old one stays."""
    call_id = new_id()
    first, second = record(call_id, "one"), record(call_id, "two")
    await recorder.write(first, PATIENCE_S)

    with pytest.raises(RecordImpossible, match="another record") as caught:
        await recorder.write(second, PATIENCE_S)

    assert not caught.value.maybe_stored
    assert [first.to_wire()] == [each.body for each in await standing.records(call_id)]


@pytest.mark.parametrize(("timeout_s", "attempts_s"), [(30, [2, 2]), (3, [2, 1]), (2, [2]), (0.2, [0.2])])
async def test_attempts_fit_into_the_time(timeout_s: float, attempts_s: list[float]) -> None:
    """Nobody confirms it: it is tried twice at most, and never longer than the caller can wait."""
    given_s: list[float] = []

    class Silent:
        client = SimpleNamespace(max_payload=1_000_000)

        async def ask(self, _subject: str, _body: bytes, attempt_s: float, _extra: Any) -> NoReply:
            given_s.append(attempt_s)
            return not_in_time(attempt_s)

    with pytest.raises(RecordImpossible, match="did not confirm") as caught:
        await StreamRecorder(Silent()).write(record(new_id()), timeout_s)  # type: ignore[arg-type]

    assert caught.value.maybe_stored
    assert attempts_s == given_s


async def test_an_owed_record_is_written_once(standing: Any, recorder: StreamRecorder) -> None:
    """What is owed is durable when nothing is owed any more."""
    owed = record(new_id())

    recorder.owe(owed)
    unwritten = await recorder.drain(30)

    assert 0 == unwritten
    assert [owed.to_wire()] == [each.body for each in await standing.records(owed.call_id)]


async def test_records_keep_the_order_and_number_of_their_gateway(standing: Any, mark: str) -> None:
    """Of calls at once each has its two records, numbered by the gateway without a gap or a repeat."""
    replies = await asyncio.gather(*(standing.call("gated", {"mark": mark, "number": n}) for n in range(30)))

    ids = {reply.json()["call_id"] for reply in replies}
    records = [each.body for each in await standing.records() if each.body["call_id"] in ids]
    numbers = sorted(each["producer"]["sequence"] for each in records)
    phases = Counter((each["call_id"], each["phase"]) for each in records)
    assert phases == Counter((call_id, phase) for call_id in ids for phase in ("before", "after"))
    assert list(range(numbers[0], numbers[0] + 60)) == numbers
    assert {"gateway-1"} == {each["producer"]["instance"] for each in records}


TOO_LARGE = {
    "loud": ([("before", "refuse", None)], False),
    "loud-after": ([("before", "run", None), ("after", "withhold", "success")], True),
}


@pytest.mark.parametrize(("action", "told", "has_run"), [(action, *ends) for action, ends in TOO_LARGE.items()])
async def test_what_no_stream_takes_whole_is_recorded_without_its_values(
    standing: Any, mark: str, action: str, told: list[Any], has_run: bool
) -> None:
    """Four hooks with 2 MiB of annotations each: 503, the one record says what was decided and what is left out."""
    reply = await standing.call(action, {"mark": mark, "say": "chatter"})
    await standing.until_metric("interpose_owed_records", 0)

    answer = reply.json()
    records = [each.body for each in await standing.records(answer["call_id"])]
    last = records[-1]
    assert (503, "record-impossible", has_run) == (reply.status_code, answer["code"], answer["ran"])
    assert "the broker takes" in answer["reason"]
    assert "response" not in answer
    assert told == [(each["phase"], each["decision"], each["outcome"]) for each in records]
    hooks = [hook for hook in last["hooks"] if hook["name"] != "canonicalizer"]
    assert [f"{action}-{n}" for n in range(4)] == [hook["name"] for hook in hooks]
    assert (None, None, [{}] * 4) == (last["original"], last["final"], [hook["annotations"] for hook in hooks])
    assert last["final_digest"].startswith("sha256:")
    assert "are left out" in last["warnings"][0]
    assert has_run is bool(standing.witness.of("ran", mark))


async def test_a_gateway_killed_behind_its_record_never_runs_a_call_twice(
    beside: Any, standing: Any, mark: str
) -> None:
    """kill -9 the moment the stream has the before record, then start again: one before record, at most one run.

    Whether the order had left is a race that no test can decide; what must hold, holds either way.
    """
    gateway = await beside.start_gateway("gateway-2")
    recorded = await standing.operator.subscribe("tool.record.before.echo")
    await standing.broker.settle(standing.operator)
    call = beside.later("gated", {"mark": mark})

    msg = await recorded.next_msg(timeout=30)
    await gateway.kill()
    await recorded.unsubscribe()
    ended = (await asyncio.gather(call, return_exceptions=True))[0]
    await beside.start_gateway("gateway-2")
    good = await beside.call("gated", {"mark": mark})

    call_id = msg.headers["Nats-Msg-Id"].partition(".")[0]
    phases = [each.body["phase"] for each in await standing.records(call_id)]
    ran = Counter(each.call_id for each in standing.witness.of("ran", mark))
    assert isinstance(ended, Exception) or ended.json()["call_id"] == call_id
    assert phases[:1] == ["before"]
    assert phases.count("before") == 1
    assert ran[call_id] <= 1
    assert ran[good.json()["call_id"]] == 1
    assert 2 >= len(ran)


async def test_a_gateway_killed_before_its_record_runs_nothing(beside: Any, standing: Any, mark: str) -> None:
    """kill -9 while a hook is asked: the hook's yes comes to nobody, nothing is recorded and nothing runs."""
    gateway = await beside.start_gateway("gateway-2")
    call = beside.later("gated", {"mark": mark, "hold": "before"})
    [asked] = await standing.witness.sees("asked before", mark)

    await gateway.kill()
    standing.witness.release()
    await asyncio.gather(call, return_exceptions=True)
    await beside.start_gateway("gateway-2")
    good = await beside.call("gated", {"mark": mark})

    assert [] == await standing.records(asked.call_id)
    assert [good.json()["call_id"]] == [each.call_id for each in standing.witness.of("ran", mark)]
