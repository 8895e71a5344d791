"""Delivery: any 2xx is success, what may change is tried again with the same bytes, what will not is given up."""

import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from interpose.report.client import Answer, Client
from interpose.report.counters import Counted, MemoryCounters
from interpose.report.courier import Clock, Courier, is_final
from interpose.report.outbox import LONGEST_MS, Outbox
from interpose.report.receipt import Outcome
from interpose.report.settings import read_url

from .conftest import PATIENCE_S, TOKEN, PlayedGateway, SetClock, told

BODY = b'{"evaluation_id":"e-1","status":"success"}'
UNRESOLVED = told(409, {"error": "approval_unresolved", "message": "nobody has answered"})
MakeCourier = Callable[..., Courier]


@pytest.fixture
def counters() -> MemoryCounters:
    """What was counted."""
    return MemoryCounters()


@pytest.fixture
def make(gateway: PlayedGateway, tmp_path: Path, clock: SetClock, counters: MemoryCounters) -> MakeCourier:
    """A courier to that gateway, by default with ten seconds of the test's own time."""

    def courier(time: Clock = clock, timeout_ms: int = 10_000, delivery: str = "drain", **more: Any) -> Courier:
        outbox = Outbox(tmp_path, counters, time.now_ms, **more)
        client = Client(read_url(gateway.url), TOKEN)
        return Courier(outbox, client, counters, time, timeout_ms=timeout_ms, delivery=delivery)

    return courier


def counted(counters: MemoryCounters) -> dict[Counted, int]:
    """The counts that are not 0."""
    return {what: number for what, number in counters.read().items() if number}


@pytest.mark.parametrize("status", [200, 201, 202, 299])
def test_any_2xx_is_success(
    make: MakeCourier, gateway: PlayedGateway, counters: MemoryCounters, tmp_path: Path, status: int
) -> None:
    """The report has arrived and waits no more."""
    gateway.answers.append(told(status, {"ok": True}))

    delivery = make().send(BODY)

    assert (Outcome.FINALISED, Answer(status, {"ok": True})) == (delivery.outcome, delivery.answer)
    assert ({Counted.FINALISED: 1}, []) == (counted(counters), list(tmp_path.iterdir()))


AGAIN = [
    told(500, {}),
    told(502, {}),
    told(503, {"error": "governance_unavailable"}),
    told(429, {"error": "too_many_calls"}),
    told(408, {"error": "too_slow"}),
    told(307, {}),
    UNRESOLVED,
    b"",
    b"HTTP/1.1 201 OK\r\nContent-Length: 100\r\n\r\n{}",
    b"garbage",
]


@pytest.mark.parametrize("answer", AGAIN, ids=range(len(AGAIN)))
def test_what_may_change_is_tried_again_with_the_same_bytes(
    make: MakeCourier, gateway: PlayedGateway, counters: MemoryCounters, answer: bytes
) -> None:
    """While the agent waits: connections that break, 5xx, 429, 408, and a person who has not answered."""
    gateway.answers.extend([answer, answer])

    delivery = make().send(BODY)

    assert Outcome.FINALISED is delivery.outcome
    assert [BODY] * 3 == [request.body for request in gateway.requests]
    assert {Counted.FINALISED: 1, Counted.RETRIED: 2} == counted(counters)


FINAL = [
    told(400, {"error": "invalid_request"}),
    told(401, {"error": "unauthorized"}),
    told(403, {"error": "forbidden"}),
    told(404, {"error": "evaluation_unknown"}),
    told(404, {"error": "evaluation_expired"}),
    told(409, {"error": "evaluation_conflict"}),
    told(409, {}),
    told(413, {"error": "too_large"}),
    b"HTTP/1.1 404 No\r\nContent-Length: 6\r\n\r\n<html>",
]


@pytest.mark.parametrize("answer", FINAL, ids=range(len(FINAL)))
def test_what_will_not_change_is_given_up(
    make: MakeCourier,
    gateway: PlayedGateway,
    counters: MemoryCounters,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    answer: bytes,
) -> None:
    """Every other 4xx: said, counted and no longer kept."""
    gateway.answers.append(answer)

    delivery = make().send(BODY)

    assert (Outcome.REJECTED, 1) == (delivery.outcome, len(gateway.requests))
    assert ({Counted.REJECTED: 1}, []) == (counted(counters), list(tmp_path.iterdir()))
    assert ["a report was rejected: " + delivery.trouble] == caplog.messages


@pytest.mark.parametrize(
    ("status", "error", "final"),
    [(400, "", True), (409, "", True), (409, "approval_unresolved", False), (404, "approval_unresolved", True)]
    + [(status, "", False) for status in (100, 301, 408, 429, 500, 599)],
)
def test_what_is_final(status: int, error: str, final: bool) -> None:
    """By status, and one conflict by its word."""
    assert final is is_final(Answer(status, {"error": error}))


def test_waits_grow(make: MakeCourier, gateway: PlayedGateway, clock: SetClock) -> None:
    """Each is twice the one before, until the agent's patience ends; then the report is kept."""
    gateway.answers.extend([told(503, {})] * 50)
    began = clock.time_ms

    delivery = make(timeout_ms=1_000).send(BODY)

    assert Outcome.KEPT is delivery.outcome
    assert 50 + 100 + 200 + 400 == clock.time_ms - began
    assert 5 == len(gateway.requests)


def test_a_kept_report_is_sent_when_it_is_due(
    make: MakeCourier, gateway: PlayedGateway, clock: SetClock, counters: MemoryCounters, tmp_path: Path
) -> None:
    """Not before, and then in the same bytes."""
    gateway.answers.append(told(503, {}))
    clock.is_impatient = True
    courier = make()
    assert Outcome.KEPT is courier.send(BODY).outcome
    assert (1, 1) == (courier.drain(1_000), len(gateway.requests))
    clock.time_ms += 1_000

    assert 0 == make().drain(1_000)
    assert [BODY] * 2 == [request.body for request in gateway.requests]
    assert ({Counted.FINALISED: 1, Counted.RETRIED: 1}, []) == (counted(counters), list(tmp_path.iterdir()))


def test_a_kept_report_waits_as_long_again_as_it_has_waited(
    make: MakeCourier, gateway: PlayedGateway, clock: SetClock
) -> None:
    """So the waits double, up to a minute, whichever process tries."""
    gateway.answers.extend([told(503, {})] * 100)
    clock.is_impatient = True
    make().send(BODY)
    began, tries = clock.time_ms, []

    while clock.time_ms - began < 600_000:
        clock.time_ms += 500
        before = len(gateway.requests)
        make().drain(1_000)
        if len(gateway.requests) > before:
            tries.append((clock.time_ms - began) // 1_000)

    assert [1, 2, 4, 8, 16, 32, 64] == tries[:7]
    assert {60} == {later - earlier for earlier, later in pairwise(tries[7:])}


def test_a_report_is_given_up_after_an_hour(
    make: MakeCourier, gateway: PlayedGateway, clock: SetClock, counters: MemoryCounters
) -> None:
    """A gateway that never comes back is not written to for ever."""
    gateway.answers.append(told(503, {}))
    clock.is_impatient = True
    make().send(BODY)
    clock.time_ms += LONGEST_MS + 1

    assert (0, 1) == (make().drain(1_000), len(gateway.requests))
    assert 1 == counters.read()[Counted.EXPIRED]


def test_a_drain_ends_with_its_budget(make: MakeCourier, gateway: PlayedGateway, clock: SetClock) -> None:
    """What is not reached waits for the next."""
    gateway.answers.extend([told(503, {})] * 5)
    clock.is_impatient = True
    courier = make()
    for _ in range(5):
        courier.send(BODY)
    clock.time_ms += 10_000
    already = len(gateway.requests)

    assert (5, 0) == (courier.drain(0), len(gateway.requests) - already)


def test_a_report_that_can_neither_be_kept_nor_sent_is_lost(
    make: MakeCourier,
    gateway: PlayedGateway,
    tmp_path: Path,
    clock: SetClock,
    counters: MemoryCounters,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """And only that one: kept or sent is enough."""
    gateway.answers.append(told(503, {}))
    clock.is_impatient = True
    courier = make()
    tmp_path.rmdir()

    lost, sent = courier.send(BODY), make().send(BODY)

    assert (Outcome.LOST, Outcome.FINALISED) == (lost.outcome, sent.outcome)
    assert 1 == counters.read()[Counted.DROPPED]
    assert "a report is lost" in caplog.messages


def test_what_is_left_is_sent_later(make: MakeCourier, gateway: PlayedGateway) -> None:
    """Nobody waits for it."""
    courier = make()
    courier.leave(BODY)
    assert [] == gateway.requests

    assert 0 == courier.drain(1_000)
    assert [BODY] == [request.body for request in gateway.requests]


class FastClock(Clock):
    """Real time, in which a report is due at once."""

    def jitter(self) -> float:
        return 0.0


def outbox_thread() -> threading.Thread | None:
    """The one that delivers in the background."""
    return next((thread for thread in threading.enumerate() if thread.name == "interpose-outbox"), None)


def test_the_background_delivers_until_nothing_waits(make: MakeCourier, gateway: PlayedGateway, tmp_path: Path) -> None:
    """Then its thread ends, and another report starts it anew."""
    for _ in range(2):
        gateway.answers.extend([told(503, {})] * 2)
        gateway.requests.clear()
        courier = make(FastClock(), delivery="background")
        courier.leave(BODY)
        thread = outbox_thread()
        if thread is not None:
            thread.join(PATIENCE_S)

        assert ([], None) == (list(tmp_path.iterdir()), outbox_thread())
        assert {BODY} == {request.body for request in gateway.requests}


def test_the_background_goes_on_with_what_an_earlier_process_left(
    make: MakeCourier, gateway: PlayedGateway, tmp_path: Path
) -> None:
    """As soon as there is a gate again."""
    make(FastClock()).leave(BODY)
    make(FastClock(), delivery="background").resume()
    thread = outbox_thread()
    if thread is not None:
        thread.join(PATIENCE_S)

    assert ([BODY], []) == ([request.body for request in gateway.requests], list(tmp_path.iterdir()))


def test_nothing_runs_in_the_background_where_nothing_waits(make: MakeCourier) -> None:
    """An idle agent has no thread of ours."""
    make(FastClock(), delivery="background").resume()

    assert None is outbox_thread()
