"""A governed call over a broker in a container: the settings differ, nothing else does."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import nats
import pytest

from interpose import Run, Tool
from interpose.bus import subjects
from interpose.config.load import load
from interpose.embedded import stream
from interpose.embedded.home import Home
from interpose.hook.worker import attend
from interpose.registry.apply import apply_file
from interpose.registry.store import Store
from interpose_gateway.composition import start
from interpose_gateway.settings import GatewaySettings
from interpose_validator.service import hook as validator

pytestmark = [pytest.mark.docker, pytest.mark.server]

CONFIGURATION = {
    "hooks": {"before:echo": [{"name": "block-kit", "service": "validator", "with": {"schema": "slack-block-kit"}}]},
    "tools": {"echo": {"executor": {"bus": {}}}},
    "gateway": {"canonicalizer": "inline"},
}


async def connect(home: Home, url: str, label: str, **options: Any) -> nats.NATS:
    """Connect as an identity of the home."""
    return await nats.connect(url, nkeys_seed=str(home.seed(label)), **options)


async def test_a_call_is_governed_over_a_broker_in_a_container(contained: tuple[Home, str], tmp_path: Path) -> None:
    """Good blocks run, bad ones are refused, and both are on the record."""
    home, url = contained
    operator = await connect(home, url, "operator")
    await stream.ensure(operator)
    tool = Tool("echo")

    @tool.handle
    def echo(run: Run) -> dict[str, Any]:
        return run.parameters

    workers = [await connect(home, url, label) for label in ("service-validator", "tool-echo")]
    await attend(workers[0], validator.endpoint(), "validator-1", 4)
    await attend(workers[1], tool.endpoint(), "echo-1", 4)
    config = tmp_path / "interpose.json"
    config.write_text(json.dumps(CONFIGURATION))
    await apply_file(Store(operator), load(config), "the test")
    settings = GatewaySettings(nats_url=url, nats_seed=home.seed("gateway"), clients=home.clients, instance="gateway-1")
    gateway = await start(settings)
    token = home.token("local").read_text().strip()
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(gateway.application),
        base_url="http://gateway",
        headers={"Authorization": f"Bearer {token}"},
    ) as client:
        good = await client.post("/v1/calls", json={"tool": "echo", "parameters": {"blocks": [{"type": "divider"}]}})
        bad = await client.post("/v1/calls", json={"tool": "echo", "parameters": {"blocks": [{"type": "divide"}]}})
    records = (await operator.jetstream().stream_info(subjects.RECORDS_STREAM)).state.messages
    await gateway.stop()
    for connection in (*workers, operator):
        await connection.close()

    assert (200, 403) == (good.status_code, bad.status_code)
    assert "$.parameters.blocks[0].type" == bad.json()["errors"][0]["path"]
    assert 4 == records, "three phases and the registry"


async def test_a_service_in_a_container_world_may_still_not_write_the_registry(contained: tuple[Home, str]) -> None:
    """The generated permissions hold in the container as well."""
    home, url = contained
    refused: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def note(error: Exception) -> None:
        if not refused.done():
            refused.set_result(str(error))

    service = await connect(home, url, "service-validator", error_cb=note)
    await service.publish("$KV.HOOKS.current", b"{}")
    said = await asyncio.wait_for(refused, 10)
    await service.close()

    assert "permissions violation" in said.lower()
