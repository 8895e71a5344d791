"""Claims, approvals, evidence and records of calls that agents run, on a real server with the gateway's own key."""

import asyncio
import itertools
import json
import signal
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
import pytest_asyncio

from interpose.bus import connection, headers, subjects
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners
from interpose.bus.replies import not_in_time
from interpose.bus.settings import BusSettings
from interpose.contracts.ask import Context
from interpose.contracts.evaluation import Resolution
from interpose.contracts.ids import call_id as new_id
from interpose.contracts.limits import MIB
from interpose.contracts.record import Producer, Record, RecordedNative, ShadowRecord
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Decision, Phase
from interpose.embedded import stream
from interpose_gateway.adapters.approvals import KvApprovals
from interpose_gateway.adapters.claims import KvClaims
from interpose_gateway.adapters.clock import SystemClock
from interpose_gateway.adapters.evidence import KvEvidence
from interpose_gateway.adapters.keys import Keys
from interpose_gateway.adapters.record_reading import LeadersRecords
from interpose_gateway.adapters.recording import StreamRecorder
from interpose_gateway.core.evaluated.ports import Answered, Claim, ClaimState, Ended, Held, Unavailable

pytestmark = pytest.mark.server

PATIENCE_S = 60
LOOK_AGAIN_S = 0.02
A_MINUTE_S = 60.0
TAKEN = Claim(state=ClaimState.CLAIMED, by="gateway-1", ended=Ended.REPORT, digest="sha256:" + "0" * 64)
FINISHED = TAKEN.model_copy(update={"state": ClaimState.FINISHED, "sequence": 7})


class Gateway:
    """Everything behind the ports, over one connection with the gateway's key."""

    def __init__(self, asker: Any) -> None:
        self.asker = asker
        calls = Keys(asker, subjects.CALLS_STREAM, subjects.CALLS_READ)
        self.claims = KvClaims(calls)
        self.approvals = KvApprovals(calls)
        self.evidence = KvEvidence(Keys(asker, subjects.LABELS_STREAM, subjects.LABELS_READ), SystemClock())
        self.records = LeadersRecords(asker)
        self.recorder = StreamRecorder(asker)


Connect = Callable[[], Awaitable[Gateway]]


@pytest_asyncio.fixture
async def connect(broker: Any) -> Any:
    """Makes further gateways on this broker, whose stream and buckets stand."""
    await stream.ensure(await broker.connect("operator"))
    numbers, clients = itertools.count(), []

    async def make() -> Gateway:
        listeners, inbox = Listeners(), f"{subjects.GATEWAY_INBOX}.claims-{next(numbers)}"
        settings = BusSettings(nats_url=broker.url, nats_seed=broker.seed("gateway"))
        client = await connection.connect(settings, name="claims", inbox_prefix=inbox, listeners=listeners)
        clients.append(client)
        asker = Asker(client, f"{inbox}.asks")
        await asker.start(listeners)
        return Gateway(asker)

    yield make
    for client in clients:
        await connection.close(client)


@pytest_asyncio.fixture
async def gateway(connect: Connect) -> Gateway:
    """One gateway."""
    return await connect()


@dataclass
class Deaf:
    """An asker whose first answers about a key are lost after the broker gave them, or before anything was sent."""

    real: Asker
    lost: int
    arrives: bool = True
    asked: list[str] = field(default_factory=list)

    async def ask(
        self, subject: str, body: bytes, timeout_s: float, extra: Mapping[str, str] | None = None
    ) -> Replied | NoReply:
        """One ask; a lost one is told as late."""
        self.asked.append(subject)
        is_lost = subject.startswith("$KV") and len(self.asked) <= self.lost
        if is_lost and not self.arrives:
            return not_in_time(timeout_s)
        reply = await self.real.ask(subject, body, timeout_s, extra)
        return not_in_time(timeout_s) if is_lost else reply


async def until(is_so: Callable[[], Awaitable[bool]]) -> None:
    """Return when it is so."""
    async with asyncio.timeout(PATIENCE_S):
        while not await is_so():  # noqa: ASYNC110 - what is waited for happens in another process
            await asyncio.sleep(LOOK_AGAIN_S)


async def gone(gateway: Gateway, call_id: str) -> None:
    """Return when nobody holds the claim."""

    async def is_gone() -> bool:
        return await gateway.claims.read(call_id) is None

    await until(is_gone)


async def test_of_many_takers_exactly_one_holds_the_claim(connect: Connect) -> None:
    """Fifty at once over five connections, forty calls: each call has one holder, and the claim is that one's."""
    gateways = [await connect() for _ in range(5)]
    calls = [new_id() for _ in range(40)]

    async def take(call_id: str, n: int) -> int | None:
        claim = TAKEN.model_copy(update={"by": f"gateway-{n}"})
        return await gateways[n % 5].claims.take(call_id, claim, A_MINUTE_S)

    for call_id in calls:
        taken = await asyncio.gather(*(take(call_id, n) for n in range(50)))

        [(holder, revision)] = [(n, each) for n, each in enumerate(taken) if each is not None]
        held = Held(TAKEN.model_copy(update={"by": f"gateway-{holder}"}), revision)
        assert held == await gateways[0].claims.read(call_id)


async def test_a_claim_ends_with_its_lease_and_the_next_may_take_it(gateway: Gateway) -> None:
    """It leaves nothing behind that a taker would have to wait for."""
    call_id = new_id()
    first = await gateway.claims.take(call_id, TAKEN, 0.2)
    meanwhile = await gateway.claims.take(call_id, TAKEN, 1)

    await gone(gateway, call_id)
    second = await gateway.claims.take(call_id, TAKEN, A_MINUTE_S)

    assert meanwhile is None
    assert first is not None
    assert Held(TAKEN, second or 0) == await gateway.claims.read(call_id)


async def test_a_finished_claim_stays_beyond_its_lease(gateway: Gateway) -> None:
    """A claim of the same lease that was taken after it is gone; the finished one stands, and nobody can take it."""
    call_id, later = new_id(), new_id()
    revision = await gateway.claims.take(call_id, TAKEN, 1)
    assert revision is not None

    is_ours = await gateway.claims.finish(call_id, revision, FINISHED, A_MINUTE_S)
    await gateway.claims.take(later, TAKEN, 1)
    await gone(gateway, later)

    assert is_ours
    held = await gateway.claims.read(call_id)
    assert held is not None
    assert FINISHED == held.claim
    assert await gateway.claims.take(call_id, TAKEN, 1) is None


async def test_a_lost_claim_cannot_be_finished(gateway: Gateway) -> None:
    """Neither while nobody holds it nor when somebody else does: what stands then stays."""
    call_id = new_id()
    lost = await gateway.claims.take(call_id, TAKEN, 1)
    assert lost is not None
    await gone(gateway, call_id)

    to_nobody = await gateway.claims.finish(call_id, lost, FINISHED, A_MINUTE_S)
    theirs = await gateway.claims.take(call_id, TAKEN, A_MINUTE_S)
    to_another = await gateway.claims.finish(call_id, lost, FINISHED, A_MINUTE_S)

    assert (False, False) == (to_nobody, to_another)
    assert Held(TAKEN, theirs or 0) == await gateway.claims.read(call_id)


async def test_a_claim_outlives_a_crash_of_the_broker_and_ends_meanwhile(broker: Any, gateway: Gateway) -> None:
    """kill -9: the finished one is there again, and the lease went on while the broker was away."""
    kept, leased = new_id(), new_id()
    revision = await gateway.claims.take(kept, TAKEN, A_MINUTE_S)
    assert revision is not None
    await gateway.claims.finish(kept, revision, FINISHED, A_MINUTE_S)
    await gateway.claims.take(leased, TAKEN, 1)

    await broker.stop(signal.SIGKILL)
    with pytest.raises(Unavailable):
        await gateway.claims.read(kept)
    with pytest.raises(Unavailable):
        await gateway.claims.take(leased, TAKEN, 1)
    await broker.start()

    async def is_back() -> bool:
        return bool(gateway.asker.client.is_connected)

    await until(is_back)
    held = await gateway.claims.read(kept)
    await gone(gateway, leased)
    assert held is not None
    assert FINISHED == held.claim
    assert await gateway.claims.take(leased, TAKEN, 1) is not None


@pytest.mark.parametrize("arrives", [True, False])
async def test_a_taker_that_was_not_answered_knows_its_own_claim(gateway: Gateway, arrives: bool) -> None:
    """Its first attempt arrived or did not: either way the second one tells that the claim is its own."""
    call_id = new_id()
    deaf = KvClaims(Keys(Deaf(gateway.asker, 1, arrives), subjects.CALLS_STREAM, subjects.CALLS_READ))  # type: ignore[arg-type]

    revision = await deaf.take(call_id, TAKEN, A_MINUTE_S)

    assert Held(TAKEN, revision or 0) == await gateway.claims.read(call_id)


async def test_a_taker_that_was_not_answered_does_not_take_anothers_claim(gateway: Gateway) -> None:
    """Not even one that says the same word for word: a report that was sent twice at once."""
    call_id = new_id()
    theirs = await gateway.claims.take(call_id, TAKEN, A_MINUTE_S)
    deaf = KvClaims(Keys(Deaf(gateway.asker, 1), subjects.CALLS_STREAM, subjects.CALLS_READ))  # type: ignore[arg-type]

    revision = await deaf.take(call_id, TAKEN, A_MINUTE_S)

    assert revision is None
    assert Held(TAKEN, theirs or 0) == await gateway.claims.read(call_id)


async def test_a_taker_that_is_never_answered_raises_and_its_claim_ends(gateway: Gateway) -> None:
    """It may hold one now that nobody works on: the lease ends it."""
    call_id, deaf = new_id(), Deaf(gateway.asker, 2)

    with pytest.raises(Unavailable, match="did not confirm"):
        await KvClaims(Keys(deaf, subjects.CALLS_STREAM, subjects.CALLS_READ)).take(call_id, TAKEN, 1)  # type: ignore[arg-type]
    await gone(gateway, call_id)

    assert 2 == len(deaf.asked)


@pytest.mark.parametrize("arrives", [True, False])
async def test_a_finish_that_was_not_answered_is_finished_all_the_same(gateway: Gateway, arrives: bool) -> None:
    """True, whichever of the two attempts arrived first."""
    call_id = new_id()
    revision = await gateway.claims.take(call_id, TAKEN, A_MINUTE_S)
    assert revision is not None
    deaf = KvClaims(Keys(Deaf(gateway.asker, 1, arrives), subjects.CALLS_STREAM, subjects.CALLS_READ))  # type: ignore[arg-type]

    assert await deaf.finish(call_id, revision, FINISHED, A_MINUTE_S)
    held = await gateway.claims.read(call_id)
    assert held is not None
    assert FINISHED == held.claim


async def test_what_is_no_claim_is_nobodys_yes(broker: Any, gateway: Gateway) -> None:
    """Somebody with the operator's key wrote into the bucket: neither free nor held, so nothing can be told."""
    call_id, operator = new_id(), await broker.connect("operator")
    for key in (subjects.claim(call_id), subjects.approval(call_id)):
        await operator.jetstream().publish(key, b'{"state": "free"}')

    with pytest.raises(Unavailable, match="no claim"):
        await gateway.claims.read(call_id)
    with pytest.raises(Unavailable, match="none"):
        await gateway.approvals.read(call_id)


async def test_without_the_bucket_nothing_can_be_told(broker: Any, gateway: Gateway) -> None:
    """Not that nobody holds the claim: reading, taking and finishing raise."""
    await (await broker.connect("operator")).jetstream().delete_stream(subjects.CALLS_STREAM)

    for attempt in (
        gateway.claims.read("one"),
        gateway.claims.take("one", TAKEN, 1),
        gateway.claims.finish("one", 1, FINISHED, 1),
        gateway.approvals.read("one"),
    ):
        with pytest.raises(Unavailable):
            await attempt


async def test_the_first_answer_about_a_call_stands(connect: Connect) -> None:
    """Of twenty at once one is kept; it is read as it was given, and ends with its life."""
    gateways = [await connect() for _ in range(4)]
    call_id = new_id()
    said = [Answered(resolution=Resolution.APPROVED, resolved_by=f"p{n}", by="gateway-1", runs=True) for n in range(20)]

    kept = await asyncio.gather(*(gateways[n % 4].approvals.answer(call_id, said[n], 2) for n in range(20)))
    read = await gateways[0].approvals.read(call_id)

    async def is_over() -> bool:
        return await gateways[1].approvals.read(call_id) is None

    assert [said[kept.index(True)]] == [read]
    assert 1 == kept.count(True)
    await until(is_over)


async def test_evidence_is_kept_for_its_time_and_the_latest_counts(broker: Any, gateway: Gateway) -> None:
    """Names that are no subject tokens stand in full in the value; with a life of a second it is gone."""
    operator = await broker.connect("operator")
    named = ("default", "session/1", "user.verified")
    key = subjects.evidence(*named)

    async def stored() -> Any:
        reply = await operator.request(subjects.LABELS_READ, json.dumps({"last_by_subj": key}).encode(), timeout=5)
        return json.loads(reply.data)

    kept = [await gateway.evidence.keep(*named, {"n": n}, 60) for n in range(2)]
    bucket = await operator.jetstream().key_value(subjects.LABELS_BUCKET)
    value = json.loads((await bucket.get(key.removeprefix("$KV.LABELS."))).value)
    assert await gateway.evidence.keep(*named, None, 1)

    async def is_over() -> bool:
        return "error" in await stored()

    assert [True, True] == kept
    assert {"tenant": "default", "session": "session/1", "key": "user.verified", "data": {"n": 1}} == {
        name: value[name] for name in value if name != "at"
    }
    await until(is_over)


async def test_evidence_that_the_broker_did_not_take_is_not_kept(broker: Any, gateway: Gateway) -> None:
    """Without the bucket, and without the broker: False, and nothing is raised."""
    await (await broker.connect("operator")).jetstream().delete_stream(subjects.LABELS_STREAM)
    without_bucket = await gateway.evidence.keep("default", "s", "k", 1, 60)
    await broker.stop()

    assert (False, False) == (without_bucket, await gateway.evidence.keep("default", "s", "k", 1, 60))


def record(text: str) -> Record:
    """A before record that says run."""
    parameters = {"text": text}
    return Record(
        record_id=new_id(),
        call_id=new_id(),
        phase=Phase.BEFORE,
        at=datetime.now(UTC),
        revision=1,
        registry_digest="sha256:" + "0" * 64,
        client="local",
        context=Context(),
        tool="echo",
        action=None,
        kind="Other",
        native=RecordedNative(tool="echo", digest="sha256:" + "0" * 64),
        original=None,
        final=parameters,
        final_digest="sha256:" + "0" * 64,
        decision=Decision.RUN,
        trace_id=None,
        span_id=None,
        producer=Producer(instance="gateway-1", sequence=1),
    )


@pytest.mark.parametrize("size", [1, 8 * MIB - 8 * 1024], ids=["small", "as large as the broker takes"])
async def test_a_record_is_read_by_its_place(gateway: Gateway, size: int) -> None:
    """As it was written, whole."""
    written = record("x" * size)

    sequence = await gateway.recorder.write(written, PATIENCE_S)

    assert written == await gateway.records.at(sequence)


async def test_what_is_no_record_of_a_call_is_none(broker: Any, gateway: Gateway) -> None:
    """A shadow's record, the registry's, a malformed one, and places that no stream has."""
    streams = (await broker.connect("operator")).jetstream()
    before = record("one")
    shadow = ShadowRecord(
        call_id=before.call_id,
        phase=Phase.BEFORE,
        at=before.at,
        revision=1,
        client="local",
        tool="echo",
        decision=Decision.RUN,
        hooks=[],
        trace_id=None,
    )
    bodies = [
        json.dumps(shadow.to_wire()),
        '{"schema": "interpose.registry-record/1"}',
        "{",
        json.dumps(before.to_wire() | {"more": 1}),
    ]
    places = [(await streams.publish("tool.record.before.echo.agent", body.encode())).seq for body in bodies]

    read = [await gateway.records.at(place) for place in (*places, 999, 0, -1, 2**63, 2**200)]

    assert [None] * 9 == read


async def test_a_record_cannot_be_told_without_the_broker(broker: Any, gateway: Gateway) -> None:
    """None would mean that nobody ever evaluated the call."""
    await broker.stop()

    with pytest.raises(Unavailable):
        await gateway.records.at(1)


async def test_lives_are_whole_seconds_and_never_shorter_than_asked(broker: Any, gateway: Gateway) -> None:
    """The broker cuts 1.5 s off to 1 s, which would let go of a claim under work."""
    operator = await broker.connect("operator")
    heard = await operator.subscribe(subjects.CALLS_KEYS)
    await broker.settle(operator)

    for life_s in (0.01, 1, 1.5, 30):
        await gateway.claims.take(new_id(), TAKEN, life_s)

    assert ["1", "1", "2", "30"] == [(await heard.next_msg(timeout=5)).headers[headers.LIFE] for _ in range(4)]
