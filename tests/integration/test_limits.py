"""How much a gateway takes at once, and how much time a call has."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

MOST = 4


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def narrow(standing: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Any]:
    """A gateway that takes four calls at once."""
    opened = standing.beside(tmp_path_factory.mktemp("narrow"))
    await opened.start_gateway("gateway-2", INTERPOSE_MOST_IN_FLIGHT=str(MOST))
    yield opened
    await opened.close()


async def test_more_calls_than_places_are_told_to_come_back(narrow: Any, mark: str) -> None:
    """429 with Retry-After, unjudged and unrecorded; those under way end well, and then there is room again."""
    held = [narrow.later("gated", {"mark": mark, "hold": "before"}) for _ in range(MOST)]
    await narrow.witness.sees("asked before", mark, MOST)

    refused = [await narrow.call("gated", {"mark": mark}) for _ in range(3)]
    narrow.witness.release()
    replies = [await each for each in held]
    after = await narrow.call("gated", {"mark": mark})

    assert [(429, "too-many-calls", "1")] * 3 == [
        (each.status_code, each.json()["code"], each.headers["Retry-After"]) for each in refused
    ]
    assert [200] * (MOST + 1) == [each.status_code for each in [*replies, after]]
    assert MOST + 1 == len(narrow.witness.of("asked before", mark))
    assert MOST + 1 == len(narrow.witness.of("ran", mark))


async def test_a_tiny_budget_turns_no_hook_off(narrow: Any, mark: str) -> None:
    """A call whose own time ends before its advisory hook's does is undecided: 503, recorded, and it does not run."""
    reply = await narrow.call("heard", {"mark": mark, "hold": "before"}, timeout_ms=100)
    narrow.witness.release()

    answer = reply.json()
    [record] = await narrow.records(answer["call_id"])
    assert (503, "budget-used-up", "refuse", False) == (
        reply.status_code,
        answer["code"],
        answer["decision"],
        answer["ran"],
    )
    assert ("refuse", "cut_off") == (record.body["decision"], record.body["hooks"][1]["ending"])
    assert [] == narrow.witness.of("ran", mark)
