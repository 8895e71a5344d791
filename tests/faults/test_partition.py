"""One of two gateways parted from the broker while callers call: nothing is refused or reset, and nothing arrives.

Its callers reach it as before, so each of them is answered in time. Callers on the bus wait for a gateway that the
broker does not know to be gone; they lean on the line.
"""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
import pytest_asyncio

from .judge import orphans
from .load import Kind, Load, Way
from .scene import scene
from .stage import GATEWAYS, LINK, Stage

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="module")]

DEAF, DUMB, PARTED = (signal.SIGUSR1,), (signal.SIGUSR2,), (signal.SIGUSR1, signal.SIGUSR2)
"""The gateway hears nothing; nobody hears it; both."""
SHORT_S, LONGEST_S = (0.5, 2.0), (11.5, 13.0)
"""Within a call's budget; until both sides have given the connection up and no revision is confirmed."""
PARTED_GATEWAY, OTHER_GATEWAY = GATEWAYS


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def line(theatre: Stage) -> AsyncIterator[Any]:
    """The line of the gateway that is parted."""
    line = await theatre.link(PARTED_GATEWAY)
    yield line
    await line.kill()


@asynccontextmanager
async def parted(line: Any, how: Sequence[signal.Signals]) -> AsyncIterator[None]:
    """The line holds what comes; on leaving it goes on, with what it held."""
    for each in how:
        line.send(each)
    try:
        yield
    finally:
        line.send(signal.SIGHUP)


def over(load: Load, gateway: str) -> Way:
    """The way to one gateway over HTTP."""
    return next(way for way in load.ways if way.leans_on == {gateway})


@pytest.mark.parametrize("how", [DEAF, DUMB, PARTED], ids=["deaf", "dumb", "parted"])
async def test_a_gateway_is_parted_from_the_broker(
    line: Any, stage: Stage, load: Load, dice: Random, how: Sequence[signal.Signals]
) -> None:
    """It runs nothing that it cannot record, and says so in time; the other one goes on; late bytes change nothing."""
    async with scene(stage, load) as play:
        await load.at_random()
        play.away(LINK)
        async with parted(line, how):
            await asyncio.sleep(dice.uniform(*SHORT_S))
            other = await load.call(over(load, OTHER_GATEWAY), load.make(Kind.FINE, dice))
        await play.recovered(time.monotonic())

    assert [] == orphans(await play.judge())
    assert other.is_delivered


async def test_a_gateway_is_parted_until_nothing_is_confirmed(
    line: Any, stage: Stage, load: Load, dice: Random
) -> None:
    """In one way of three, longer than any connection and any revision holds: 503 here, everything there, then both."""
    async with scene(stage, load) as play:
        await load.at_random()
        play.away(LINK)
        async with parted(line, dice.choice([DEAF, DUMB, PARTED])):
            await asyncio.sleep(dice.uniform(*LONGEST_S))
            cut_off, other = await asyncio.gather(
                *(load.call(over(load, name), load.make(Kind.FINE, dice)) for name in GATEWAYS)
            )
        await play.recovered(time.monotonic())

    assert [] == orphans(await play.judge())
    assert (503, "no-registry", False) == (cut_off.status, cut_off.answer["code"], cut_off.answer["ran"])
    assert other.is_delivered
