"""Upstreams that a test plays itself: real servers on loopback that note every request and answer as they are told.

Tests here run in their module's loop: `pytest.mark.asyncio(loop_scope="module")`.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pytest
import pytest_asyncio

from interpose.contracts.config import ToolSpec
from interpose.contracts.run import Run
from interpose_gateway.adapters.http_tools.executor import HttpExecutor
from interpose_gateway.adapters.http_tools.wire import Wire
from interpose_gateway.core.ports import Execution

TLS = Path(__file__).parent / "tls"
"""A certificate for `good.example`, valid for a hundred years, and the authority that only these tests trust."""

PATIENCE_S = 30
CALL_ID = "0192e000-0000-7000-8000-000000000000"


@dataclass(frozen=True)
class Asked:
    """One request as it arrived. `connection` counts from 1."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int

    @property
    def json(self) -> Any:
        """The body, read."""
        return orjson.loads(self.body)


def reply(status: int = 200, body: bytes | str | Mapping[str, Any] | list[Any] = b"", **headers: str) -> bytes:
    """A whole answer. Header names with `_` for `-`."""
    is_json = not isinstance(body, bytes | str)
    sent = orjson.dumps(body) if is_json else body.encode() if isinstance(body, str) else body
    own = {"content-type": "application/json" if is_json else "text/plain; charset=utf-8"} if sent else {}
    own |= {"content-length": str(len(sent))} | {name.replace("_", "-"): value for name, value in headers.items()}
    return (
        f"HTTP/1.1 {status} X\r\n".encode()
        + b"".join(f"{k}: {v}\r\n".encode() for k, v in own.items())
        + b"\r\n"
        + sent
    )


Play = Callable[[Asked], bytes | None]
"""What to answer: bytes as they are, or nothing and never."""


@dataclass
class Upstream:
    """A server. `plays` answers each request; `hangs_up` closes the connection behind the answer's bytes."""

    plays: Play = lambda _asked: reply()
    hangs_up: bool = False
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _writers: list[asyncio.StreamWriter] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    async def open(self, tls: ssl.SSLContext | None = None) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """End every connection."""
        self._server.close()
        self.hang_up()
        await self._server.wait_closed()

    def hang_up(self) -> None:
        """Close the connections that are open now."""
        for writer in self._writers:
            writer.close()
        self._writers.clear()

    async def sees(self, count: int) -> list[Asked]:
        """The requests, as soon as there are `count` of them."""
        async with asyncio.timeout(PATIENCE_S), self._changed:
            await self._changed.wait_for(lambda: len(self.asked) >= count)
        return self.asked

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        number = self.connections
        self._writers.append(writer)
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                asked = await _read(reader, number)
                async with self._changed:
                    self.asked.append(asked)
                    self._changed.notify_all()
                answer = self.plays(asked)
                if answer is None:
                    await reader.read()
                    break
                writer.write(answer)
                await writer.drain()
                if self.hangs_up:
                    break
        writer.close()


async def _read(reader: asyncio.StreamReader, connection: int) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    return Asked(method, target, headers, await reader.readexactly(int(headers.get("content-length", 0))), connection)


class Names:
    """The resolver: `answers` says the addresses of each name; a list of lists is one answer after another."""

    def __init__(self, **answers: Sequence[str]) -> None:
        self.answers: dict[str, Any] = dict(answers)
        self.asked: list[str] = []

    async def resolve(self, host: str, _port: int) -> Sequence[str]:
        """The addresses, or OSError as getaddrinfo raises it."""
        self.asked.append(host)
        found = self.answers.get(host, [])
        if found and isinstance(found[0], list):
            found = found.pop(0)
        if not found:
            raise OSError(-2, "Name or service not known")
        return list(found)


class Bench:
    """An executor with names and variables of the test's own."""

    def __init__(self) -> None:
        self.names = Names()
        self.environment: dict[str, str] = {}
        authority = ssl.create_default_context(cafile=str(TLS / "ca.pem"))
        self.wire = Wire(self.names, authority)
        self.executor = HttpExecutor(self.wire, self.environment)

    async def run(
        self, http: dict[str, Any], parameters: dict[str, Any] | None = None, timeout_s: float = PATIENCE_S, **run: Any
    ) -> Execution:
        """One call of a tool with this `executor.http`."""
        tool = ToolSpec.model_validate({"executor": {"http": http}}, by_name=False)
        order = Run(tool="fetch", parameters=parameters or {}, call_id=CALL_ID, **run)
        return await self.executor.execute(order, tool, timeout_s)


@pytest_asyncio.fixture(loop_scope="module")
async def bench() -> AsyncIterator[Bench]:
    """An executor that is closed with the test."""
    made = Bench()
    yield made
    await made.wire.close()


OpenUpstream = Callable[..., Awaitable[Upstream]]


@pytest_asyncio.fixture(loop_scope="module")
async def open_upstream() -> AsyncIterator[OpenUpstream]:
    """`open_upstream(plays, tls=, hangs_up=)`: a server that is closed with the test."""
    opened: list[Upstream] = []

    async def make(plays: Play | bytes | None = None, *, is_tls: bool = False, hangs_up: bool = False) -> Upstream:
        answers: Play = plays if callable(plays) else lambda _asked: reply() if plays is None else plays
        upstream = Upstream(answers, hangs_up)
        opened.append(upstream)
        await upstream.open(_server_tls() if is_tls else None)
        return upstream

    yield make
    for upstream in opened:
        await upstream.close()


def _server_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "good.example.pem")
    return context


@pytest.fixture(scope="session")
def answer() -> Callable[..., bytes]:
    """`answer(status, body, **headers)`: the bytes of an HTTP answer."""
    return reply
