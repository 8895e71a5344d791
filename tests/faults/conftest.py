"""Faults under load on a real server. FAULTS_SEED repeats a run's choices, FAULTS_ROUNDS plays it so often.

Nothing here sleeps to let something happen: what lasts has the fault's own length, and a scenario waits for answers.
"""

import os
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
import pytest_asyncio

from .load import Load
from .stage import Stage, open_stage

SEED = os.environ.get("FAULTS_SEED") or os.urandom(4).hex()
ROUNDS = int(os.environ.get("FAULTS_ROUNDS", "1"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each scenario that rolls dice is played in so many rounds."""
    if "dice" in metafunc.fixturenames and ROUNDS > 1:
        metafunc.parametrize("fault_round", range(ROUNDS), ids=lambda number: f"round{number + 1}")


@pytest.fixture
def fault_round() -> int:
    """Which round this is, where there are several."""
    return 0


@pytest.fixture
def dice(request: pytest.FixtureRequest, fault_round: int) -> Random:
    """A scenario's chance: the same seed, the same choices."""
    print(f"FAULTS_SEED={SEED} round {fault_round + 1}")
    return Random(f"{SEED}/{request.node.originalname}/{fault_round}")  # noqa: S311 - chance that can be repeated


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theatre(new_broker: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One system for all scenarios of a module."""
    async with open_stage(new_broker, tmp_path_factory.mktemp("faults")) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def stage(theatre: Stage) -> Stage:
    """The module's system, whole again whatever the scenario before did."""
    await theatre.restore()
    return theatre


@pytest.fixture
def load(stage: Stage, dice: Random) -> Load:
    """The callers of this scenario."""
    return Load(os.urandom(6).hex(), stage.ways(), dice)
