"""`interpose up` in the foreground: ready in order, decisions as they fall, crashes, clean and unclean ends."""

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from interpose.embedded import provision
from interpose.embedded.broker import locate
from interpose.embedded.files import open_private
from interpose.embedded.ports import free_port
from interpose.embedded.programs import GATEWAY, installed
from interpose.embedded.state import ProcessState, RunState

pytestmark = pytest.mark.server

QUICKSTART = ("--config", "examples/quickstart/interpose.json", "--with", "examples/quickstart/outbox.py")
GOOD = ("call", "message", "--action", "send", "--params", '{"channel": "C1", "blocks": [{"type": "divider"}]}')


async def test_a_day_of_an_embedded_interpose(machine: Any) -> None:
    """Started in order, a call on the record, the broker killed and back, Ctrl-C stops all in reverse."""
    machine.environment["INTERPOSE_RESTART_BACKOFF_MS"] = "200"
    up = await machine.up(*QUICKSTART, "--with", "examples/no-force-push/no_force_push.py", "--scale", "validator=2")
    state = await up.started()

    ready = up.order("ready")
    assert ready[0] == "broker"
    services = {f"{name}-1" for name in installed().keys() - {GATEWAY}} | {"validator-2"}
    workers = len(services) + 1
    assert services == set(ready[1:workers])
    assert {"outbox-1", "no_force_push-1"} == set(ready[workers:-1])
    assert "gateway" == ready[-1]
    assert [] == state["warnings"]

    assert machine.run(*GOOD).returncode == 0
    records = [(await up.until(lambda told: "record" in told))["record"] for _ in range(2)]
    assert [("before", "run"), ("after", "deliver")] == [(each["phase"], each["decision"]) for each in records]

    pids = {child["name"]: child["pid"] for child in state["children"]}
    os.kill(pids["broker"], signal.SIGKILL)
    await up.event("crashed", "broker")
    await up.event("restarted", "broker")
    async with asyncio.timeout(60):
        while await asyncio.to_thread(lambda: machine.run(*GOOD).returncode):  # noqa: ASYNC110 - workers come back one by one
            await asyncio.sleep(0.1)

    living = RunState.running(machine.home).children
    up.process.send_signal(signal.SIGINT)
    assert await up.ended() == 0

    stopped = up.order("stopped")
    assert ("gateway", "broker") == (stopped[0], stopped[-1])
    assert len(stopped) == len(living) == len(ready)
    assert not any(child.lives for child in living)
    assert not machine.home.state.exists()


async def test_a_killed_supervisor_leaves_nothing_that_stays(machine: Any) -> None:
    """After kill -9 its processes go; one that cannot is ended by the next `up`, which has to say so."""
    machine.write({"hooks": {}})
    first = await machine.up_lean()
    state = await first.started()
    frozen = next(child for child in state["children"] if child["name"] == "validator-1")
    others = [child for child in RunState.running(machine.home).children if child.name != "validator-1"]
    os.kill(frozen["pid"], signal.SIGSTOP)

    first.process.kill()
    await first.process.wait()
    async with asyncio.timeout(60):
        while any(child.lives for child in others):  # noqa: ASYNC110 - nobody's children any more: only looked at
            await asyncio.sleep(0.05)

    machine.environment["INTERPOSE_DRAIN_TIMEOUT_MS"] = "500"
    second = await machine.up_lean()
    said = await second.event("note", "validator-1")
    assert str(frozen["pid"]) in said
    await second.started()
    assert machine.run("down").returncode == 0
    assert await second.ended() == 0


async def test_without_a_configuration_every_call_is_refused_and_that_is_said(machine: Any) -> None:
    """In the background: it counts as started; the state, `status` and the call all say why nothing is allowed."""
    up = machine.run("up", "--detach", "--json")
    assert up.returncode == 0, up.stderr
    state = json.loads(up.stdout)["started"]

    call = machine.run("call", "message", "--param", "text=x")
    status = machine.run("status")
    down = machine.run("down")

    assert "every call is refused" in state["trouble"]
    assert call.returncode == 3
    assert status.returncode == 1
    assert "no configuration" in status.stdout
    assert (0, False) == (down.returncode, machine.home.state.exists())


async def test_a_second_ctrl_c_kills_at_once(machine: Any) -> None:
    """A process that does not stop holds up the first Ctrl-C, and nobody after the second."""
    machine.write({"hooks": {}})
    machine.environment["INTERPOSE_DRAIN_TIMEOUT_MS"] = "3600000"
    up = await machine.up_lean()
    state = await up.started()
    [gateway] = [child["pid"] for child in state["children"] if child["name"] == "gateway"]
    os.kill(gateway, signal.SIGSTOP)

    up.process.send_signal(signal.SIGINT)
    assert "once more kills at once" in await up.event("note", "interpose")
    up.process.send_signal(signal.SIGINT)

    assert await up.ended() == 0
    assert not any(ProcessState(**child).lives for child in state["children"])


async def test_a_broker_that_somebody_else_runs_is_used_as_it_is(machine: Any) -> None:
    """With INTERPOSE_NATS_URL no broker is started; one that does not know our users is refused with the remedy."""
    machine.write({"hooks": {}})
    given = provision.ensure(machine.home, ["validator", "script-runner"], broker=free_port())
    url = given.directory.url
    machine.environment["INTERPOSE_NATS_URL"] = url
    machine.environment["INTERPOSE_READY_TIMEOUT_MS"] = "500"
    absent = machine.run("up")
    assert absent.returncode == 1
    assert f"INTERPOSE_NATS_URL names it: load {machine.home.broker_config}" in absent.stderr
    provision.ensure(machine.home, broker=given.directory.broker)

    del machine.environment["INTERPOSE_READY_TIMEOUT_MS"]
    server = await asyncio.create_subprocess_exec(locate(), "-c", machine.home.broker_config)
    try:
        up = await machine.up_lean()
        state = await up.started()
        up.process.send_signal(signal.SIGTERM)
        assert await up.ended() == 0
    finally:
        server.terminate()
        await server.wait()

    assert url == state["nats_url"]
    assert "broker" not in [child["name"] for child in state["children"]]


async def test_a_service_that_breaks_at_start_stops_everything(machine: Any, tmp_path: Path) -> None:
    """Exit code 1, the end of its log with the log's path, and nothing is left running."""
    machine.write({"hooks": {}})
    info = tmp_path / "site" / "interpose_broken-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: interpose-broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[interpose.services]\nbroken = interpose_broken\n")
    (tmp_path / "site" / "interpose_broken.py").write_text('raise SystemExit("no license found")\n')

    ran = await asyncio.to_thread(machine.run, "up")

    assert ran.returncode == 1
    assert "broken-1 exited with code 1" in ran.stderr
    assert str(machine.home.log("broken-1")) in ran.stderr
    assert "no license found" in ran.stderr
    assert not machine.home.state.exists()
    with open_private(machine.home.running_lock):
        assert machine.run("status").returncode == 1


async def test_what_cannot_be_started_is_refused_first(machine: Any) -> None:
    """What cannot be started is refused before anything starts, each in one sentence."""
    machine.write({"hooks": {}})
    server = await asyncio.start_server(lambda _r, _w: None, "127.0.0.1", 0)
    port = str(server.sockets[0].getsockname()[1])

    refusals = [
        await asyncio.to_thread(machine.run, "up", *arguments)
        for arguments in (
            ("--port", port),
            ("--nats-port", port),
            ("--scale", "absent=2"),
            ("--with", "absent.py"),
            ("--host", "203.0.113.1", "--port", "8600"),
        )
    ]
    server.close()
    await server.wait_closed()

    assert [1] * 5 == [ran.returncode for ran in refusals]
    assert not machine.home.state.exists()
    for ran, word in zip(refusals, [port, port, "absent", "absent.py", "203.0.113.1"], strict=True):
        assert word in ran.stderr
        assert "Traceback" not in ran.stderr
