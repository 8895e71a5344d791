"""`interpose clients` beside a running Interpose: each change counts at once, over HTTP and on the bus."""

import asyncio
import os
import pty
import subprocess
import sys
from typing import Any

import nats.errors
import pytest
from nats.aio.client import Client

from interpose.bus import subjects
from interpose.embedded.identities import Directory

pytestmark = pytest.mark.server

CALL = ("call", "message", "--action", "send", "--param", "text=hello")
OUTBOX = ("--with", "examples/quickstart/outbox.py")
DELIVERED, REFUSED = 0, 2


def call(machine: Any, token: str) -> int:
    """How a call with that token ends, as `interpose call` says it."""
    file = machine.folder / "token"
    file.write_text(token)
    return int(machine.run(*CALL, "--token-file", str(file)).returncode)


def token(machine: Any, name: str) -> str:
    return str(machine.home.token(name).read_text())


def done(machine: Any, *arguments: str) -> str:
    """What a command of the group tells, which ends well."""
    ran = machine.run("clients", *arguments)
    assert (0, "") == (ran.returncode, ran.stderr), ran.stderr
    return str(ran.stdout)


async def enter(machine: Any, client: Client, **options: Any) -> None:
    """Connect once with the key of `ci`."""
    directory = Directory.read(machine.home)
    assert directory is not None
    own = {"nkeys_seed": str(machine.home.seed("client-ci")), "inbox_prefix": subjects.client_inbox("ci")}
    await client.connect(directory.url, allow_reconnect=False, **own, **options)


async def test_a_client_comes_and_goes_beside_a_running_interpose(machine: Any) -> None:
    """add, rotate with and without the old token, revoke: the next call meets it, and nothing was restarted."""
    machine.write({"hooks": {}, "tools": {"message": {"executor": {"bus": {}}}}})
    up = await machine.up_lean(*OUTBOX)
    state = await up.started()

    assert "the broker lets it in" in done(machine, "add", "ci", "--user", "*")
    first = token(machine, "ci")
    assert DELIVERED == call(machine, first)
    done(machine, "rotate", "ci", "--keep-old", "10m")
    second = token(machine, "ci")
    assert [DELIVERED, DELIVERED] == [call(machine, each) for each in (first, second)]
    done(machine, "rotate", "ci")
    assert [REFUSED, REFUSED, DELIVERED] == [call(machine, each) for each in (first, second, token(machine, "ci"))]
    done(machine, "rotate", "local")
    assert DELIVERED == machine.run(*CALL).returncode

    done(machine, "add", "coder", "--scope", "evaluate")
    refused = machine.run(*CALL, "--token-file", str(machine.home.token("coder")))
    assert (REFUSED, True) == (refused.returncode, "client coder has no scope call" in refused.stdout)

    await until_revoked(machine)
    await asyncio.to_thread(ask_a_person, machine)
    assert [] == up.order("crashed") + up.order("restarted")
    assert state["children"] == (await asyncio.to_thread(machine_state, machine))["children"]


async def until_revoked(machine: Any) -> None:
    """`ci` calls over the bus; revoked, its connection is closed and its token opens nothing."""
    closed, last, client, again = asyncio.Event(), token(machine, "ci"), Client(), Client()

    async def note() -> None:
        closed.set()

    await enter(machine, client, closed_cb=note)
    seed = machine.home.seed("client-ci").read_bytes()
    body = b'{"tool": "message", "action": "send", "parameters": {"text": "hello"}}'
    assert "200" == (await client.request("gateway.call.ci", body, timeout=30)).headers["Interpose-Status"]

    told = await asyncio.to_thread(done, machine, "revoke", "ci", "--yes")
    async with asyncio.timeout(60):
        await closed.wait()

    assert "the broker closed what it had open and lets it in no more" in told
    assert REFUSED == await asyncio.to_thread(call, machine, last)
    machine.home.seed("client-ci").write_bytes(seed)
    with pytest.raises(nats.errors.Error, match="Authorization Violation"):
        await enter(machine, again)
    await again.close()
    machine.home.seed("client-ci").unlink()
    assert "ci" not in done(machine, "list")


def ask_a_person(machine: Any) -> None:
    """At a terminal `revoke` asks: n changes nothing, y revokes."""
    told = {}
    for answer in ("n", "y"):
        ours, theirs = pty.openpty()
        os.write(ours, f"{answer}\n".encode())
        ran = subprocess.run(
            [sys.executable, "-m", "interpose.cli", "clients", "revoke", "coder"],
            cwd=machine.folder,
            env=machine.environment,
            stdin=theirs,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        for end in (ours, theirs):
            os.close(end)
        told[answer] = (ran.returncode, "Revoke client coder?" in ran.stdout, "coder" in done(machine, "list"))
    assert {"n": (1, True, True), "y": (0, True, False)} == told


def machine_state(machine: Any) -> dict[str, Any]:
    """What the state file says now."""
    from interpose.embedded.state import RunState

    state = RunState.read(machine.home)
    assert state is not None
    return state.model_dump(mode="json")
