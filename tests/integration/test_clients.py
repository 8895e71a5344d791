"""Clients and their tokens while the gateway runs: what a scope opens, what ends with a token, and when."""

import hashlib
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio

pytestmark = pytest.mark.server

PLAIN = {"tool": "echo", "action": "plain", "parameters": {}}


@pytest_asyncio.fixture
async def system(open_governed: Any) -> AsyncIterator[Any]:
    """A gateway and a tool of one's own: its clients file is changed by the test."""
    async with open_governed() as opened:
        await opened.start_gateway()
        await opened.start_tool("echo-1")
        yield opened


def edit(system: Any, **entries: dict[str, Any]) -> None:
    """Write these into the entries of the clients file, as an operator with an editor does."""
    path = system.broker.home.clients
    clients = json.loads(path.read_bytes())["clients"]
    told = {name: clients.get(name, {}) | entry for name, entry in entries.items()}
    path.write_text(json.dumps({"clients": clients | told}))


async def call(system: Any, secret: str) -> httpx.Response:
    """One call over HTTP with that token."""
    return await system.http.post("/v1/calls", json=PLAIN, headers={"Authorization": f"Bearer {secret}"})


async def test_a_token_opens_what_its_scopes_cover(system: Any) -> None:
    """Without `call` a known token is 401 over HTTP and over the bus, and both say where the scope is added."""
    edit(system, local={"scopes": ["evaluate", "operate"]}, other={"scopes": ["call"]})
    bus = {name: await system.broker.connect(f"client-{name}") for name in ("local", "other")}

    over_http = {name: await call(system, system.broker.home.token(name).read_text().strip()) for name in bus}
    over_bus = {
        name: await client.request(f"gateway.call.{name}", json.dumps(PLAIN).encode(), timeout=30)
        for name, client in bus.items()
    }

    assert {"local": 401, "other": 200} == {name: reply.status_code for name, reply in over_http.items()}
    assert {"local": "401", "other": "200"} == {name: r.headers["Interpose-Status"] for name, r in over_bus.items()}
    refused = [over_http["local"].json(), json.loads(over_bus["local"].data)]
    assert [("unauthorized", False)] * 2 == [(answer["code"], answer["ran"]) for answer in refused]
    assert {"client local has no scope call: add it to the scopes of its entry in the clients file"} == {
        answer["reason"] for answer in refused
    }
    assert 2 == len(system.witness.of("ran"))


async def test_an_old_token_ends_by_the_clock(system: Any) -> None:
    """One with an end to come opens beside the present one; one whose end has come opens nothing."""
    digests = {secret: hashlib.sha256(secret.encode()).hexdigest() for secret in ("old", "older", "new")}
    ends = {"old": timedelta(hours=1), "older": timedelta(seconds=-1)}
    also = [{"token_sha256": digests[each], "until": (datetime.now(UTC) + ends[each]).isoformat()} for each in ends]
    edit(system, ci={"token_sha256": digests["new"], "also": also})

    statuses = {secret: (await call(system, secret)).status_code for secret in digests}

    assert {"old": 200, "older": 401, "new": 200} == statuses
    assert not any(secret in system.gateway.log for secret in ("Bearer", "older"))
