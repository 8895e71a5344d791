"""One request to the gateway that ends in time, whatever becomes of it: an answer, or why there is none.

The standard library's client bounds each step of an exchange and not the whole: a name that does not resolve or a
server that sends a byte now and then would hold the agent. So each exchange has a thread, which is left behind, with
its connection cut, when the time is over. No proxies, no redirects, and never an `Origin` header.
"""

import json
import socket
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Lock, Thread
from typing import Any, NamedTuple

from interpose.contracts.limits import MIB

MOST_ANSWER_BYTES = 4 * MIB
CONTENT_TYPE = "application/json"


class Answer(NamedTuple):
    """What the gateway said."""

    status: int
    body: dict[str, Any]

    @property
    def is_success(self) -> bool:
        """Whether it did as it was asked."""
        return 200 <= self.status < 300

    @property
    def error(self) -> str:
        """The word for what went wrong, empty where there is none."""
        return _text(self.body.get("error"))

    @property
    def trouble(self) -> str:
        """What went wrong, for people."""
        said = ": ".join(part for part in (self.error, _text(self.body.get("message"))) if part)
        return f"the gateway answered {self.status}" + (f" ({said})" if said else "")


class NoAnswer(NamedTuple):
    """Why there is none. Nobody knows whether the gateway has the request."""

    trouble: str


class Endpoint(NamedTuple):
    """Where the gateway is. `prefix` is the path of its base URL, without a slash at its end."""

    host: str
    port: int | None
    prefix: str
    is_tls: bool

    def connect(self, timeout_s: float) -> HTTPConnection:
        """An open connection. Raises OSError."""
        kind = HTTPSConnection if self.is_tls else HTTPConnection
        connection = kind(self.host, self.port, timeout=timeout_s)
        connection.connect()
        return connection


class Client:
    """The gateway as one client sees it. Every request has a connection of its own; threads may share an instance."""

    def __init__(self, endpoint: Endpoint, token: str) -> None:
        self._endpoint = endpoint
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": CONTENT_TYPE}

    def post(self, path: str, body: bytes, timeout_ms: int) -> Answer | NoAnswer:
        """Send these bytes to that path below `/v1`. Never raises, and returns within the time."""
        path = f"{self._endpoint.prefix}/v1{path}"
        exchange = _Exchange(self._endpoint, self._headers, path, body, timeout_ms)
        thread = Thread(target=exchange.run, name="interpose-report", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            return NoAnswer(f"no thread for a request: {error}")
        thread.join(timeout_ms / 1000)
        return exchange.end()


class _Exchange:
    def __init__(self, endpoint: Endpoint, headers: dict[str, str], path: str, body: bytes, timeout_ms: int) -> None:
        self._endpoint = endpoint
        self._headers = headers
        self._path = path
        self._body = body
        self._timeout_ms = timeout_ms
        self._lock = Lock()
        self._is_over = False
        self._socket: socket.socket | None = None
        self._outcome: Answer | NoAnswer | None = None

    def run(self) -> None:
        """In the thread."""
        try:
            outcome = self._exchange()
        except TimeoutError:
            return  # nobody waits any more
        except OSError as error:
            outcome = NoAnswer(error.strerror or str(error) or type(error).__name__)
        except (HTTPException, ValueError) as error:
            outcome = NoAnswer(f"the answer cannot be read: {type(error).__name__}")
        except Exception as error:  # noqa: BLE001 - a connection that is cut under a reader breaks in any way
            outcome = NoAnswer(f"the request broke: {type(error).__name__}")
        with self._lock:
            self._outcome = outcome

    def end(self) -> Answer | NoAnswer:
        """What came of it by now. Whoever is still at work is cut off."""
        with self._lock:
            self._is_over = True
            if self._outcome is not None:
                return self._outcome
            if self._socket is not None:
                with suppress(OSError):  # the other end may have cut it already
                    self._socket.shutdown(socket.SHUT_RDWR)
        return NoAnswer(f"no answer within {self._timeout_ms} ms")

    def _exchange(self) -> Answer | NoAnswer:
        connection = self._endpoint.connect(self._timeout_ms / 1000)
        try:
            with self._lock:
                if self._is_over:  # whoever asked has gone: what is sent now would be a question nobody asked
                    return NoAnswer("too late")
                self._socket = connection.sock
            connection.request("POST", self._path, self._body, self._headers)
            return _read(connection.getresponse())
        finally:
            connection.close()


def _read(response: HTTPResponse) -> Answer | NoAnswer:
    data = response.read(MOST_ANSWER_BYTES + 1)
    if len(data) > MOST_ANSWER_BYTES:
        return NoAnswer(f"the answer is larger than {MOST_ANSWER_BYTES} bytes")
    if response.length:
        return NoAnswer("the answer was cut off")
    body = _parse(data)
    if body is None and 200 <= response.status < 300:
        return NoAnswer("the answer is no JSON object")
    return Answer(response.status, body or {})


def _parse(data: bytes) -> dict[str, Any] | None:
    """The object that an answer is; None for everything else."""
    try:
        body = json.loads(data, object_pairs_hook=_object, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no name stands twice: one of two decisions would be lost."""
    if len(found := dict(pairs)) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
