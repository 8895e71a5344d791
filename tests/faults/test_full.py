"""No room for records: a store as small as its limit, and a disk that is really full."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from nats.errors import Error as NatsError
from nats.js.api import StorageType, StreamConfig

from .load import Load, Told
from .scene import scene
from .stage import Stage, Tune, open_stage

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="function")]

MIB = 1024 * 1024
STORE_BYTES = 8 * MIB
DISK_BYTES = 24 * MIB
CHUNKS = (256 * 1024, 16 * 1024, 1024, 64)
FILLER = "FILLER"


def limit_store(broker: Any) -> None:
    """The broker's own limit for all of its streams together."""
    header, _, settings = broker.home.broker_config.read_text().partition("\n")
    changed = json.loads(settings)
    changed["jetstream"]["max_file_store"] = STORE_BYTES
    broker.home.broker_config.write_text(f"{header}\n{json.dumps(changed)}\n")


@asynccontextmanager
async def filled_store(stage: Stage) -> AsyncIterator[None]:
    """Somebody else's stream takes all that is left; on leaving it is gone."""
    streams = stage.operator.jetstream()
    await streams.add_stream(StreamConfig(name=FILLER, subjects=["filler"], storage=StorageType.FILE))
    try:
        for size in CHUNKS:
            await fill(stage, size)
        yield
    finally:
        await streams.delete_stream(FILLER)


async def fill(stage: Stage, size: int) -> None:
    """Until the broker refuses this size."""
    for _ in range(STORE_BYTES // CHUNKS[-1]):
        try:
            await stage.operator.jetstream().publish("filler", bytes(size))
        except NatsError:
            return
    raise AssertionError("the store takes more than its limit")


def all_refused(told: list[Told]) -> bool:
    """Whether nobody was let through, and everybody was told why."""
    said = {(each.status, each.answer["code"], each.answer["ran"]) for each in told}
    return {(503, "record-impossible", False)} == said


async def test_the_store_is_full(new_broker: Any, tmp_path: Path, dice: Random) -> None:
    """Every call is refused with 503 and nothing runs; with room again calls are delivered, nobody is started."""
    async with open_stage(new_broker, tmp_path, limit_store) as stage:
        load = Load(os.urandom(6).hex(), stage.ways(), dice)
        async with scene(stage, load) as play:
            await load.at_random()
            async with filled_store(stage):
                since = time.monotonic()
                await load.until(lambda told: sum(each.sent > since for each in told) >= 30)
                until = time.monotonic()
            await play.recovered(time.monotonic())

        evidence = await play.judge()
        assert all_refused([told for told in evidence.told if since < told.sent and told.ended < until])


@pytest.fixture
def on_small_disk() -> Iterator[Tune]:
    """Puts the broker's streams on a file system of its own in memory; skipped where this user may mount none."""
    mount, umount = shutil.which("mount"), shutil.which("umount")
    mounted: list[Path] = []

    def tune(broker: Any) -> None:
        command = ["-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=0700", "tmpfs", str(broker.home.jetstream)]
        if not (mount and umount) or subprocess.run([mount, *command], capture_output=True, check=False).returncode:
            pytest.skip("needs the right to mount a tmpfs")
        mounted.append(broker.home.jetstream)

    yield tune
    for folder in mounted:
        subprocess.run([str(umount), "-l", folder], check=True)


async def test_the_disk_is_full(new_broker: Any, tmp_path: Path, dice: Random, on_small_disk: Tune) -> None:
    """ENOSPC under the broker: nothing runs while it lasts; with room made and the broker started again calls run."""
    async with open_stage(new_broker, tmp_path, on_small_disk) as stage:
        load, ballast = Load(os.urandom(6).hex(), stage.ways(), dice), stage.broker.home.jetstream / "ballast"
        async with scene(stage, load) as play:
            await load.at_random()
            exhaust(ballast)
            await load.until(lambda told: any(each.answer.get("code") == "record-impossible" for each in told))
            since = time.monotonic()
            await load.until(lambda told: sum(each.sent > since for each in told) >= 12)
            until = time.monotonic()
            play.away("broker")
            async with stage.broker_killed():
                ballast.unlink()
            await play.recovered(time.monotonic())

        evidence = await play.judge()
        assert all_refused([told for told in evidence.told if since < told.sent and told.ended < until])


def exhaust(path: Path) -> None:
    """Take every byte that is left on a disk."""
    with path.open("wb", buffering=0) as file:
        for size in CHUNKS:
            while has_room(file, size):
                pass


def has_room(file: Any, size: int) -> bool:
    """Whether these bytes found a place."""
    try:
        return bool(file.write(bytes(size)) == size)
    except OSError:
        return False
