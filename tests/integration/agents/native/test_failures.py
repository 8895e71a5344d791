"""A hook whose gateway is away, killed, full or without a broker: its platform's no, and nothing is forgotten."""

import asyncio
import json
from typing import Any

import pytest

from interpose.platforms.read import PLATFORMS
from interpose.platforms.ruling import Kind, NativeAnswer, Ruling

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="session")]


async def test_while_the_gateway_is_killed_nothing_runs_and_nothing_is_delivered(own: Any, platform_of: Any) -> None:
    """Each platform's command says so; what was allowed before comes back to the gateway that is started then."""
    gateway = await own.start_gateway()
    hooks = [platform_of(own, name) for name in PLATFORMS]
    kept = [platform_of(own, name) for name in PLATFORMS]
    for hook in (*hooks, *kept):
        allowed = await hook.send(hook.before())
        assert hook.same(hook.words(hook.before(), Ruling(Kind.ALLOW)), allowed)
    await gateway.kill()

    away = [await hook.send(hook.after()) for hook in hooks]
    refused = [await hook.send(hook.before()) for hook in hooks]
    await own.start_gateway("gateway-2")
    delivered = [await hook.send(hook.after()) for hook in kept]

    for hook, withheld, no, late in zip(hooks, away, refused, delivered, strict=True):
        reason = f"the gateway at {own.http.base_url} does not answer"
        assert "API_KEY" not in withheld.stdout
        assert _form(hook.words(hook.after(), Ruling(Kind.UNAVAILABLE, "x"))) == _form(withheld)
        assert _form(hook.words(hook.before(), Ruling(Kind.UNAVAILABLE, "x"))) == _form(no)
        assert reason in no.stdout + no.stderr
        assert hook.same(hook.words(hook.after(), Ruling(Kind.DELIVER)), late)


def _form(found: NativeAnswer) -> tuple[Any, int]:
    """What kind of answer this is, without its words."""
    return (_keys(json.loads(found.stdout)) if found.stdout else None, found.exit_code)


def _keys(value: Any) -> Any:
    return {key: _keys(each) for key, each in value.items()} if isinstance(value, dict) else type(value)


@pytest.mark.parametrize("posts", [False, True])
async def test_a_full_gateway_refuses(own: Any, platform_of: Any, mark: str, posts: bool) -> None:
    """And answers what is under way."""
    await own.start_gateway(INTERPOSE_MOST_IN_FLIGHT="1")
    busy, other = [platform_of(own, "claude-code", posts=posts) for _ in range(2)]
    under_way = asyncio.create_task(busy.send(busy.before(mark=mark, hold="before")))
    await own.witness.sees("asked before", mark)

    found = await other.send(other.before())
    own.witness.release()

    assert "calls are under way" in json.loads(found.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    assert NativeAnswer() == await under_way


@pytest.mark.parametrize("posts", [False, True])
async def test_without_a_broker_nothing_is_decided(own: Any, platform_of: Any, posts: bool) -> None:
    """Neither before a call nor after it; it works again when the broker is back."""
    await own.start_gateway()
    hook = platform_of(own, "copilot-cli", posts=posts)
    await hook.send(hook.before())
    await own.broker.stop()

    refused, withheld = await hook.send(hook.before()), await hook.send(hook.after())

    assert "deny" == json.loads(refused.stdout)["permissionDecision"]
    assert "withheld by Interpose" in json.loads(withheld.stdout)["modifiedResult"]["textResultForLlm"]
    await own.broker.start()
    await own.present("gatekeeper", "gatekeeper-1")

    async def is_delivered() -> bool:
        return NativeAnswer() == await hook.send(hook.after())

    await own.until(is_delivered)


async def test_the_service_makes_the_same_form_of_what_a_hook_tells(own: Any, platform_of: Any) -> None:
    """Under `canonicalizer: service`, with the folder and the MCP server of the event; also after a change."""
    every = {"before:*": [{"name": "gate", "service": "gatekeeper", "timeout": 60_000, "transform": True}]}
    await own.configure({"gateway": {"canonicalizer": "service"}, "hooks": every})
    await own.start_hook("canonicalizer", "canonicalizer-1")
    await own.start_gateway()
    claude, cursor = platform_of(own, "claude-code"), platform_of(own, "cursor")
    changed = {"verdict": "transform", "output": {"command": "cat ./b"}}
    shell = claude.event("pre_bash", before=changed)

    told = await claude.send(shell)
    mcp = await cursor.send(cursor.event("pre_before_mcp"))

    assert claude.words(shell, Ruling(Kind.REWRITE, arguments={"command": "cat ./b"})) == told
    assert {"permission": "allow"} == json.loads(mcp.stdout)
    assert ["mcp__linear__create_issue"] == [record["tool"] for record in await cursor.records()]
