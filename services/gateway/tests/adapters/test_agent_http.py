"""Agents' requests at the HTTP door, where a real wait would take half a minute."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import orjson
import pytest
from starlette.applications import Starlette

from interpose_gateway.adapters import arriving
from interpose_gateway.adapters.agent_door import AgentDoor
from interpose_gateway.adapters.agent_http import AgentApi
from interpose_gateway.adapters.clients_file import ClientsFile


@pytest.fixture
def http(tmp_path, monkeypatch) -> httpx.AsyncClient:
    """The routes alone, with one client; nobody behind them is reached."""
    monkeypatch.setattr(arriving, "BODY_S", 0.01)
    path = tmp_path / "clients.json"
    digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"  # of "test"
    path.write_bytes(orjson.dumps({"clients": {"local": {"token_sha256": digest, "scopes": ["evaluate"]}}}))
    app = Starlette()
    for route, handler in AgentApi(AgentDoor(door=None, calls=None), ClientsFile(path)).routes():
        app.add_route(route, handler, methods=["POST"])
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://gateway", headers={"Authorization": "Bearer test"}
    )


@pytest.mark.parametrize("path", ["/evaluate", "/v1/audit", "/install-scan", "/v1/approval/x/resolve"])
async def test_a_body_that_does_not_arrive_is_not_waited_for(http, path):
    """408 in the protocol's own words."""

    async def trickle() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    async with http:
        reply = await http.post(path, content=trickle())

    assert (408, "too_slow") == (reply.status_code, reply.json()["error"])


async def test_more_than_a_mebibyte_is_not_read(http):
    """413, by what is told and by what comes."""
    told = {"Content-Length": str(2**20 + 1)}

    async def chunks() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 2**16

    async with http:
        replies = [
            await http.post("/audit", content=chunks(), headers=told),
            await http.post("/audit", content=chunks()),
        ]

    assert [(413, "too_large")] * 2 == [(reply.status_code, reply.json()["error"]) for reply in replies]
