"""The generated broker: it starts, comes back, and takes new users while others stay connected."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest

from interpose.embedded import operator
from interpose.embedded.home import Home
from interpose.embedded.identities import Role, ensure_identity
from interpose.errors import BusUnavailable

pytestmark = pytest.mark.server


async def test_everybody_with_a_key_is_let_in(broker: Any) -> None:
    """Each generated identity connects to the generated configuration."""
    labels = ["gateway", "operator", "service-validator", "tool-echo", "client-local"]

    connected = [(await broker.connect(label)).is_connected for label in labels]

    assert [True] * 5 == connected


async def test_a_user_added_while_the_broker_runs_disconnects_nobody(broker: Any) -> None:
    """After `add_service` the new one is let in, and those who were connected were never disconnected."""
    lost: list[str] = []

    async def disconnected() -> None:
        lost.append("disconnected")

    old = [await broker.connect(label, disconnected_cb=disconnected) for label in ("gateway", "service-validator")]
    pid = broker.pid

    await broker.add_service("newcomer")
    newcomer = await broker.connect("service-newcomer")
    for client in (*old, newcomer):
        await broker.settle(client)

    assert [] == lost
    assert pid == broker.pid


async def test_clients_come_back_after_a_crash_of_the_broker(broker: Any) -> None:
    """A client of a killed broker is connected again when a new one listens on the same port."""
    back = asyncio.Event()

    async def reconnected() -> None:
        back.set()

    client = await broker.connect("operator", reconnected_cb=reconnected)
    await broker.stop(signal.SIGKILL)

    await broker.start()
    await asyncio.wait_for(back.wait(), 10)

    assert client.is_connected


async def test_a_key_of_another_home_is_refused(broker: Any, tmp_path: Path) -> None:
    """A valid nkey that nobody put into the directory does not connect."""
    stranger = ensure_identity(Home(tmp_path / "other").prepared(), Role.OPERATOR)

    with pytest.raises(BusUnavailable, match=r"(?i)authorization"):
        await operator.connect_with(broker.url, Home(tmp_path / "other").seed(stranger.label), "_INBOX_operator", 1_000)
