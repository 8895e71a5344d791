"""The wall clock of a process jumps while callers call: hours forward in one of two, back in the other."""

import signal
import time
from collections.abc import Callable, Sequence

import pytest

from .load import Load, Told
from .scene import scene
from .stage import CLOCK, ECHOES, GATEWAYS, HOOKS, Stage

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="module")]

HOURS_6 = 6 * 3600
JUMPS_S = (HOURS_6, -HOURS_6)

Busy = Callable[[Stage, Sequence[Told]], set[str]]


def judges(_stage: Stage, delivered: Sequence[Told]) -> set[str]:
    """The hook workers that said yes to these calls."""
    return {hook["worker"] for told in delivered for hook in told.answer["hooks"]}


def runners(stage: Stage, delivered: Sequence[Told]) -> set[str]:
    """The tool workers that ran them."""
    calls = {told.answer["call_id"] for told in delivered}
    return {name for name in ECHOES for run in stage.diary.of("ran", name) if run["call_id"] in calls}


def doors(_stage: Stage, delivered: Sequence[Told]) -> set[str]:
    """The gateways that took them over HTTP."""
    return {name for told in delivered for name in told.leans_on if len(told.leans_on) == 1}


WHO = {"hooks": (HOOKS, judges), "tools": (ECHOES, runners), "gateways": (GATEWAYS, doors)}


@pytest.mark.parametrize(("names", "busy"), WHO.values(), ids=WHO.keys())
async def test_it_jumps(stage: Stage, load: Load, names: tuple[str, str], busy: Busy) -> None:
    """Both go on: time is counted on the monotonic clock, and the wall clock is written down and decides nothing."""
    async with scene(stage, load) as play:
        for name, jump_s in zip(names, JUMPS_S, strict=True):
            await play.kill(name)
            await stage.start(name, **{CLOCK: str(jump_s)})
        await play.recovered(time.monotonic())
        for name in names:
            stage.standing[name].send(signal.SIGUSR1)
        await load.until(lambda _told: {*JUMPS_S} <= jumped(stage, names))
        before = len(load.told)
        await load.delivered(60)

    told = (await play.judge()).told[before:]
    for name in names:  # the next scenario begins with clocks that tell the time
        await stage.standing[name].kill()
    assert {*names} <= busy(stage, [each for each in told if each.is_delivered])


def jumped(stage: Stage, names: Sequence[str]) -> set[int]:
    """The jumps that these have made."""
    return {each["moved_s"] for name in names for each in stage.diary.of("clock", name)}
