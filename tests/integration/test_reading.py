"""Reading the record: each once, in order, from wherever it was asked, also across a crash of the broker."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from interpose.embedded import broker as program
from interpose.embedded import provision, stream
from interpose.embedded.home import Home
from interpose.embedded.reading import read
from interpose.records.stored import Stored

pytestmark = pytest.mark.server

PATIENCE_S = 30


async def take(records: AsyncIterator[Stored], count: int) -> list[Any]:
    """The next so many bodies."""
    async with asyncio.timeout(PATIENCE_S):
        return [(await anext(records)).body for _ in range(count)]


async def write(client: Any, *bodies: object) -> None:
    for body in bodies:
        await client.jetstream().publish("tool.record.before.message", json.dumps(body).encode())


@pytest.fixture
async def operator(broker: Any) -> Any:
    """The operator's connection, with the stream made."""
    client = await broker.connect("operator")
    await stream.ensure(client)
    return client


@pytest.mark.parametrize(("last", "expected"), [(None, [1, 2, 3, 4]), (2, [2, 3, 4]), (9, [1, 2, 3, 4]), (0, [4])])
async def test_reading_begins_where_it_was_asked(operator: Any, last: int | None, expected: list[int]) -> None:
    """From the start, from the last N, or with what comes next."""
    await write(operator, 1, 2, 3)
    records, before = read(operator, last), operator.stats["out_msgs"]
    reading = asyncio.create_task(take(records, len(expected)))
    async with asyncio.timeout(PATIENCE_S):
        while operator.stats["out_msgs"] < before + 2:  # noqa: ASYNC110 - until it knows where to begin and asked for a record
            await asyncio.sleep(0.01)

    await write(operator, 4)

    assert expected == await reading
    await records.aclose()


async def test_an_empty_stream_is_waited_for(operator: Any) -> None:
    """The first record ever is read."""
    records = read(operator, None)
    reading = asyncio.create_task(take(records, 1))

    await write(operator, "first")

    assert ["first"] == await reading
    await records.aclose()


async def test_a_crash_of_the_broker_loses_and_repeats_nothing(broker: Any, operator: Any) -> None:
    """Records from before and after a kill -9 come once each, in order, to the same reader."""
    records = read(operator, None)
    await write(operator, *range(5))
    before = await take(records, 3)

    await broker.stop(signal.SIGKILL)
    await broker.start()
    await write(await broker.connect("operator"), *range(5, 10))

    assert list(range(10)) == before + await take(records, 7)
    await records.aclose()


async def test_what_is_no_record_is_shown_as_it_is(operator: Any) -> None:
    """A form of a later version, and bytes that are no JSON, stop no reader."""
    await write(operator, {"schema": "interpose.record/9"})
    await operator.jetstream().publish("tool.record.before.message", b"\xff{")
    records = read(operator, None)

    async with asyncio.timeout(PATIENCE_S):
        found = [await anext(records) for _ in range(2)]

    assert [{"schema": "interpose.record/9"}, "\N{REPLACEMENT CHARACTER}{"] == [each.body for each in found]
    assert [(None, None)] * 2 == [(each.record, each.call_id) for each in found]
    await records.aclose()


async def test_the_server_takes_the_configuration_of_any_folder(tmp_path: Path) -> None:
    """Quotes, dollars, backslashes and letters beyond ASCII in the path, and hostile names, change nothing."""
    home = Home(tmp_path / 'it\'s "odd" $HOME ü \\back')

    provision.ensure(home, ["validator"], ['a"b', "*.>", "tool\n"])

    program.validate(program.locate(), home.broker_config)
