"""Presence: every worker answers `$SRV.PING`, `INFO` and `STATS` (NATS micro services protocol, ADR-32).

A verb of ours is beside them: with `TELL` the operator, who alone may publish there, says what a worker cannot read
itself, such as that its hook is not in force.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson
from nats.aio.client import Client
from nats.aio.msg import Msg

from interpose.bus import subjects
from interpose.bus.connection import settle
from interpose.bus.responder import Responder
from interpose.contracts.limits import REASON_CHARACTERS
from interpose.contracts.names import token

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Announcer:
    """Answers for one responder. `name` is the service's subject token; `instance` this worker's own name.

    `metadata` is asked at each answer, so that it tells how things are now.
    """

    client: Client
    responder: Responder
    name: str
    instance: str
    version: str
    metadata: Callable[[], dict[str, str]] = dict
    endpoint: str = "ask"
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    _heard: list[str] = field(default_factory=list)

    async def start(self) -> None:
        """Listen on the verbs: for everybody, for this service, for this worker."""
        for subject in subjects.presence(self.name):
            await self.client.subscribe(subject, cb=self._answer)
        await settle(self.client)

    async def _answer(self, msg: Msg) -> None:
        if not subjects.is_within(msg.reply, subjects.OPERATOR_INBOX):
            self.responder.tally.dropped += 1
            return
        _, verb, *whose = msg.subject.split(".")
        if whose[1:] not in ([], [token(self.instance)]):
            return
        answer = {"PING": self._ping, "INFO": self._info, "STATS": self._stats}.get(verb)
        if answer is not None:
            await self.client.publish(msg.reply, orjson.dumps(answer()))
        elif verb == "TELL":
            self._hear(msg.data.decode(errors="replace")[:REASON_CHARACTERS])

    def _hear(self, said: str) -> None:
        """It is said again as long as it is so, and logged when it is news."""
        if self._heard[-1:] != [said]:
            self._heard[:] = [said]
            log.warning("the operator says: %s", said)

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "type": f"io.nats.micro.v1.{kind}_response",
            "name": token(self.name),
            "id": token(self.instance),
            "version": self.version,
            "metadata": {**self.metadata(), "instance": self.instance},
        }

    def _endpoint(self) -> dict[str, Any]:
        return {"name": self.endpoint, "subject": self.responder.subject, "queue_group": self.responder.queue}

    def _ping(self) -> dict[str, Any]:
        return self._head("ping")

    def _info(self) -> dict[str, Any]:
        return self._head("info") | {"description": "", "endpoints": [self._endpoint() | {"metadata": {}}]}

    def _stats(self) -> dict[str, Any]:
        tally = self.responder.tally
        endpoint = self._endpoint() | {
            "num_requests": tally.requests,
            "num_errors": tally.errors,
            "last_error": tally.last_error,
            "processing_time": tally.busy_ns,
            "average_processing_time": tally.busy_ns // max(1, tally.requests),
            "data": {"dropped": tally.dropped},
        }
        return self._head("stats") | {"started": self.started.isoformat(), "endpoints": [endpoint]}
