"""Closing a connection while its broker is away."""

import asyncio
from contextlib import suppress
from typing import Any

from interpose.bus import connection


class Stubborn:
    """A connection whose reconnecting loses the first cancellations, as nats-py's does where `wait_for` eats them."""

    def __init__(self, losses: int) -> None:
        self.losses = losses
        self.is_connected = False
        self._pending = [b"UNSUB 1\r\n"]
        self._pending_data_size = len(self._pending[0])
        self._reconnection_task = asyncio.create_task(self._reconnect())

    async def close(self) -> None:
        """Cancel once, as nats-py does, and write what is pending to a transport that is closed."""
        assert not self._pending
        self._reconnection_task.cancel()
        await asyncio.sleep(0)

    async def _reconnect(self) -> None:
        for _ in range(self.losses):
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
        await asyncio.Event().wait()


async def test_no_reconnecting_outlives_the_close() -> None:
    """However often its cancellation is lost, it has ended on return."""
    client: Any = Stubborn(losses=3)
    await asyncio.sleep(0)  # it waits by now

    await connection.close(client)

    assert client._reconnection_task.cancelled()
