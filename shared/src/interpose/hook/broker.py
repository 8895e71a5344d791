"""FastStream's broker, which a worker can also leave while no broker answers."""

import logging
from types import TracebackType

from faststream.nats import NatsBroker

from interpose.bus import connection

log = logging.getLogger("interpose.worker")


class Broker(NatsBroker):
    """Its connection is drained where that is possible, else closed.

    nats-py refuses to drain while it reconnects, which ended a worker with a traceback and left its reconnecting to
    go on for ever; of a frozen broker it waits for as long as many flushes may take.
    """

    async def stop(
        self,
        exc_type: type[BaseException] | None = None,
        exc_val: BaseException | None = None,
        exc_tb: TracebackType | None = None,
    ) -> None:
        """As FastStream's, and bounded."""
        client = self._connection
        if client is not None and (trouble := await connection.trouble(client)):
            log.warning("ends while %s", "; ".join(trouble))
            await connection.close(client)
            self._connection = None
        await super().stop(exc_type, exc_val, exc_tb)
