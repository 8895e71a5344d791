"""An ask that is late is sent again, once, to the same queue group: on a real broker, with a worker that is silent."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from nats.aio.msg import Msg

from interpose.bus import connection
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners
from interpose.bus.outstanding import Repeat
from interpose.bus.settings import BusSettings
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure

pytestmark = pytest.mark.server

SUBJECT = "tool.call.before.validator"
Worker = Callable[[Msg], Awaitable[None]]


@pytest.fixture
async def asker(broker: Any) -> AsyncIterator[Asker]:
    """A gateway's asker."""
    inbox, listeners = "_INBOX_gateway.test", Listeners()
    settings = BusSettings(nats_url=broker.url, nats_seed=broker.seed("gateway"))
    client = await connection.connect(settings, name="gateway", inbox_prefix=inbox, listeners=listeners)
    asker = Asker(client, f"{inbox}.asks")
    await asker.start(listeners)
    yield asker
    await connection.close(client)


@pytest.fixture
def serve(broker: Any) -> Callable[..., Awaitable[list[Msg]]]:
    """`serve(answers)`: a worker of the service; returns what it hears. Without answers it is silent."""

    async def make(*answers: bytes) -> list[Msg]:
        client, heard = await broker.connect("service-validator"), []

        async def hear(msg: Msg) -> None:
            heard.append(msg)
            for answer in answers:
                await client.publish(msg.reply, answer)

        await client.subscribe("tool.call.*.validator", queue="validator", cb=hear)
        await broker.settle(client)
        return heard

    return make


async def until(is_so: Callable[[], bool]) -> None:
    """Return when it is so."""
    async with asyncio.timeout(30):
        while not is_so():  # noqa: ASYNC110 - what is waited for happens at the broker
            await asyncio.sleep(0.01)


async def test_a_late_ask_is_answered_by_another_worker(asker: Asker, serve: Any) -> None:
    """Of many asks some meet the silent worker first and the other one then: same bytes, another inbox, less time."""
    silent, well = await serve(), await serve(b"yes")

    ended = await asyncio.gather(*(asker.ask(SUBJECT, b"%d" % n, 3.0, repeat=Repeat.IF_LATE) for n in range(64)))

    late = {msg.data: msg for msg in silent}
    saved = [(late[msg.data], msg) for msg in well if msg.data in late]
    assert saved
    for first, second in saved:
        assert first.reply != second.reply
        assert Replied(b"yes") == ended[int(first.data)]
        assert int(first.headers["Interpose-Timeout-Ms"]) > int(second.headers["Interpose-Timeout-Ms"])
    assert len(late) == asker.repeated
    assert (0, 0) == (asker.outstanding, asker.stray)


async def test_a_worker_that_gets_both_copies_may_answer_each(broker: Any, asker: Asker) -> None:
    """The broker lets it answer once to each inbox; the first one counts, the other one is a stray."""
    client, heard = await broker.connect("service-validator"), asyncio.Queue()
    await client.subscribe("tool.call.*.validator", queue="validator", cb=heard.put)
    await broker.settle(client)
    asking = asyncio.create_task(asker.ask(SUBJECT, b"{}", 9.0, repeat=Repeat.IF_LATE))
    both = [await heard.get(), await heard.get()]
    for number, msg in enumerate(both):
        await client.publish(msg.reply, b"%d" % number)

    assert Replied(b"0") == await asking
    await until(lambda: asker.stray == 1)
    assert 0 == asker.outstanding


async def test_an_ask_is_sent_twice_at_most(asker: Asker, serve: Any) -> None:
    """Whoever answers none of both did not answer in the whole timeout."""
    silent = await serve()

    ended = await asker.ask(SUBJECT, b"{}", 0.9, repeat=Repeat.IF_LATE)

    assert isinstance(ended, NoReply)
    assert (Failure.DEADLINE_EXCEEDED, 2, 1) == (ended.failure, len(silent), asker.repeated)


async def test_a_loop_that_is_held_up_past_the_deadline_sends_no_copy(asker: Asker, serve: Any) -> None:
    """The ask is over by the clock, whatever the loop had to do meanwhile: it ends, and nobody is asked again."""
    silent = await serve()
    asking = asyncio.create_task(asker.ask(SUBJECT, b"{}", 3.0, repeat=Repeat.IF_LATE))
    await until(lambda: len(silent) == 1)

    time.sleep(3.1)  # noqa: ASYNC251 - this is the fault: nothing else runs, as in a process that was stopped
    ended = await asking

    assert isinstance(ended, NoReply)
    assert (Failure.DEADLINE_EXCEEDED, 0) == (ended.failure, asker.repeated)


@pytest.mark.parametrize("repeat", [Repeat.NEVER, Repeat.IF_NOBODY])
async def test_what_may_not_be_repeated_is_sent_once(asker: Asker, serve: Any, repeat: Repeat) -> None:
    """However late it is."""
    silent = await serve()

    ended = await asker.ask(SUBJECT, b"{}", 0.9, repeat=repeat)

    assert isinstance(ended, NoReply)
    assert (Failure.DEADLINE_EXCEEDED, 1, 0) == (ended.failure, len(silent), asker.repeated)


async def test_a_worker_that_was_not_there_yet_is_asked_again(asker: Asker, serve: Any) -> None:
    """Right after its start the broker may say once that nobody is there."""
    subscribing = asyncio.create_task(serve(b"yes"))
    ended: list[Any] = []
    while not (ended and isinstance(ended[-1], Replied)):
        ended.append(await asker.ask(SUBJECT, b"{}", 30.0, repeat=Repeat.IF_NOBODY))
    await subscribing

    assert {Failure.NO_RESPONDERS} >= {one.failure for one in ended[:-1]}
    assert asker.repeated >= len(ended) - 1


@pytest.mark.parametrize(("repeat", "copies"), [(Repeat.NEVER, 0), (Repeat.IF_NOBODY, 1), (Repeat.IF_LATE, 1)])
async def test_nobody_is_told_at_once(asker: Asker, repeat: Repeat, copies: int) -> None:
    """Not at the end of the time: twice nobody is nobody."""
    ended = await asker.ask(SUBJECT, b"{}", 600.0, repeat=repeat)

    assert isinstance(ended, NoReply)
    assert (Failure.NO_RESPONDERS, copies) == (ended.failure, asker.repeated)


async def test_a_broker_that_is_lost_ends_both_copies(broker: Any, asker: Asker, serve: Any) -> None:
    """And nothing is sent when it is back."""
    silent = await serve()
    asking = asyncio.create_task(asker.ask(SUBJECT, b"{}", 9.0, repeat=Repeat.IF_LATE))
    await until(lambda: len(silent) == 2)

    await broker.stop()

    ended = await asking
    assert isinstance(ended, NoReply)
    assert (Failure.CONNECTION_LOST, 0) == (ended.failure, asker.outstanding)
