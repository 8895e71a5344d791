"""The example at the end of each command's help is run as it stands, in the order in which a person would."""

import asyncio
import json
import os
import re
import shutil
import signal
from typing import Any

import pytest

pytestmark = pytest.mark.server


def example(machine: Any, command: str) -> list[str]:
    """The words behind `interpose` of the one example of a command's help."""
    machine.environment["COLUMNS"] = "200"
    shown = machine.run(*command.split(), "--help").stdout
    [line] = re.findall(r"^ +interpose (.+?) *$", shown.rpartition("Example:")[2], re.MULTILINE)
    return line.split()


async def test_every_example_does_what_its_command_promises(machine: Any) -> None:
    """up, status, run, call, logs, records, down: one after the other on one machine."""
    shutil.copy(machine.folder / "examples/quickstart/interpose.json", machine.folder)
    machine.environment["INTERPOSE_RESTART_BACKOFF_MS"] = "3600000"
    up = await machine.up(*example(machine, "up")[1:])
    state = await up.started()
    assert [f"validator-{number}" for number in (1, 2, 3)] == [
        child["name"] for child in state["children"] if child["name"].startswith("validator")
    ]

    again = machine.run(*example(machine, "up"))
    assert again.returncode == 1
    assert str(state["supervisor"]["pid"]) in again.stderr
    assert state["url"] in again.stderr

    unserved = machine.run(*example(machine, "status"))
    assert unserved.returncode == 1
    assert "registered and absent" in unserved.stdout
    assert "interpose run FILE.py" in unserved.stdout

    workers = [
        await machine.start("run", "examples/quickstart/outbox.py", "--json"),
        await machine.start(*example(machine, "run")),
    ]
    async with asyncio.timeout(120):
        while await asyncio.to_thread(lambda: machine.run("status").returncode):  # noqa: ASYNC110 - `status` is how one looks
            await asyncio.sleep(0.1)
    assert machine.run(*example(machine, "status")).returncode == 0

    delivered = machine.run(*example(machine, "call"))
    assert (0, "deliver") == (delivered.returncode, delivered.stdout.split()[0])
    refused = machine.run("call", "Bash", "--param", "command=git push --force", "--json")
    assert refused.returncode == 2
    assert json.loads(refused.stdout)["answer"]["code"] == "force-push"

    logged = machine.run(*example(machine, "logs"))
    assert logged.returncode == 0
    assert "validator-1" in logged.stdout

    await ask_the_record(machine, json.loads(refused.stdout)["answer"]["call_id"])

    keep_clients(machine)

    pids = machine.run("status", "--pids", "validator").stdout.split()
    for pid in pids:
        os.kill(int(pid), signal.SIGKILL)
    await up.until(lambda _told: set(up.order("crashed")) == {f"validator-{number}" for number in (1, 2, 3)})
    unanswered = machine.run(*example(machine, "call"))
    assert unanswered.returncode == 2
    assert "no worker of validator answers for block-kit" in unanswered.stdout
    assert machine.run("status", "--pids", "validator").returncode == 1

    for worker in workers:
        worker.send_signal(signal.SIGTERM)
    assert [0, 0] == [await worker.wait() for worker in workers]
    assert machine.run(*example(machine, "down")).returncode == 0
    assert await up.ended() == 0
    assert "nothing runs" in machine.run(*example(machine, "down")).stdout


async def ask_the_record(machine: Any, call_id: str) -> None:
    """records follow, list, show, stats; `call_id` was refused by no-force-push."""
    followed = machine.run(*example(machine, "records follow"))
    assert followed.returncode == 0
    decisions = [json.loads(line)["record"]["decision"] for line in followed.stdout.splitlines()]
    assert ["run", "deliver"] == decisions
    one = machine.run("records", "follow", "--call", call_id, "--count", "1")
    assert "force-push" in one.stdout
    assert "refuse" in machine.run("records", "follow", "--last", "1", "--count", "1").stdout
    async with asyncio.timeout(120):
        while not await asyncio.to_thread(lambda: machine.run(*example(machine, "records")).stdout):  # noqa: ASYNC110 - another process stores
            await asyncio.sleep(0.1)
    assert "refuse   Bash" in machine.run(*example(machine, "records")).stdout
    listed = machine.run(*example(machine, "records list"))
    assert ["run", "deliver"] == [json.loads(line)["record"]["decision"] for line in listed.stdout.splitlines()]
    shown = machine.run(*(call_id if word == "CALL_ID" else word for word in example(machine, "records show")))
    assert "before Bash: refuse by no-force-push" in shown.stdout
    assert "no-force-push" in machine.run(*example(machine, "records stats")).stdout


def keep_clients(machine: Any) -> None:
    """clients add, list, rotate, revoke: of the one client that the group's own example adds."""
    assert example(machine, "clients") == example(machine, "clients add")
    told = {command: machine.run(*example(machine, f"clients {command}")) for command in ("add", "list", "rotate")}
    assert [0, 0, 0] == [ran.returncode for ran in told.values()]
    assert "the broker lets it in" in told["add"].stdout
    assert "coder  evaluate, platform claude-code" in told["list"].stdout
    assert "opens until" in told["rotate"].stdout
    revoked = machine.run(*example(machine, "clients revoke"))
    assert (0, True) == (revoked.returncode, "lets it in no more" in revoked.stdout)
