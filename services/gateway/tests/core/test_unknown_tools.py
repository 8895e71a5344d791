"""A tool that neither the configuration nor a table knows passes as it is, with a word of warning."""

import pytest

from interpose.contracts.words import Phase

WARNING = "neither the configuration nor any table knows tool weather: only rules for its very name or * judge it"


async def test_a_tool_that_nothing_knows_is_warned_about(world):
    """In the answer and on the before record, once."""
    world.configure({})

    reply = await world.call("weather")

    assert (200, [WARNING]) == (reply.status, reply.answer.warnings)
    assert [WARNING] == world.ledger.of(Phase.BEFORE).warnings
    assert [] == world.ledger.of(Phase.AFTER).warnings


@pytest.mark.parametrize("tool", ["bash", "MESSAGE", "mcp__github__create_issue", "declared"])
async def test_a_known_tool_is_not(world, tool):
    """Known by a table, by the form of its name, or by the configuration, whatever the case."""
    world.configure({}, tools={"Declared": {}})

    reply = await world.call(tool)

    assert [] == reply.answer.warnings
