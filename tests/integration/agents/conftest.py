"""Agents that run their own tools, against real gateways on a real broker: they ask, they report, they are told.

Tests here run in the session's loop: `pytest.mark.asyncio(loop_scope="session")`.
"""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
import pytest_asyncio

CONFIGURATION: dict[str, Any] = {
    "hooks": {
        "before:judged": [{"name": "gate", "service": "gatekeeper", "timeout": 60_000, "transform": True}],
        "after:judged": [{"name": "sieve", "service": "gatekeeper", "timeout": 60_000, "transform": True}],
        "before:Read": [{"name": "reader", "service": "gatekeeper", "timeout": 60_000, "transform": True}],
        "before:install": [{"name": "porter", "service": "gatekeeper", "timeout": 60_000}],
    },
    "tools": {"strict": {"inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}},
}
"""`plain` is judged by nobody. The gatekeeper says what the parameters `before` and `after` tell it to say."""
NO = {"verdict": "reject", "reason": "the gatekeeper says no", "code": "closed"}


class Agent:
    """One client of one gateway, over HTTP."""

    def __init__(self, system: Any, http: httpx.AsyncClient) -> None:
        self.system, self.http = system, http

    async def evaluate(self, tool: str = "judged", arguments: Any = None, **more: Any) -> httpx.Response:
        """`POST /evaluate`."""
        return await self.post("/evaluate", {"tool": {"name": tool}, "arguments": arguments or {}} | more)

    async def allowed(self, tool: str = "judged", arguments: Any = None, **more: Any) -> str:
        """The id of an evaluation that was allowed."""
        told = (await self.evaluate(tool, arguments, **more)).json()
        assert "allow" == told["decision"], told
        return str(told["evaluation_id"])

    async def asked(self, **more: Any) -> str:
        """The id of an evaluation about which a person is asked."""
        told = (await self.evaluate("judged", {"before": {"verdict": "ask", "reason": "may it?"}} | more)).json()
        assert "require_approval" == told["decision"], told
        return str(told["evaluation_id"])

    async def report(self, evaluation: str, status: str = "success", **more: Any) -> httpx.Response:
        """`POST /audit`."""
        return await self.post("/audit", {"evaluation_id": evaluation, "status": status} | more)

    async def resolve(self, evaluation: str, resolution: str = "approved", **more: Any) -> httpx.Response:
        """`POST /approval/{id}/resolve`, by default patrick's."""
        body = {"resolution": resolution, "resolved_by": "patrick"} | more
        return await self.post(f"/approval/{evaluation}/resolve", body)

    async def post(self, path: str, body: Any, **more: Any) -> httpx.Response:
        """Any body, or bytes, to any path."""
        sent = {"content": body} if isinstance(body, bytes) else {"json": body}
        return await self.http.post(path, **sent, **more)

    async def records(self, evaluation: str) -> list[dict[str, Any]]:
        """The records of an evaluated call, in their order."""
        return [each.body for each in await self.system.records(evaluation.partition(".")[0])]

    async def outcomes(self, evaluation: str) -> list[tuple[str, str | None]]:
        """What stands on record: each decision with its outcome."""
        return [(each["decision"], each["outcome"]) for each in await self.records(evaluation)]


def admit(system: Any, **entries: dict[str, Any]) -> None:
    """Write these into the entries of the clients file."""
    path = system.broker.home.clients
    clients = json.loads(path.read_bytes())["clients"]
    told = {name: clients[name] | entry for name, entry in entries.items()}
    path.write_text(json.dumps({"clients": clients | told}))


async def prepare(system: Any) -> None:
    """Rules, clients and a gatekeeper: what the tests of this folder run under."""
    await system.configure(CONFIGURATION)
    admit(system, local={"scopes": ["call", "evaluate"]}, other={"scopes": ["operate"]})
    await system.start_hook("gatekeeper", "gatekeeper-1")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def governed(open_governed: Any) -> AsyncIterator[Any]:
    """One system for all tests that break nothing. Client `local` may evaluate, client `other` operates."""
    async with open_governed() as opened:
        await prepare(opened)
        await opened.start_gateway()
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def alone(open_governed: Any) -> AsyncIterator[Any]:
    """A system of the test's own, whose gateway it starts and ends itself."""
    async with open_governed() as opened:
        await prepare(opened)
        yield opened


@pytest.fixture
def agent(governed: Any) -> Agent:
    """The client `local` of the standing system."""
    return Agent(governed, governed.http)


@pytest.fixture(scope="session")
def agent_of() -> Callable[[Any], Agent]:
    """`agent_of(system)`: its client `local`."""
    return lambda system: Agent(system, system.http)


@pytest_asyncio.fixture(loop_scope="session")
async def operator(governed: Any) -> AsyncIterator[Agent]:
    """The client `other` of the standing system, which operates."""
    token = governed.broker.home.token("other").read_text().strip()
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=governed.http.base_url, headers=headers, trust_env=False) as http:
        yield Agent(governed, http)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def second(governed: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Agent]:
    """The same client at a second gateway on the same broker."""
    opened = governed.beside(tmp_path_factory.mktemp("second"))
    await opened.start_gateway("gateway-2")
    yield Agent(opened, opened.http)
    await opened.close()
