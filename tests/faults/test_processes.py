"""Workers and gateways killed with -9 and frozen with SIGSTOP at moments that nobody chose, while callers call."""

import time
from random import Random

import pytest

from .judge import orphans
from .load import CALLERS, Load
from .scene import scene
from .stage import ECHOES, GATEWAYS, HOOKS, Stage

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="module")]

FROZEN_S = (0.5, 2.0)


@pytest.mark.parametrize("names", [HOOKS, ECHOES], ids=["hook", "tool"])
async def test_one_of_two_workers_is_killed(stage: Stage, load: Load, dice: Random, names: tuple[str, str]) -> None:
    """Whatever it was asked ends in a failure or at its colleague; a new one shares the work again."""
    victim = dice.choice(names)
    async with scene(stage, load) as play:
        await load.at_random()
        await play.kill(victim)
        await load.at_random()
        await stage.start(victim)
        await play.recovered(time.monotonic())

    await play.judge()


@pytest.mark.parametrize("names", [HOOKS, ECHOES], ids=["hooks", "tools"])
async def test_all_workers_are_killed(stage: Stage, load: Load, dice: Random, names: tuple[str, str]) -> None:
    """Nobody answers for a rule, or nobody serves the tool: nothing runs until somebody does."""
    async with scene(stage, load) as play:
        await load.at_random()
        await play.kill(*names)
        await load.at_random()
        for name in names:
            await stage.start(name)
        await play.recovered(time.monotonic())

    await play.judge()


@pytest.mark.parametrize("names", [HOOKS, ECHOES], ids=["hooks", "tools"])
@pytest.mark.parametrize("how_many", [1, 2], ids=["one", "all"])
async def test_workers_freeze(stage: Stage, load: Load, dice: Random, names: tuple[str, str], how_many: int) -> None:
    """SIGSTOP: nobody says that they are gone, so what they hold ends by its time; late answers count for nothing."""
    async with scene(stage, load) as play:
        await load.at_random()
        await play.freeze(dice.uniform(*FROZEN_S), *dice.sample(names, how_many))
        await play.recovered(time.monotonic())

    await play.judge()


async def test_a_gateway_is_killed(stage: Stage, load: Load, dice: Random) -> None:
    """Its callers lose their connection, the other one goes on; what it had recorded and not closed is told apart."""
    victim = dice.choice(GATEWAYS)
    async with scene(stage, load) as play:
        await load.at_random()
        await play.kill(victim)
        await load.at_random()
        await stage.start(victim)
        await play.recovered(time.monotonic())

    evidence = await play.judge()
    assert len(orphans(evidence)) <= CALLERS


async def test_a_gateway_freezes(stage: Stage, load: Load, dice: Random) -> None:
    """Its callers wait for it; when it goes on it looks at the clock, and refuses what has no time left."""
    victim = dice.choice(GATEWAYS)
    async with scene(stage, load) as play:
        await load.at_random()
        play.away(victim)
        await play.freeze(dice.uniform(*FROZEN_S), victim)
        await play.recovered(time.monotonic())

    assert [] == orphans(await play.judge())


async def test_everything_that_can_be_killed_one_after_another(stage: Stage, load: Load, dice: Random) -> None:
    """Worker, tool and gateway in an order that nobody chose, each while the one before is still away."""
    victims = dice.sample([dice.choice(HOOKS), dice.choice(ECHOES), dice.choice(GATEWAYS)], 3)
    async with scene(stage, load) as play:
        for victim in victims:
            await load.at_random()
            await play.kill(victim)
        await load.at_random()
        for victim in victims:
            await stage.start(victim)
        await play.recovered(time.monotonic())

    await play.judge()
