"""A gateway played over real HTTP: it answers what a test tells it, hangs, cuts answers, remembers what came."""

import json
import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

import pytest

from interpose.report.courier import Clock
from interpose.report.gate import Gate
from interpose.report.settings import read

TOKEN = "a-token"
PATIENCE_S = 20


class Request(NamedTuple):
    """What came in, with header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


def told(status: int, body: object) -> bytes:
    """An honest answer."""
    data = json.dumps(body).encode()
    return b"HTTP/1.1 %d Said\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
        status,
        len(data),
        data,
    )


ALLOW = {"decision": "allow", "reason": None, "matched_rule": None}
FINALISED = {"ok": True, "audit_record_id": "r-1", "decision": "deliver"}


class PlayedGateway:
    """Bytes to answer with stand in `answers`, used up one after another; `None` says nothing and keeps hold.

    When there are none left, calls are allowed and reports are taken.
    """

    def __init__(self) -> None:
        self.answers: deque[bytes | None] = deque()
        self.requests: list[Request] = []
        self.came = Event()
        self._over = Event()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._thread = Thread(target=self._serve)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def bodies(self, path: str) -> list[Any]:
        """What was sent to that path below /v1, in the order in which it came."""
        return [request.json for request in self.requests if request.path == f"/v1{path}"]

    def stop(self) -> None:
        """Hang up on everybody."""
        self._over.set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(PATIENCE_S)

    def _serve(self) -> None:
        talks = []
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                talks.append(Thread(target=self._talk, args=(connection,)))
                talks[-1].start()
        for talk in talks:
            talk.join(PATIENCE_S)

    def _talk(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.settimeout(PATIENCE_S)
            request = _read(connection)
            if request is None:
                return
            self.requests.append(request)
            answer = self.answers.popleft() if self.answers else self._usual(request)
            self.came.set()
            if answer is None:
                self._over.wait(PATIENCE_S)
            else:
                connection.sendall(answer)

    def _usual(self, request: Request) -> bytes:
        if request.path == "/v1/audit":
            return told(201, FINALISED)
        return told(200, ALLOW | {"evaluation_id": f"e-{len(self.requests)}"})


def _read(connection: socket.socket) -> Request | None:
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return None
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers["content-length"]):
        more = connection.recv(65536)
        if not more:
            return None
        body += more
    method, path, _ = first.split(" ")
    return Request(method, path, headers, body)


class SetClock(Clock):
    """Time that passes when somebody sleeps, or a test says so.

    `is_impatient`: whoever sleeps has no time left afterwards, though no time has passed. So there is one attempt.
    """

    def __init__(self) -> None:
        self.time_ms = 1_800_000_000_000
        self.is_impatient = False
        self._lost_ms = 0

    def now_ms(self) -> int:
        return self.time_ms

    def passed_ms(self) -> float:
        return float(self.time_ms + self._lost_ms)

    def sleep_ms(self, wait_ms: float) -> None:
        if self.is_impatient:
            self._lost_ms += 10**9
        else:
            self.time_ms += max(1, round(wait_ms))

    def jitter(self) -> float:
        return 1.0


MakeGate = Callable[..., Gate]


@pytest.fixture
def gateway() -> Iterator[PlayedGateway]:
    """A gateway that allows everything, until a test tells it otherwise."""
    played = PlayedGateway()
    yield played
    played.stop()


@pytest.fixture
def clock() -> SetClock:
    """The time of a test."""
    return SetClock()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of a gate."""
    return tmp_path / "report"


@pytest.fixture
def make_gate(gateway: PlayedGateway, clock: SetClock, home: Path) -> MakeGate:
    """A gate to that gateway, whose time is the test's; what cannot be delivered waits for `drain`."""

    def make(origin: str = "an-agent", **options: Any) -> Gate:
        usual = {"url": gateway.url, "token": TOKEN, "folder": home, "delivery": "drain"}
        settings, faults = read(origin, usual | options, {})
        assert not faults, faults
        return Gate(settings, "", clock)

    return make


@pytest.fixture
def gate(make_gate: MakeGate) -> Gate:
    """The usual one."""
    return make_gate()
