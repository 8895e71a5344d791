"""The clients file: tokens to entries. Read anew when it changes, so that tokens are rotated without a restart."""

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from interpose.config.stamp import Stamp
from interpose.contracts.clients import ClientEntry, Clients
from interpose.contracts.limits import MIB
from interpose.contracts.names import token
from interpose.contracts.strict import read_model
from interpose.errors import InvalidInput
from interpose_gateway.core.entry import Caller

log = logging.getLogger(__name__)

Opened = tuple[Caller, datetime | None]
"""Whom a token lets in, and until when."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class ClientsFile:
    """Who may call. A file that cannot be read lets nobody in. `now` is the wall clock: an end is written as a time."""

    path: Path | None
    now: Callable[[], datetime] = _now
    _seen: Stamp | None = None
    _by_digest: dict[str, Opened] = field(default_factory=dict)
    _by_token: dict[str, Caller] = field(default_factory=dict)

    def by_secret(self, secret: str) -> Caller | None:
        """The caller whose token this is; a token that was replaced is its until its end."""
        self._refresh()
        found = self._by_digest.get(hashlib.sha256(secret.encode()).hexdigest())
        if found is None:
            return None
        caller, until = found
        return caller if until is None or self.now() < until else None

    def by_subject_token(self, name: str) -> Caller | None:
        """The caller whom the broker let publish on its own subject."""
        self._refresh()
        return self._by_token.get(name)

    @property
    def is_empty(self) -> bool:
        """Whether nobody can call."""
        self._refresh()
        return not self._by_digest

    def _refresh(self) -> None:
        if self.path is None:
            return
        seen = Stamp.of(self.path)
        if seen is not None and seen == self._seen:
            return
        try:
            self._load(read_model(Clients, self.path.read_bytes(), limit=MIB, what="the clients file").clients)
            self._seen = seen
        except (OSError, InvalidInput) as error:
            if self._seen is not None or self._by_digest:
                log.error("nobody may call: the clients file cannot be read: %s", error)  # noqa: TRY400 (no traceback: it is an operator's file)
            self._seen, self._by_digest, self._by_token = None, {}, {}

    def _load(self, clients: dict[str, ClientEntry]) -> None:
        callers = [Caller(name, entry) for name, entry in clients.items()]
        self._by_digest = {
            digest: (caller, until) for caller in callers for digest, until in caller.entry.digests().items()
        }
        self._by_token = {token(caller.name): caller for caller in callers}
