"""Random bodies and headers against the whole gateway in this process: every answer is one that its OpenAPI names."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import jsonschema_rs
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpose_gateway.composition import start
from interpose_gateway.settings import GatewaySettings

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]

many = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
"""Any JSON value, and some that are none: NaN, infinities, integers of any size."""
tools = st.sampled_from(["echo", "ECHO", "echo.checked", "message", "Bash", "idle"]) | st.text() | anything
actions = st.sampled_from(["plain", "checked", "gated", "unattended"]) | st.text() | anything
contexts = st.dictionaries(st.sampled_from(["session", "user", "request_id", "tenant"]), st.text() | anything)
calls = st.fixed_dictionaries(
    {"tool": tools, "parameters": st.dictionaries(st.sampled_from(["text", "do"]), anything) | anything},
    optional={
        "action": actions,
        "context": contexts | anything,
        "timeout_ms": st.integers(0, 4_000_000) | anything,
        "wait": anything,
        "dry_run": st.booleans() | anything,
        "more": anything,
    },
)
GOOD = b'{"tool":"echo","action":"checked","parameters":{"text":"short"},"context":{"user":"patrick"}}'


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A good call with some bytes replaced by others."""
    first, last = sorted((draw(st.integers(0, len(GOOD))), draw(st.integers(0, len(GOOD)))))
    return GOOD[:first] + draw(st.binary(max_size=8)) + GOOD[last:]


bodies = st.binary() | damaged() | (calls | anything).map(lambda value: json.dumps(value).encode())
words = st.binary(max_size=80) | st.sampled_from([b"0", b"-1", b"5", b"99999999", b"9" * 40, b"00-" + b"a" * 32])


class Door:
    """The application as a client sees it, and what its OpenAPI says of `POST /v1/calls`."""

    def __init__(self, client: httpx.AsyncClient, document: dict[str, Any]) -> None:
        self.client = client
        self._bus: Any = None
        responses = document["paths"]["/v1/calls"]["post"]["responses"]
        self.statuses = {int(status) for status in responses}
        schema = responses["200"]["content"]["application/json"]["schema"]
        self.answers = jsonschema_rs.validator_for(schema | {"components": document["components"]})

    async def bus(self, system: Any) -> Any:
        """The client's connection to the bus."""
        self._bus = self._bus or await system.broker.connect("client-local")
        return self._bus

    async def send(self, body: bytes, headers: dict[str, bytes] | None = None) -> httpx.Response:
        """One call; its answer is checked against the document."""
        reply = await self.client.post("/v1/calls", content=body, headers=headers)
        assert reply.status_code in self.statuses, reply.text
        self.answers.validate(reply.json())
        return reply


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def door(standing: Any) -> AsyncIterator[Door]:
    """A gateway in this process, on the standing broker with its hooks and its tool."""
    broker = standing.broker
    settings = GatewaySettings(
        nats_url=broker.url,
        nats_seed=broker.seed("gateway"),
        clients=broker.home.clients,
        instance="gateway-in-process",
    )
    running = await start(settings)
    transport, headers = httpx.ASGITransport(running.application), dict(standing.http.headers)
    async with httpx.AsyncClient(transport=transport, base_url="http://gateway", headers=headers) as client:
        yield Door(client, (await client.get("/openapi.json")).json())
    await running.stop()


@many
@given(body=bodies)
async def test_every_body_gets_a_documented_answer(door: Door, body: bytes) -> None:
    """A status and a shape of the OpenAPI document; what was refused at the door has not run and says why."""
    reply = await door.send(body)

    answer = reply.json()
    if reply.status_code in (413, 422):
        assert ("refuse", False) == (answer["decision"], answer["ran"])
        assert all(error["path"].startswith("$") for error in answer["errors"])
    assert answer["decision"] == "deliver" or answer["reason"] or answer["decision"] == "run"


@many
@given(headers=st.dictionaries(st.sampled_from(["traceparent", "content-type", "content-length", "cookie"]), words))
async def test_no_header_changes_what_is_decided(door: Door, headers: dict[str, bytes]) -> None:
    """The good call is delivered whatever stands beside it, unless its length is told wrongly as too much."""
    reply = await door.send(GOOD, headers)

    assert reply.status_code == 200 or (reply.status_code == 413 and int(headers["content-length"]) > len(GOOD))


@many
@given(told=words)
async def test_no_other_word_is_a_token(door: Door, told: bytes) -> None:
    """Whatever stands in Authorization: 401."""
    assert 401 == (await door.send(GOOD, {"Authorization": told})).status_code
    assert 401 == (await door.send(GOOD, {"Authorization": b"Bearer " + told})).status_code


@many
@given(body=bodies)
async def test_every_body_over_the_bus_gets_a_documented_answer(standing: Any, door: Door, body: bytes) -> None:
    """The same statuses and the same shape as over HTTP."""
    reply = await (await door.bus(standing)).request("gateway.call.local", body, timeout=30)

    assert int(reply.headers["Interpose-Status"]) in door.statuses
    door.answers.validate(json.loads(reply.data))


async def test_the_good_call_of_these_tests_is_good(door: Door) -> None:
    """It is delivered, so that the random ones differ from it by what is wrong with them."""
    assert 200 == (await door.send(GOOD)).status_code
