"""`interpose doctor` on a real run: everything good, then one thing after another broken and found."""

import asyncio
import json
import os
import signal
from asyncio.subprocess import DEVNULL
from typing import Any

import pytest

from interpose.bus.subjects import RECORDS_STREAM, REGISTRY_KEY
from interpose.doctor.broker import check_anonymous
from interpose.doctor.finding import State
from interpose.embedded import broker, operator
from interpose.embedded.ports import free_port
from interpose.embedded.state import RunState

pytestmark = pytest.mark.server

HOOK = {"name": "block-kit", "service": "validator", "with": {"schema": "slack-block-kit"}}


def examined(machine: Any) -> tuple[int, dict[str, str]]:
    """The exit code and what each check said last, by its state."""
    ran = machine.run("doctor", "--json")
    findings = [json.loads(line) for line in ran.stdout.splitlines()]
    assert findings, ran.stderr
    assert all(finding["remedy"] for finding in findings if finding["state"] != "ok")
    return ran.returncode, {finding["check"]: finding["state"] for finding in findings}


async def test_a_good_run_and_what_breaks_it(machine: Any) -> None:
    """Good at first; then a worker dies, a token is changed, a stream is lost, the supervisor is killed."""
    machine.write({"hooks": {"before:message": [HOOK]}})
    machine.environment["INTERPOSE_RESTART_BACKOFF_MS"] = "3600000"
    before, found = examined(machine)
    assert (1, "bad", "ok") == (before, found["processes"], found["configuration"])

    up = await machine.up()
    await up.started()
    code, found = examined(machine)
    assert (0, []) == (code, [check for check, state in found.items() if state == "bad"])
    checked = {"state folder", "room", "broker program", "broker configuration", "broker", "users", "message size"}
    checked |= {"records", "store", "registry", "gateways", "file in force", "gateway", "door", "token", "reach"}
    checked |= {"service validator"}
    assert set() == checked - {check for check, state in found.items() if state == "ok"}

    token = machine.home.token("local")
    kept = token.read_text()
    token.write_text("another")
    [pid] = machine.run("status", "--pids", "validator").stdout.split()
    os.kill(int(pid), signal.SIGKILL)
    await up.event("crashed", "validator-1")
    code, found = examined(machine)
    assert (1, "bad", "bad") == (code, found["token"], found["service validator"])
    client = await operator.connect(machine.home)
    await client.jetstream().delete_stream(RECORDS_STREAM)
    await client.publish(REGISTRY_KEY, b"garbage")
    await client.close()
    code, found = examined(machine)
    assert code == 1
    # Without rules nobody is needed.
    assert {"token", "records", "registry", "gateways"} <= {check for check, state in found.items() if state == "bad"}
    token.write_text(kept)

    state = RunState.read(machine.home)
    assert state is not None
    for child in state.children:
        os.kill(child.pid, signal.SIGSTOP)
    os.kill(state.supervisor.pid, signal.SIGKILL)
    await up.process.wait()
    code, found = examined(machine)
    assert (1, "bad") == (code, found["processes"])


async def test_a_broker_without_users_is_found() -> None:
    """Whoever reaches it gets in, which is the worst finding of all."""
    port = free_port()
    server = await asyncio.create_subprocess_exec(
        str(broker.locate()), "-a", "127.0.0.1", "-p", str(port), stdout=DEVNULL, stderr=DEVNULL
    )
    try:
        finding = None
        async with asyncio.timeout(20):
            while finding is None or finding.state is State.OK:
                finding = await check_anonymous(f"nats://127.0.0.1:{port}")
    finally:
        server.kill()
        await server.wait()

    assert State.BAD is finding.state
