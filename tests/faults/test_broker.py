"""The broker killed with -9 and frozen with SIGSTOP at moments that nobody chose, while callers call."""

import asyncio
import time
from random import Random

import pytest

from .judge import orphans
from .load import Kind, Load
from .scene import scene
from .stage import GATEWAYS, Stage

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="module")]

SHORT_S, LONG_S, LONGEST_S = (0.3, 1.5), (4.0, 6.0), (11.5, 13.0)
"""What a call may survive; more than any call's whole budget; more than a revision stays confirmed."""


async def test_the_broker_is_killed(stage: Stage, load: Load) -> None:
    """Every outstanding ask ends at once; HTTP callers are answered all the while; nothing confirmed is lost."""
    async with scene(stage, load) as play:
        await load.at_random()
        play.away("broker")
        async with stage.broker_killed():
            await load.at_random()
        await play.recovered(time.monotonic())

    assert [] == orphans(await play.judge())


async def test_the_broker_is_killed_twice(stage: Stage, load: Load) -> None:
    """Again while everybody is still on the way back to it."""
    async with scene(stage, load) as play:
        await load.at_random()
        play.away("broker")
        for _ in range(2):
            async with stage.broker_killed():
                await load.at_random()
        await play.recovered(time.monotonic())

    assert [] == orphans(await play.judge())


@pytest.mark.parametrize("frozen_s", [SHORT_S, LONG_S], ids=["short", "long"])
async def test_the_broker_freezes(stage: Stage, load: Load, dice: Random, frozen_s: tuple[float, float]) -> None:
    """Nothing is confirmed, so nothing runs, and HTTP callers are told so in time; it goes on and all is paid."""
    async with scene(stage, load) as play:
        await load.at_random()
        play.away("broker")
        async with stage.broker_frozen():
            await asyncio.sleep(dice.uniform(*frozen_s))
        await play.recovered(time.monotonic())

    assert [] == orphans(await play.judge())


async def test_the_broker_freezes_until_no_revision_is_confirmed(stage: Stage, load: Load, dice: Random) -> None:
    """Longer than 10 s: gateways that cannot confirm their rules say 503 at once and nothing runs; then all is well."""
    async with scene(stage, load) as play:
        await load.at_random()
        play.away("broker")
        async with stage.broker_frozen():
            await asyncio.sleep(dice.uniform(*LONGEST_S))
            last = await asyncio.gather(*(load.call(way, load.make(Kind.FINE, dice)) for way in load.ways[:2]))
            thawed = time.monotonic()
        await play.recovered(thawed)

    assert [] == orphans(await play.judge())
    assert [(503, "no-registry", False)] * len(GATEWAYS) == [
        (told.status, told.answer["code"], told.answer["ran"]) for told in last
    ]
