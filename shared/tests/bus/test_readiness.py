"""The answer to whoever asks from beside a process, worker or gateway, whether it is ready."""

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from interpose.bus.readiness import answering


async def asked(environment: Mapping[str, str]) -> tuple[int | None, str]:
    """What the health check says: its exit code and its reasons."""
    command = [sys.executable, "-m", "interpose.bus.readiness"]
    process = await asyncio.create_subprocess_exec(*command, env=environment, stderr=asyncio.subprocess.PIPE)
    _, said = await process.communicate()
    return process.returncode, said.decode().strip()


async def nothing() -> list[str]:
    """No trouble."""
    return []


async def away() -> list[str]:
    """Some trouble."""
    return ["the broker is not connected"]


@asynccontextmanager
async def gateway(status: str, body: str) -> AsyncIterator[dict[str, str]]:
    """An HTTP server that says this to everybody; the environment that names its port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield {"INTERPOSE_HTTP_PORT": str(server.sockets[0].getsockname()[1])}


async def test_a_worker_without_trouble_is_ready(tmp_path: Path) -> None:
    """The check exits with 0 and says nothing."""
    path = tmp_path / "ready"
    async with answering(path, nothing):
        found = await asked({"INTERPOSE_READY_SOCKET": str(path)})

    assert (0, "") == found


async def test_a_worker_in_trouble_is_not(tmp_path: Path) -> None:
    """The check exits with 1 and says why."""
    path = tmp_path / "ready"
    async with answering(path, away):
        found = await asked({"INTERPOSE_READY_SOCKET": str(path)})

    assert (1, "the broker is not connected") == found


async def test_a_worker_that_ended_is_not(tmp_path: Path) -> None:
    """The socket that it left behind is no sign of life, and a new process takes its place."""
    path = tmp_path / "ready"
    async with answering(path, nothing):
        pass
    ended = await asked({"INTERPOSE_READY_SOCKET": str(path)})
    async with answering(path, nothing):
        again = await asked({"INTERPOSE_READY_SOCKET": str(path)})

    assert (1, 0) == (ended[0], again[0])
    assert "nobody says that it is ready" in ended[1]


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        ("200 OK", '{"ready": true, "trouble": []}', 0),
        ("503 Service Unavailable", '{"ready": false, "trouble": ["no rules"]}', 1),
        ("200 OK", "not our words", 1),
        ("200 OK", "[]", 1),
        ("404 Not Found", "{}", 1),
    ],
)
async def test_a_gateway_is_asked_over_http(tmp_path: Path, status: str, body: str, code: int) -> None:
    """Without a worker's socket the gateway's own /readyz decides, and nothing that is not its word counts."""
    async with gateway(status, body) as environment:
        found = await asked(environment | {"INTERPOSE_READY_SOCKET": str(tmp_path / "none")})

    assert code == found[0], found
