"""`interpose replay`: calls on the record and calls of logs under other rules, by services that run, on no record."""

import asyncio
import json
import signal
from typing import Any

import nats.errors
import pytest

from interpose.bus.subjects import CALLS_STREAM
from interpose.embedded import operator

pytestmark = pytest.mark.server

NO_PUSH = {"name": "no-push", "effect": "reject", "match": {"targets": {"commands": ["git push*"]}}}
NO_DELETE = {"name": "no-delete", "effect": "reject", "match": {"targets": {"operations": ["delete"]}}}
ASK_DELETE = NO_DELETE | {"effect": "ask", "message": "May it?"}
PATIENCE_S = 60
LOG = """\
{"type": "assistant", "sessionId": "s", "cwd": "/srv/app", "timestamp": "2026-01-01T00:00:00Z", "uuid": "a", \
"message": {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": \
{"command": "rm -rf build"}}]}}
"""


def policy(machine: Any, name: str, *rules: dict[str, Any]) -> str:
    """A file of rules."""
    (machine.folder / name).write_text(json.dumps({"rules": list(rules)}))
    return name


def configured(machine: Any, file: str) -> dict[str, Any]:
    """A configuration whose one hook judges by a policy."""
    hook = {"name": "policy", "service": "validator", "with": {"rules": {"file": file}}}
    return {"hooks": {"before:*": [hook]}, "tools": {"Bash": {"executor": {"bus": {}}}}}


async def messages(machine: Any) -> dict[str, int]:
    """How many messages every stream has had, but for the one in which a gateway keeps renewing what it holds."""
    client = await operator.connect(machine.home)
    infos = await client.jetstream().streams_info()
    await client.close()
    return {str(info.config.name): int(info.state.last_seq) for info in infos if info.config.name != CALLS_STREAM}


def replay(machine: Any, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Run it; its exit code and what it told."""
    ran = machine.run("replay", "--json", "--source", "stream", *arguments)
    assert ran.stdout, ran.stderr
    return ran.returncode, json.loads(ran.stdout)


def kinds(told: dict[str, Any]) -> dict[str, int]:
    """Each kind of change, in their order, and how many."""
    return {one["kind"]: one["count"] for one in told["changes"]}


async def test_calls_under_other_rules(machine: Any) -> None:
    """Loosened first, counted by rule, tool and user; a policy in the place of the one in force, or a configuration."""
    policy(machine, "policy.json", NO_PUSH, NO_DELETE)
    machine.write(configured(machine, "policy.json"))
    up = await machine.up_lean()
    await up.started()
    for command in ("git push", "rm -rf build", "ls", "ls src"):
        machine.run("call", "Bash", "--param", f"command={command}", "--json")
    before = await messages(machine)

    same = replay(machine, "--with", "policy.json", "--fail-on", "changed")
    looser = replay(machine, "--with", policy(machine, "looser.json", ASK_DELETE), "--fail-on", "loosened")
    no_ls = NO_PUSH | {"name": "no-ls", "match": {"targets": {"commands": ["ls"]}}}
    stricter = policy(machine, "stricter.json", NO_PUSH, NO_DELETE, no_ls)
    tightened = replay(machine, "--with", stricter, "--fail-on", "loosened")
    (machine.folder / "open.json").write_text(json.dumps({"hooks": {}, "tools": {"Bash": {}}}))
    opened = replay(machine, "--with", "open.json", "--show", "1")

    (machine.folder / "stricter-file.json").write_text(json.dumps(configured(machine, "stricter.json")))
    event = {"tool": "Bash", "parameters": {"command": "ls"}, "expect": {"decision": "refuse", "code": "no-ls"}}
    (machine.folder / "event.json").write_text(json.dumps(event))
    tried = machine.run("hooks", "test", "stricter-file.json", "event.json")

    assert (0, "") == (tried.returncode, tried.stderr)
    assert (0, {}, 4) == (same[0], kinds(same[1]), same[1]["calls"])
    assert (1, {"refused -> allowed": 1, "refused -> asked": 1}) == (looser[0], kinds(looser[1]))
    first = looser[1]["changes"][0]
    assert ({"policy/no-push": 1}, {"Bash": 1}, True) == (first["by_rule"], first["by_tool"], first["loosens"])
    assert (0, {"allowed -> refused": 1}) == (tightened[0], kinds(tightened[1]))
    assert ({"refused -> allowed": 2}, 1) == (kinds(opened[1]), len(opened[1]["changes"][0]["calls"]))
    assert before == await messages(machine)


async def test_a_call_that_nobody_judges_is_no_call_as_before(machine: Any) -> None:
    """A hook that nobody serves gives no verdict: a change of its own, which counts as loosened."""
    policy(machine, "policy.json", NO_PUSH)
    machine.write(configured(machine, "policy.json"))
    up = await machine.up_lean()
    await up.started()
    machine.run("call", "Bash", "--param", "command=ls", "--json")
    (machine.folder / "absent.json").write_text(
        json.dumps({"hooks": {"before:*": [{"name": "a", "service": "nobody"}]}})
    )

    code, told = replay(machine, "--with", "absent.json", "--fail-on", "loosened")
    said = machine.run("replay", "--source", "stream", "--with", "absent.json")

    assert (1, {"cannot be judged": 1}) == (code, kinds(told))
    assert "a: no_responders" in told["changes"][0]["calls"][0]["why"]
    assert (0, True) == (said.returncode, "cannot be judged: 1" in said.stdout)


async def test_calls_of_logs(machine: Any) -> None:
    """What an agent ran was allowed, by whatever rule there was not: a policy beside what is in force refuses it."""
    machine.write({"hooks": {}})
    up = await machine.up_lean()
    await up.started()
    (machine.folder / "log.jsonl").write_text(LOG)
    assert machine.run("history", "import", "claude", "log.jsonl").returncode == 0

    code, told = replay(machine, "--with", policy(machine, "p.json", NO_DELETE), "--calls", "imported")
    all_of_them = replay(machine, "--with", "p.json")[1]
    older = replay(machine, "--with", "p.json", "--since", "2026-02-01T00:00Z")[1]

    assert (0, {"allowed -> refused": 1}) == (code, kinds(told))
    assert ["toolu_1"] == [one["call_id"] for one in told["changes"][0]["calls"]]
    assert {"candidate/no-delete": 1} == told["changes"][0]["by_rule"]
    assert (1, 0) == (all_of_them["calls"], older["calls"])
    assert 1 == replay(machine, "--with", "p.json", "--since", "2026-02-01T00:00Z", "--fail-on", "loosened")[0]


async def test_wrong_uses_are_told(machine: Any) -> None:
    """A file that is refused, a hook that judges by no rules: nothing is asked."""
    machine.write({"hooks": {}})
    up = await machine.up_lean()
    await up.started()
    (machine.folder / "bad.json").write_text('{"rules": [{"name": "x", "effect": "frown"}]}')

    bad = machine.run("replay", "--with", "bad.json")
    absent = machine.run("replay", "--with", policy(machine, "p.json", NO_PUSH), "--policy-of", "nobody")

    assert (1, True) == (bad.returncode, "bad.json is refused" in bad.stderr)
    assert (1, True) == (absent.returncode, "no hook nobody in force judges by rules" in absent.stderr)


SILENT = """\
import asyncio

from interpose import Hook

hook = Hook("silent")


@hook.before("*")
async def wait(ask):
    print("asked", flush=True)
    await asyncio.Event().wait()
"""


async def test_an_interrupted_replay_tells_what_it_did(machine: Any) -> None:
    """Ctrl-C while a hook is silent: what was counted until then, and 130."""
    machine.write({"hooks": {}, "tools": {"Bash": {"executor": {"bus": {}}}}})
    up = await machine.up_lean()
    await up.started()
    machine.run("call", "Bash", "--param", "command=ls", "--json")
    (machine.folder / "silent.py").write_text(SILENT)
    worker = await machine.start("run", "--no-register", "silent.py")
    hook = {"name": "silent", "service": "silent", "timeout": 60_000, "repeatable": False}
    (machine.folder / "asks.json").write_text(json.dumps({"hooks": {"before:*": [hook]}}))
    await until_served(machine, "silent")

    running = await machine.start("replay", "--json", "--source", "stream", "--with", "asks.json")
    await until_printed(worker, b"asked\n")
    running.send_signal(signal.SIGINT)
    out, _ = await running.communicate()

    assert (130, False, 0) == (running.returncode, json.loads(out)["whole"], json.loads(out)["calls"])


async def until_printed(process: Any, wanted: bytes) -> None:
    """Read what it prints up to that line."""
    async with asyncio.timeout(PATIENCE_S):
        while await process.stdout.readline() != wanted:
            pass


async def until_served(machine: Any, service: str) -> None:
    """Ask the broker until somebody answers under that name."""
    client = await operator.connect(machine.home)
    async with asyncio.timeout(PATIENCE_S):
        while not await is_served(client, service):
            pass
    await client.close()


async def is_served(client: Any, service: str) -> bool:
    """Whether a worker says that it is there."""
    try:
        await client.request(f"$SRV.PING.{service}", b"", timeout=1)
    except nats.errors.Error:
        return False
    return True
