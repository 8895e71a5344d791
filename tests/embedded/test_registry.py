"""The registry in everyday use: a file edited while all runs, hooks that bring themselves, and the worst night."""

import asyncio
import json
import os
import signal
from typing import Any

import pytest

pytestmark = pytest.mark.server

OUTBOX = ("--with", "examples/quickstart/outbox.py")
RULES: dict[str, Any] = {
    "hooks": {
        "before:message.send": [{"name": "guard", "service": "validator", "with": {"schema": {"type": "object"}}}]
    },
    "tools": {"message": {"executor": {"bus": {}}}},
}
OPEN: dict[str, Any] = RULES | {"hooks": {}}
CALL = ("call", "message", "--action", "send", "--param", "text=hello")
REFUSING = """
from interpose import Ask, Hook, reject

hook = Hook("{name}", timeout_ms=2000)


@hook.before("message")
async def check(ask: Ask):
    return reject("{name} says no")
"""


def said(machine: Any, *arguments: str) -> Any:
    """What a command answers in JSON."""
    ran = machine.run(*arguments, "--json")
    assert ran.stdout, ran.stderr
    return json.loads(ran.stdout)


async def until(machine: Any, code: int, *arguments: str) -> str:
    """Return what a command tells as soon as its exit code is this one."""
    async with asyncio.timeout(60):
        while (ran := await asyncio.to_thread(machine.run, *arguments)).returncode != code:  # noqa: ASYNC110 - it is asked
            await asyncio.sleep(0.1)
    return str(ran.stdout + ran.stderr)


async def until_said(machine: Any, words: str, *arguments: str) -> None:
    """Return as soon as a command says these words."""
    async with asyncio.timeout(60):
        while words not in (await asyncio.to_thread(machine.run, *arguments)).stdout:  # noqa: ASYNC110 - it is asked
            await asyncio.sleep(0.1)


def history(machine: Any) -> list[tuple[int, str, str]]:
    """Revision, digest and words of everything that was in force."""
    return [(past["revision"], past["digest"], past["what"]) for past in said(machine, "hooks", "history")]


async def test_everything_killed_and_started_again(machine: Any) -> None:
    """kill -9 of all at once: the same revision, the same history, and no record is lost."""
    machine.write(RULES)
    up = await machine.up(*OUTBOX)
    state = await up.started()
    assert machine.run(*CALL).returncode == 0
    machine.write(RULES | {"defaults": {"unknownTool": "reject"}})
    await up.until(lambda told: "revision 2 is" in told.get("event", {}).get("message", ""))
    assert machine.run("hooks", "disable", "guard", "--yes").returncode == 0
    assert machine.run(*CALL).returncode == 0
    before, count = history(machine), said(machine, "status")["broker"]["records"]

    for pid in [*(child["pid"] for child in state["children"]), state["supervisor"]["pid"]]:
        os.kill(pid, signal.SIGKILL)
    await up.process.wait()
    again = await machine.up(*OUTBOX)
    await again.started()

    status = said(machine, "status")
    assert before == history(machine)
    assert (3, 3, count) == (status["revision"], status["gateway"]["revision"], status["broker"]["records"])
    assert ["guard"] == [hook["name"] for hook in status["hooks"] if "disabled" in hook["marks"]]
    assert machine.run(*CALL).returncode == 0
    again.process.send_signal(signal.SIGTERM)
    assert await again.ended() == 0


async def test_a_file_edited_while_all_runs(machine: Any) -> None:
    """A good change rules the next call; one that refuses changes nothing, and terminal and `status` say so."""
    machine.write(OPEN)
    up = await machine.up_lean(*OUTBOX)
    await up.started()
    assert machine.run(*CALL).returncode == 0

    machine.write(RULES | {"hooks": {"before:message": [{"name": "absent", "service": "nobody"}]}})
    refused = await until(machine, 2, *CALL)
    machine.write({"hooks": {"befor:message": []}})
    warned = await up.event("warning", "registry")
    still = machine.run(*CALL)
    status = machine.run("status")
    machine.write(OPEN)
    await until(machine, 0, *CALL)

    assert f"brought in by the file ({machine.folder / 'interpose.json'})" in refused
    assert "interpose hooks remove absent" in refused
    assert "revision 2 stays in force" in warned
    assert "did you mean before:message" in warned
    assert (2, 1) == (still.returncode, status.returncode)
    assert "revision 2 stays in force" in status.stdout
    assert machine.run("down").returncode == 0


async def test_a_hook_that_brings_itself(machine: Any) -> None:
    """Started, it judges; killed, its calls are refused with the way out; removed, they run."""
    machine.write(OPEN)
    up = await machine.up_lean(*OUTBOX)
    await up.started()
    (machine.folder / "bouncer.py").write_text(REFUSING.format(name="bouncer"))

    worker = await machine.start("run", "bouncer.py")
    await up.until(lambda told: "adds bouncer" in told.get("event", {}).get("message", ""))
    judged = await until(machine, 2, *CALL)
    worker.kill()
    await worker.wait()
    absent = machine.run(*CALL)
    listed = said(machine, "hooks", "list")["hooks"]
    removed = machine.run("hooks", "remove", "bouncer", "--yes")
    free = machine.run(*CALL)

    assert "bouncer says no" in judged
    assert "brought in by the worker (bouncer-" in absent.stdout
    assert "interpose hooks remove bouncer" in absent.stdout
    assert [("bouncer", "worker", ["registered and absent"])] == [
        (hook["name"], hook["owner"], hook["marks"]) for hook in listed
    ]
    assert (2, 0, 0) == (absent.returncode, removed.returncode, free.returncode)
    assert machine.run("down").returncode == 0


async def test_a_temporary_hook_goes_with_its_worker(machine: Any) -> None:
    """It stands as the operator's while its worker runs, also where registration is closed; a clean stop ends it."""
    machine.write(OPEN | {"registration": "closed"})
    up = await machine.up_lean(*OUTBOX)
    await up.started()
    for name in ("guest", "stranger"):
        (machine.folder / f"{name}.py").write_text(REFUSING.format(name=name))

    stranger = await machine.start("run", "stranger.py")
    await up.until(lambda told: "registration is closed" in told.get("event", {}).get("message", ""))
    guest = await machine.start("run", "--temporary", "guest.py")
    await until(machine, 2, *CALL)
    listed = said(machine, "hooks", "list")["hooks"]
    taken = machine.run("run", "--temporary", "guest.py")
    guest.send_signal(signal.SIGTERM)
    await guest.wait()
    free = machine.run(*CALL)
    elsewhere = machine.run("run", "--temporary", "guest.py", "--home", str(machine.folder / "other"))

    assert [("guest", "operator", True)] == [(hook["name"], hook["owner"], hook["temporary"]) for hook in listed]
    assert (1, 0, 1) == (taken.returncode, free.returncode, elsewhere.returncode)
    assert "guest is already a hook, the operator's" in taken.stderr
    assert "writes the registry with the operator's key" in elsewhere.stderr
    assert "Traceback" not in taken.stderr + elsewhere.stderr
    stranger.kill()
    assert machine.run("down").returncode == 0


async def test_a_temporary_hook_that_was_killed_is_let_in_again(machine: Any) -> None:
    """The same file as the same user knows its leftover; another file, or one while somebody answers, does not."""
    machine.write(OPEN)
    up = await machine.up_lean(*OUTBOX)
    await up.started()
    (machine.folder / "guest.py").write_text(REFUSING.format(name="guest"))
    (machine.folder / "other.py").write_text(REFUSING.format(name="guest"))
    guest = await machine.start("run", "--temporary", "guest.py")
    await until(machine, 2, *CALL)

    guest.kill()
    await guest.wait()
    left = machine.run(*CALL)
    other = machine.run("run", "--temporary", "other.py")
    helper = await machine.start("run", "--no-register", "other.py")
    await until_said(machine, "guest says no", *CALL)
    served = machine.run("run", "--temporary", "guest.py")
    helper.kill()
    await helper.wait()
    (machine.folder / "guest.py").write_text(REFUSING.format(name="guest").replace("says no", "is back"))
    again = await machine.start("run", "--temporary", "guest.py")
    await until_said(machine, "guest is back", *CALL)
    listed = said(machine, "hooks", "list")["hooks"]
    again.send_signal(signal.SIGTERM)
    await again.wait()
    free = machine.run(*CALL)

    assert (2, True) == (left.returncode, "interpose hooks remove guest" in left.stdout)
    assert (1, True) == (other.returncode, "guest is already a hook, the operator's" in other.stderr)
    assert (1, True) == (served.returncode, "still answers" in served.stderr)
    assert [("guest", "operator", True, True)] == [
        (hook["name"], hook["owner"], hook["temporary"], hook["source"].endswith(f" {machine.folder / 'guest.py'}"))
        for hook in listed
    ]
    assert 0 == free.returncode
    assert machine.run("down").returncode == 0


async def test_a_day_of_an_operator(machine: Any) -> None:
    """Apply asks before it shrinks, waits for the gateway and tells; every change can be taken back."""
    machine.write(RULES)
    up = await machine.up_lean(*OUTBOX)
    await up.started()
    (machine.folder / "loose.json").write_text(json.dumps(OPEN))

    unasked = machine.run("hooks", "apply", "loose.json")
    agreed = said(machine, "hooks", "apply", "loose.json", "--yes")
    repeated = said(machine, "hooks", "apply", "loose.json")
    back = said(machine, "hooks", "rollback", "--yes")
    off = said(machine, "hooks", "disable", "guard", "--yes")
    shown = said(machine, "hooks", "show", "guard")
    exported = {form: machine.run("hooks", "export", "--format", form).stdout for form in ("json", "yaml")}
    on = said(machine, "hooks", "enable", "guard")
    removed = machine.run("hooks", "remove", "guard", "--yes")
    unknown = machine.run("hooks", "remove", "guard")
    beyond = machine.run("hooks", "rollback", "99")

    assert (1, True) == (unasked.returncode, "- guard" in unasked.stdout)
    assert "repeat it with --yes" in unasked.stderr
    assert ["guard: it is not asked any more"] == agreed["loosened"]
    assert [2, 2, 3, 4, 5] == [one["revision"] for one in (agreed, repeated, back, off, on)]
    for one in (agreed, back, off, on):
        assert [True] == [gateway["has"] for gateway in one["gateways"]]
    assert ["disabled"] == shown["marks"]
    assert RULES["hooks"]["before:message.send"][0] == shown["hook"]
    assert {"platform": "codex", "never": True, "why": "it has no such tool"} in shown["blind_spots"]
    assert RULES == json.loads(exported["json"])
    assert f"comes back when {machine.folder / 'interpose.json'} is applied again" in removed.stdout
    assert "there is no hook guard in the registry; there are: none" in unknown.stderr
    assert "nobody knows revision 99" in beyond.stderr
    for form, text in exported.items():
        (machine.folder / f"again.{form}").write_text(text)
        assert RULES == json.loads(machine.run("config", "show", f"again.{form}", "--json").stdout)
    words = ["remove guard", "enable guard", "disable guard", "rollback to 1"]
    assert words == [what for _, _, what in history(machine)[:4]]
    assert machine.run("down").returncode == 0


async def test_nothing_shrinks_unasked(machine: Any) -> None:
    """Remove, disable and rollback ask as apply does, also a file whose hook has other settings of its own."""
    machine.write(OPEN)
    up = await machine.up_lean(*OUTBOX)
    await up.started()
    (machine.folder / "rules.json").write_text(json.dumps(RULES))
    settings = {"schema": {"type": "object", "required": ["text"]}}
    other = {"before:message.send": [RULES["hooks"]["before:message.send"][0] | {"with": settings}]}
    (machine.folder / "other.json").write_text(json.dumps(RULES | {"hooks": other}))
    assert machine.run("hooks", "apply", "rules.json").returncode == 0

    commands = [("remove", "guard"), ("disable", "guard"), ("rollback",), ("apply", "other.json")]
    told = [machine.run("hooks", *command) for command in commands]
    machines = [said(machine, "hooks", *command) for command in commands]
    status = said(machine, "status")

    assert [1, 1, 1, 1] == [one.returncode for one in told]
    assert [True] * 4 == ["repeat it with --yes" in one.stderr for one in told]
    for one in told:
        assert "worst case of " in one.stdout
    assert [False] * 4 == [one["applied"] for one in machines]
    assert ["guard: it is not asked any more"] == machines[0]["loosened"] == machines[2]["loosened"]
    assert ["guard: disabled"] == machines[1]["loosened"]
    assert ([], ['guard: with.schema.required: left out → ["text"]']) == (
        machines[3]["loosened"],
        machines[3]["may_loosen"],
    )
    assert "(may loosen: only the hook can tell)" in told[3].stdout
    assert "it may loosen enforcement, and only the hook can tell" in told[3].stderr
    assert (2, []) == (status["revision"], [hook["name"] for hook in status["hooks"] if "disabled" in hook["marks"]])
    assert machine.run("hooks", "apply", "other.json", "--yes").returncode == 0
    assert machine.run("down").returncode == 0
