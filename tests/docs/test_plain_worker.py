"""A worker of nothing but NATS and JSON, on a real server, asked by the gateway's own code."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from interpose.bus import headers, subjects
from interpose.bus.asker import Asker
from interpose.bus.connection import Listeners, connect
from interpose.bus.settings import BusSettings
from interpose.contracts.config import HookSpec
from interpose.contracts.digest import encode
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.words import Failure, Phase
from interpose.testing import make_ask
from interpose_gateway.core.endings import Answered, Failed
from interpose_gateway.core.settle import settle

pytestmark = pytest.mark.server

SERVICE = "channel-list-plain"
SUBJECT = subjects.ask(Phase.BEFORE, SERVICE)
INBOX = f"{subjects.GATEWAY_INBOX}.docs"
PATIENCE_S = 30
SPEC = HookSpec(name="channels", service=SERVICE)


@pytest.fixture
async def asker(broker: Any) -> AsyncIterator[Asker]:
    """The gateway's side of the bus."""
    listeners = Listeners()
    settings = BusSettings(nats_url=broker.url, nats_seed=broker.seed("gateway"))
    client = await connect(settings, name="gateway", inbox_prefix=INBOX, listeners=listeners)
    asker = Asker(client, f"{INBOX}.asks")
    await asker.start(listeners)
    yield asker
    await client.close()


@pytest.fixture
async def worker(broker: Any, asker: Asker, snippets: Path) -> AsyncIterator[Process]:
    """The worker's process with its service's key, when it answers."""
    await broker.add_service(SERVICE)
    path = snippets / "plain-nats/worker.py"
    environment = os.environ | broker.environment(f"service-{SERVICE}", "plain")
    process = await asyncio.create_subprocess_exec(sys.executable, str(path), env=environment)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while _failure(await asker.ask(SUBJECT, b"{}", 5)) is Failure.NO_RESPONDERS:
                assert process.returncode is None, "the worker ended"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def _failure(reply: Replied | NoReply) -> Failure | None:
    return reply.failure if isinstance(reply, NoReply) else None


def _ask(channel: str) -> tuple[str, bytes]:
    ask = make_ask(tool="message", parameters={"channel": channel}, settings={"channels": ["C0ALERTS"]})
    return ask.ask_id, encode(ask.to_wire())


async def test_it_gives_verdicts_that_count(worker: Process, asker: Asker) -> None:
    """What it answers is a verdict to the gateway: allow for a listed channel, reject with its reason for another."""
    endings = []
    for channel in ("C0ALERTS", "C0GENERAL"):
        ask_id, body = _ask(channel)
        reply = await asker.ask(SUBJECT, body, PATIENCE_S)
        assert isinstance(reply, Replied), reply
        endings.append((settle(reply.body, SPEC, ask_id, lambda output: ()), reply.worker))

    (allowed, by), (refused, _) = endings
    assert isinstance(allowed, Answered)
    assert isinstance(refused, Answered)
    assert ("allow", "channel-list-plain-1") == (allowed.verdict.verdict, by)
    assert ("reject", "no message goes to C0GENERAL") == (refused.verdict.verdict, refused.verdict.reason)


@pytest.mark.parametrize(
    ("body", "more"),
    [(b"no ask", {}), (b"[]", {}), (b"{}", {}), (_ask("C0ALERTS")[1], {headers.VERSION: "2"})],
    ids=["no JSON", "no object", "no fields", "another version"],
)
async def test_it_says_that_it_broke(worker: Process, asker: Asker, body: bytes, more: dict[str, str]) -> None:
    """What it cannot read ends as `hook_error` at once, not in silence and not as an allow."""
    reply = await asker.ask(SUBJECT, body, PATIENCE_S, more)

    assert Failure.HOOK_ERROR == _failure(reply)


async def test_it_answers_no_stranger(worker: Process, asker: Asker, broker: Any) -> None:
    """An ask whose reply subject is no gateway's gets no answer, and the worker lives on."""
    operator = await broker.connect("operator")
    heard = await operator.subscribe("_INBOX_operator.stranger")
    await broker.settle(operator)
    ask_id, body = _ask("C0ALERTS")
    sent = {headers.VERSION: headers.WIRE_VERSION}

    await operator.publish(SUBJECT, body, reply="_INBOX_operator.stranger", headers=sent)
    await broker.settle(operator)
    reply = await asker.ask(SUBJECT, body, PATIENCE_S)
    await broker.settle(operator)

    assert isinstance(reply, Replied)
    assert ask_id == json.loads(reply.body)["ask_id"]
    assert 0 == heard.pending_msgs


def test_a_verdict_without_its_ask_id_is_none() -> None:
    """The page says that `ask_id` must come back: without it there is no verdict."""
    ending = settle(b'{"verdict":"allow"}', SPEC, "an-id", lambda output: ())

    assert isinstance(ending, Failed)
    assert Failure.MALFORMED_VERDICT == ending.failure
