"""The original `global-audit-logger`, on everything that `interpose up` starts: nothing that a hook says is lost."""

import asyncio
import json
from typing import Any

import pytest

pytestmark = pytest.mark.server

NOISY = """from interpose import Hook, allow

hook = Hook("noisy")


@hook.before("*")
@hook.after("*")
async def note(ask):
    said = {"phase": ask.phase, "deep": [{"n": ask.parameters.get("n"), "text": "\\u2028 gr\\u00fc\\u00dfe"}]}
    return allow(warnings=["first", f"second of {ask.phase}"], annotations=said)
"""
ECHO = """from interpose import Run, Tool

tool = Tool("echo")


@tool.handle
def answer(run: Run) -> dict[str, object]:
    return {"content": "done"}
"""
CONFIGURATION: dict[str, Any] = {
    "hooks": {
        "before:*": [
            {"name": "global-audit-logger", "service": "audit-logger", "failMode": "warn", "timeout": 1000},
            {"name": "noise", "service": "noisy", "failMode": "warn"},
        ],
        "after:*": [{"name": "noise", "service": "noisy", "failMode": "warn"}],
        "before:echo.never": [{"name": "nobody", "service": "nobody"}],
    },
    "tools": {"echo": {"executor": {"bus": {}}}},
    "gateway": {"canonicalizer": "inline"},
}


async def test_every_word_of_every_hook_can_be_asked_afterwards(machine: Any) -> None:
    """Each call with all it said before and after, refused ones too; also when everything is down."""
    machine.write(CONFIGURATION)
    for name, code in (("noisy", NOISY), ("echo", ECHO)):
        (machine.folder / f"{name}.py").write_text(code)
    up = await machine.up_lean("--with", "noisy.py", "--with", "echo.py")
    await up.started()

    ran = machine.run("call", "echo", "--action", "once", "--param", "n=1", "--json")
    refused = machine.run("call", "echo", "--action", "never", "--param", "n=2", "--json")
    ids = [json.loads(each.stdout)["answer"]["call_id"] for each in (ran, refused)]
    # Three of calls, and two of the registry's revisions: the worker's own hooks may be registered after the calls.
    async with asyncio.timeout(60):
        while len(listed(machine, "--source", "store")) < 5:  # noqa: ASYNC110 - another process stores
            await asyncio.sleep(0.1)
    stream = listed(machine, "--source", "stream")
    followed = machine.run("records", "follow", "--from-start", "--decision", "refuse", "--count", "1", "--json")
    assert ids[1] == json.loads(followed.stdout)["record"]["call_id"]
    assert machine.run("down").returncode == 0
    assert await up.ended() == 0
    store = listed(machine)

    assert stream == [{**each, "source": "stream"} for each in store]
    calls = [each["record"] for each in store if each["record"].get("call_id")]
    assert [(ids[0], "run"), (ids[0], "deliver"), (ids[1], "refuse")] == [
        (each["call_id"], each["decision"]) for each in calls
    ]
    said = [hook for each in calls for hook in each["hooks"] if hook["name"] == "noise"]
    assert [("before", "1"), ("after", "1"), ("before", "2")] == [
        (hook["annotations"]["phase"], hook["annotations"]["deep"][0]["n"]) for hook in said
    ]
    assert all(["first", f"second of {hook['annotations']['phase']}"] == hook["warnings"] for hook in said)
    attempts = [hook for each in calls for hook in each["hooks"] if hook["name"] == "global-audit-logger"]
    assert ["allow", "allow"] == [hook["ending"] for hook in attempts]
    assert all("stored_through" in hook["annotations"]["audit"] for hook in attempts)
    shown = machine.run("records", "show", ids[1]).stdout
    assert "refuse by nobody" in shown
    assert "grüße" in shown


def listed(machine: Any, *words: str) -> list[Any]:
    """What `interpose records list` finds."""
    ran = machine.run("records", "list", "--json", *words)
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.split("\n") if line]
