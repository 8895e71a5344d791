"""Workers that lie, and subscribers that do not read, while callers call."""

import signal
import sqlite3

import pytest

from .load import Kind, Load, Told
from .scene import scene
from .stage import Stage

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="module")]

HONEST = "honest"
LIES = {"late": "deadline_exceeded", "other": "malformed_verdict"}
"""What comes of an answer behind its time, and of one to another ask. `twice`: the first one counts."""
MUCH = "x" * 100_000


def failure_of(told: Told) -> str | None:
    """How the rogue failed in a call that it was asked about."""
    return next(
        (hook["failure"] for hook in told.answer["hooks"] if hook["name"] == "rogue" and "failure" in hook), None
    )


async def test_a_worker_that_lies(stage: Stage, load: Load) -> None:
    """Of its answers twice, late and to another ask only the first valid one in time counts; the others are counted."""
    load.action = "rogue"
    load.parameters = lambda dice: {"rogue": dice.choice([HONEST, "twice", *LIES])}
    await stage.play("service-rogue", "rogue")
    strays = await stage.metric_of_all("interpose_stray_replies")
    try:
        async with scene(stage, load) as play:
            await load.answered(100)
    finally:
        await stage.standing["rogue"].kill()

    fine = [told for told in (await play.judge()).told if told.call.kind is Kind.FINE]
    of: dict[str, list[Told]] = {
        way: [told for told in fine if told.said["rogue"] == way] for way in (HONEST, "twice", *LIES)
    }
    for lie, failure in LIES.items():
        assert not any(told.is_delivered for told in of[lie])
        assert failure in {failure_of(told) for told in of[lie]}
    assert all(any(told.is_delivered for told in of[way]) for way in (HONEST, "twice"))
    assert strays < await stage.metric_of_all("interpose_stray_replies")


async def test_an_audit_logger_that_is_frozen_delays_nobody(stage: Stage, load: Load) -> None:
    """Calls go on as if it were there; when it goes on it has every record, each once."""
    await stage.start("audit-logger-1")
    logger = stage.standing["audit-logger-1"]
    async with scene(stage, load) as play:
        logger.send(signal.SIGSTOP)
        try:
            await load.delivered(60)
        finally:
            logger.send(signal.SIGCONT)
    await play.judge()

    async def has_all() -> bool:
        info = await stage.operator.jetstream().consumer_info("TOOL_CALLS", "audit-logger")
        return (info.num_pending, info.num_ack_pending) == (0, 0)

    await stage.until(has_all)
    with sqlite3.connect(stage.folder / "audit.sqlite") as store:
        [kept] = store.execute("SELECT count(*) FROM records").fetchone()
    assert kept == (await stage.operator.jetstream().stream_info("TOOL_CALLS")).state.messages


async def test_a_subscriber_that_does_not_read_delays_nobody(stage: Stage, load: Load) -> None:
    """The broker drops who asked for everything and reads nothing; calls are delivered before, then and afterwards."""
    load.parameters = lambda _dice: {"text": MUCH}
    deaf = await stage.play("operator", "deaf")
    log = stage.broker.home.log("broker")

    async def is_dropped() -> bool:
        return "Slow Consumer Detected" in log.read_text()

    async with scene(stage, load) as play:
        deaf.send(signal.SIGSTOP)
        try:
            await load.delivered(20)
            await stage.until(is_dropped)
            await load.delivered(20)
        finally:
            deaf.send(signal.SIGCONT)
    await play.judge()
