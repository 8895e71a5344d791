"""The bus in memory brings what the real one would."""

import asyncio

import orjson
import pytest

from interpose import Hook, Run, Tool, allow
from interpose.bus import headers, subjects
from interpose.bus.responder import Incoming, Outgoing, ServiceError
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure, Phase
from interpose.testing import MemoryBus, make_ask, run
from interpose.testing.memory_bus import MAX_PAYLOAD_BYTES


@pytest.fixture
def bus() -> MemoryBus:
    """A bus with nobody on it."""
    return MemoryBus()


async def forever(_request: Incoming) -> Outgoing:
    """Never answers."""
    await asyncio.Event().wait()
    raise AssertionError


async def test_an_attached_hook_answers(bus, no_force):
    """With a verdict that echoes the ask_id, under its worker's name."""
    bus.attach(no_force, "worker-7")

    reply = await bus.ask("no-force", make_ask(parameters={"force": True}, ask_id="id-1"))

    verdict = {"verdict": "reject", "reason": "no force", "code": "force", "ask_id": "id-1"}
    assert isinstance(reply, Replied)
    assert "worker-7" == reply.worker
    assert verdict == {key: orjson.loads(reply.body)[key] for key in verdict}


async def test_both_phases_reach_a_hook(bus):
    """The subject says the phase; one worker hears both."""
    hook = Hook("both")
    hook.before("*")(lambda _ask: allow())
    hook.after("*")(lambda _ask: allow())
    bus.attach(hook)

    replies = [await bus.ask("both", make_ask()), await bus.ask("both", make_ask(response={}))]

    assert [Replied, Replied] == [type(reply) for reply in replies]


async def test_nobody_attached_is_no_responders(bus, no_force):
    """The failure is known at once, and nothing was sent."""
    bus.attach(no_force)

    reply = await bus.ask("somebody-else", make_ask())

    assert NoReply(Failure.NO_RESPONDERS, "nobody answers on the bus", was_sent=False) == reply


async def test_a_detached_service_is_gone(bus, no_force):
    """And others stay."""
    bus.attach(no_force)
    bus.attach(Hook("other"))

    bus.detach("no-force")

    gone, stays = await bus.ask("no-force", make_ask()), await bus.ask("other", make_ask())
    assert Failure.NO_RESPONDERS == gone.failure
    assert headers.NO_HANDLER == stays.error_code


def test_too_slow_is_deadline_exceeded(bus, raw):
    """By the asker's clock, in no time."""
    bus.attach(raw("slow", forever))

    async def main() -> tuple[object, float]:
        reply = await bus.ask("slow", make_ask(), timeout_s=60)
        return reply, asyncio.get_running_loop().time()

    reply, now_s = run(main())

    assert NoReply(Failure.DEADLINE_EXCEEDED, "no answer within 60000 ms") == reply
    assert 60 == pytest.approx(now_s)


def test_a_late_answer_is_not_used(bus, raw):
    """A worker that answers behind the deadline has finished its work and was not heard."""
    done: list[str] = []

    async def late(_request: Incoming) -> Outgoing:
        await asyncio.sleep(2)
        done.append("answered")
        return Outgoing(b"{}")

    async def main() -> object:
        reply = await bus.request(bus.attach(raw("late", late)).subject.replace("*", "before"), b"", 1)
        await asyncio.sleep(5)
        return reply

    assert Failure.DEADLINE_EXCEEDED == run(main()).failure
    assert ["answered"] == done


@pytest.mark.parametrize(
    ("error", "failure", "code"),
    [
        (ValueError("boom"), Failure.HOOK_ERROR, "500"),
        (ServiceError(headers.NO_HANDLER, "not mine"), Failure.HOOK_ERROR, "404"),
        (ServiceError(headers.TIMED_OUT, "late"), Failure.DEADLINE_EXCEEDED, "408"),
        (ServiceError(headers.BAD_OUTPUT, "printed"), Failure.MALFORMED_VERDICT, "422"),
    ],
)
async def test_service_errors_are_failures(bus, raw, error, failure, code):
    """A worker that broke and one that refuses never look like one that said no."""

    async def broken(_request: Incoming) -> Outgoing:
        raise error

    bus.attach(raw("broken", broken))

    reply = await bus.ask("broken", make_ask())

    assert (failure, code) == (reply.failure, reply.error_code)
    assert str(error) in reply.detail


async def test_what_is_too_large_for_the_worker_is_marked(bus, raw):
    """413 is the request's fault and not the worker's."""

    async def small(_request: Incoming) -> Outgoing:
        raise ServiceError(headers.TOO_LARGE, "more than I read")

    bus.attach(raw("small", small))

    assert (await bus.ask("small", make_ask())).too_large


async def test_what_is_too_large_for_the_bus_is_not_sent(bus, raw):
    """One byte more than a server takes; exactly as much is delivered."""

    async def count(request: Incoming) -> Outgoing:
        return Outgoing(str(len(request.body)).encode())

    bus.attach(raw("counter", count))

    subject = subjects.ask(Phase.BEFORE, "counter")
    most = await bus.request(subject, b" " * MAX_PAYLOAD_BYTES, 1)
    more = await bus.request(subject, b" " * (MAX_PAYLOAD_BYTES + 1), 1)
    assert str(MAX_PAYLOAD_BYTES).encode() == most.body
    assert (True, False) == (more.too_large, more.was_sent)


async def test_an_answer_too_large_for_the_bus_is_an_error(bus, raw):
    """The worker says that it could not send it."""

    async def loud(_request: Incoming) -> Outgoing:
        return Outgoing(b" " * (MAX_PAYLOAD_BYTES + 1))

    bus.attach(raw("loud", loud))

    reply = await bus.ask("loud", make_ask())

    assert (Failure.HOOK_ERROR, headers.BROKE) == (reply.failure, reply.error_code)


async def test_workers_of_one_service_take_turns(bus, no_force):
    """Three asks to two workers."""
    for worker in ("first", "second"):
        bus.attach(no_force, worker)

    replies = [await bus.ask("no-force", make_ask()) for _ in range(3)]

    assert ["first", "second", "first"] == [reply.worker for reply in replies]


async def test_a_forbidden_service_is_not_asked(bus, no_force):
    """As where the broker's permissions refuse the subject, in both phases."""
    bus.attach(no_force)
    bus.attach(Hook("other"))

    bus.forbid("no-force")

    asks = [make_ask(), make_ask(response={})]
    assert [Failure.NOT_PERMITTED] * 2 == [(await bus.ask("no-force", ask)).failure for ask in asks]
    assert Failure.NOT_PERMITTED != (await bus.ask("other", make_ask())).failure


async def test_losing_the_broker_ends_every_wait(bus, raw, no_force):
    """Who waits is told, who comes later is told at once, and after the reconnect all is as before."""
    bus.attach(raw("slow", forever))
    bus.attach(no_force)
    waiting = [asyncio.create_task(bus.ask("slow", make_ask())) for _ in range(2)]
    await asyncio.sleep(0)

    bus.disconnect()

    lost = [await task for task in waiting]
    later = await bus.ask("no-force", make_ask())
    bus.reconnect()
    back = await bus.ask("no-force", make_ask())
    assert [(Failure.CONNECTION_LOST, True)] * 2 == [(reply.failure, reply.was_sent) for reply in lost]
    assert (Failure.CONNECTION_LOST, False) == (later.failure, later.was_sent)
    assert isinstance(back, Replied)


async def test_the_worker_is_told_how_much_time_is_left(bus, raw):
    """In the header that the real asker sends, and an extra header wins over it."""
    heard: list[dict[str, str]] = []

    async def listen(request: Incoming) -> Outgoing:
        heard.append(request.headers)
        return Outgoing(b"{}")

    bus.attach(raw("listener", listen))

    await bus.ask("listener", make_ask(), timeout_s=1.5)
    await bus.ask("listener", make_ask(), timeout_s=1.5, extra={headers.TIMEOUT_MS: "7"})
    told = [(fields[headers.VERSION], fields[headers.TIMEOUT_MS]) for fields in heard]
    assert [("1", "1500"), ("1", "7")] == told


async def test_a_tool_is_ordered_over_the_same_bus(bus):
    """Whatever has an endpoint can be attached."""
    tool = Tool("adder")
    tool.handle(lambda run: sum(run.parameters["terms"]))
    bus.attach(tool)

    order = Run(tool="adder", parameters={"terms": [1, 2]}, call_id="call-1")
    reply = await bus.request(subjects.execute("adder"), orjson.dumps(order.model_dump(mode="json")), 1)

    assert {"status": "success", "response": 3} == orjson.loads(reply.body)
