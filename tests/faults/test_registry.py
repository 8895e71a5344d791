"""The registry made stricter, shrunk, emptied, deleted and spoiled while callers call."""

import time
from random import Random
from typing import Any

import pytest

from interpose.bus import subjects

from .judge import Rules
from .load import Kind, Load
from .scene import scene
from .stage import BASE, DEMANDED, GATE, STANDARD, Stage

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="module")]

ABSENT = {"name": "absent", "service": "nobody", "timeout": 500}
STRICTER = STANDARD | {"hooks": STANDARD["hooks"] | {"before:*": [ABSENT]}}
SHRUNK = BASE | {"hooks": {"before:echo": [GATE]}}
EMPTY: dict[str, Any] = BASE | {"hooks": {}}


async def test_it_is_made_stricter(stage: Stage, load: Load) -> None:
    """A call keeps the revision that it met at the door; nothing that met the new one runs without its new hook."""
    async with scene(stage, load) as play:
        await load.at_random()
        strict = await stage.rule(STRICTER, Rules(DEMANDED.before | {"absent"}, DEMANDED.after))
        await load.met(strict, 20)
        await stage.rule(STANDARD, DEMANDED)
        await play.recovered(time.monotonic())

    evidence = await play.judge()
    judged = [told.answer for told in evidence.told if told.answer.get("revision") == strict]
    assert {("refuse", "absent")} == {(answer["decision"], answer["decided_by"]) for answer in judged if answer["code"]}
    assert not any(answer["ran"] for answer in judged)


SHRUNKEN = {
    "shrunk": (SHRUNK, Rules(before=frozenset({"gate"})), {Kind.REFUSED}),
    "emptied": (EMPTY, Rules(), set()),
}


@pytest.mark.parametrize(("configuration", "demands", "refuses"), SHRUNKEN.values(), ids=SHRUNKEN.keys())
async def test_it_shrinks(
    stage: Stage, load: Load, configuration: dict[str, Any], demands: Rules, refuses: set[Kind]
) -> None:
    """An operator's word: what was refused runs under the new revision, and under no other."""
    async with scene(stage, load) as play:
        await load.at_random()
        loose = await stage.rule(configuration, demands)
        await load.met(loose, 40)
        await stage.rule(STANDARD, DEMANDED)
        await play.recovered(time.monotonic())

    told = (await play.judge()).told
    assert refuses.isdisjoint(
        {each.call.kind for each in told if each.is_delivered and each.answer["revision"] == loose}
    )
    assert {Kind.FINE} == {each.call.kind for each in told if each.is_delivered and each.answer["revision"] != loose}


async def delete(stage: Stage) -> None:
    """The key, as any KV client can."""
    await (await stage.operator.jetstream().key_value(subjects.REGISTRY_BUCKET)).delete("current")


async def spoil(stage: Stage) -> None:
    """Half a document."""
    await stage.scribble(b'{"schema": "interpose.registry/1", "entries": [')


async def lose(stage: Stage) -> None:
    """The whole bucket."""
    await stage.operator.jetstream().delete_stream(subjects.REGISTRY_STREAM)


@pytest.mark.parametrize("spoiled", [delete, spoil, lose], ids=["deleted", "garbage", "bucket-lost"])
async def test_it_cannot_be_used(stage: Stage, load: Load, dice: Random, spoiled: Any) -> None:
    """The last good revision stays in force: calls are delivered, the gate still refuses; a new document mends it."""
    alarms = await stage.metric_of_all("interpose_alarms_total")
    async with scene(stage, load) as play:
        await load.at_random()
        [good] = {told.answer["revision"] for told in load.told}
        await spoiled(stage)

        async def is_told() -> bool:
            return alarms + 2 <= await stage.metric_of_all("interpose_alarms_total")

        await stage.until(is_told)
        meanwhile = len(load.told)
        await load.delivered(20)
        until = len(load.told)
        await stage.restore()
        await play.recovered(time.monotonic())

    told = (await play.judge()).told
    assert {good} == {each.answer["revision"] for each in told[meanwhile:until]}
    assert {Kind.FINE} == {each.call.kind for each in told if each.is_delivered}
