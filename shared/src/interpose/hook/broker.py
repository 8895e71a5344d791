"""FastStream's broker, which a worker can also leave while no broker answers."""

import logging
from types import TracebackType

from faststream.nats import NatsBroker
from nats.errors import Error as NatsError

from interpose.bus import connection
from interpose.bus.connection import ErrorListener

REFUSALS = 3
"""So often in a row who connects for the first time is refused before that is believed."""

log = logging.getLogger("interpose.worker")


class Broker(NatsBroker):
    """Its connection is closed when the broker has what was said; a refusal that will not last is outlived.

    FastStream drains it. nats-py refuses that while it reconnects, which ended a worker with a traceback and left its
    reconnecting to go on for ever, and a broker may go at any moment: who stops both asks for it. Of a frozen broker it
    waits for as long as many flushes may take. Whoever answers has drained its own subscriptions by then.

    A nats-server that reads its users anew throws out whoever has not shown a key yet. FastStream takes that for
    final: it ended a worker that began just then, and the reconnecting of one that came back.
    """

    def _log_connection_broken(self, error_cb: ErrorListener | None = None) -> ErrorListener:
        """FastStream's, which raises what it holds for final: that is heeded before the first connection alone."""
        hear = super()._log_connection_broken(error_cb)
        refused = 0

        async def outlive(error: Exception) -> None:
            nonlocal refused
            try:
                await hear(error)
            except NatsError:
                refused += 1
                if self._connection is None and refused >= REFUSALS:
                    raise
                log.warning("the broker refuses this connection (%s); trying again", error)

        return outlive

    async def stop(
        self,
        exc_type: type[BaseException] | None = None,
        exc_val: BaseException | None = None,
        exc_tb: TracebackType | None = None,
    ) -> None:
        """As FastStream's, and bounded."""
        client = self._connection
        if client is not None:
            if trouble := await connection.trouble(client):
                log.warning("ends while %s", "; ".join(trouble))
            await connection.close(client)
            self._connection = None
        await super().stop(exc_type, exc_val, exc_tb)
