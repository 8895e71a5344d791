"""Every service and every example passes the exam of all hooks, as a process on a real server."""

import asyncio
from typing import Any

import pytest

from interpose.bus import headers, subjects
from interpose.contracts.digest import encode
from interpose.testing import conformance

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="module")]


@pytest.mark.parametrize("question", conformance.EXAM, ids=lambda question: question.__name__)
async def test_it_passes(seat: Any, question: conformance.Question) -> None:
    """One question of the exam."""
    await question(seat.target, seat.sample)


async def test_its_answers_name_the_version_and_the_worker(seat: Any) -> None:
    """Headers of the wire format stand on every reply, and none of the request's comes back."""
    replied = asyncio.get_running_loop().create_future()

    async def note(msg: Any) -> None:
        replied.set_result(msg.headers)

    inbox = f"{subjects.GATEWAY_INBOX}.exam.raw"
    await seat.gateway.subscribe(inbox, cb=note)
    await seat.gateway.publish(
        seat.target.subject, encode(seat.sample.to_wire()), reply=inbox, headers={"Authorization": "secret"}
    )
    fields = await asyncio.wait_for(replied, 60)

    assert headers.WIRE_VERSION == fields[headers.VERSION]
    assert "examined-1" == fields[headers.WORKER]
    assert "Authorization" not in fields
