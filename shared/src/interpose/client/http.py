"""The gateway's HTTP API as a small typed client. No proxies: the gateway is called where its URL says."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import SplitResult, urlsplit

from interpose.contracts.limits import MIB
from interpose.errors import ConfigurationError, GatewayUnreachable

ANSWER_BYTES = 8 * MIB
CONNECT_TIMEOUT_MS = 5_000
CALL_TIMEOUT_MS = 3_600_000
"""The longest budget a call can have: the gateway ends every call by itself, and its answer tells what ran."""


@dataclass(frozen=True, slots=True)
class Gateway:
    """One gateway. Every method opens a connection of its own, so an instance may be shared by threads."""

    url: str
    token: str | None = None

    def call(
        self, call: Mapping[str, Any], headers: Mapping[str, str] | None = None, timeout_ms: int = CALL_TIMEOUT_MS
    ) -> tuple[int, dict[str, Any]]:
        """`POST /v1/calls`: the HTTP status and the answer (DESIGN.md, section 3).

        Raises GatewayUnreachable; its `was_sent` says whether the call may have run all the same.
        """
        own = {"Content-Type": "application/json"}
        if self.token is not None:
            own["Authorization"] = f"Bearer {self.token}"
        body = json.dumps(call, ensure_ascii=False).encode()
        return self._exchange("POST", "/v1/calls", body, {**own, **(headers or {})}, timeout_ms)

    def readiness(self, timeout_ms: int = CONNECT_TIMEOUT_MS) -> tuple[int, dict[str, Any]]:
        """`GET /readyz`: 200 when calls can be decided, else 503 with `trouble`. Raises GatewayUnreachable."""
        return self._exchange("GET", "/readyz", None, {}, timeout_ms)

    def _exchange(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], timeout_ms: int
    ) -> tuple[int, dict[str, Any]]:
        connection = self._connect()
        try:
            connection.request(method, self._split().path.rstrip("/") + path, body, dict(headers))
            if connection.sock is not None:
                connection.sock.settimeout(timeout_ms / 1000)
            return self._read(connection.getresponse())
        except (OSError, HTTPException) as error:
            said = str(error) or type(error).__name__
            raise GatewayUnreachable(f"the gateway at {self.url} gave no answer: {said}", was_sent=True) from error
        finally:
            connection.close()

    def _connect(self) -> HTTPConnection:
        where = self._split()
        kind = HTTPSConnection if where.scheme == "https" else HTTPConnection
        connection = kind(where.hostname or "", where.port, timeout=CONNECT_TIMEOUT_MS / 1000)
        try:
            connection.connect()
        except OSError as error:
            said = error.strerror or str(error)
            raise GatewayUnreachable(f"no gateway at {self.url} ({said}); start one with `interpose up`") from error
        return connection

    def _split(self) -> SplitResult:
        try:
            where = urlsplit(self.url)
            if where.scheme in {"http", "https"} and where.hostname and where.port != 0:
                return where
        except ValueError as error:
            raise ConfigurationError(f"{self.url!r} is no URL: {error}") from error
        raise ConfigurationError(f"{self.url!r} is no URL of a gateway; it looks like http://127.0.0.1:8600")

    def _read(self, response: HTTPResponse) -> tuple[int, dict[str, Any]]:
        data = response.read(ANSWER_BYTES + 1)
        try:
            answer = json.loads(data) if len(data) <= ANSWER_BYTES else None
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise GatewayUnreachable(
                f"{self.url} answered {response.status} with something that is no answer of a gateway", was_sent=True
            )
        return response.status, answer
