"""Scripts that never end and scripts that never stop printing, through a real gateway and a real runner."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

pytestmark = [pytest.mark.server, pytest.mark.asyncio(loop_scope="module")]

SHORT_MS = 500
"""The whole time of a script that ignores TERM. How fast it is killed is nobody's business here."""

LONG_MS = 60_000
SCRIPTS = {
    "ignores-term": ("trap '' TERM INT HUP; while :; do sleep 1000; done", SHORT_MS, "deadline_exceeded"),
    "prints-ten-gigabytes": ("head -c 10000000000 /dev/zero", LONG_MS, "malformed_verdict"),
}
MODES: dict[str, tuple[dict[str, Any], bool]] = {
    "reject": ({"failMode": "reject"}, True),
    "transform": ({"failMode": "transform"}, True),
    "warn": ({"failMode": "warn"}, False),
    "reject-waived": ({"failMode": "reject", "onFailure": "warn"}, False),
    "transform-waived": ({"failMode": "transform", "onFailure": "warn"}, False),
}
"""How the hook is configured, and whether its failure stops a call."""

CASES = [(script, mode) for script in SCRIPTS for mode in MODES]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scripted(open_governed: Any) -> AsyncIterator[Any]:
    """A system of its own: one action of `echo` for each script, fail mode and phase."""
    async with open_governed() as opened:
        for name, (body, _, _) in SCRIPTS.items():
            script = opened.folder / name
            script.write_text(f"#!/bin/sh\n{body}\n")
            script.chmod(0o700)
        await opened.configure({"hooks": hooks(opened.folder), "tools": {"echo": {"executor": {"bus": {}}}}})
        opened.runner = await opened.start_hook("script-runner", "runner-1")
        await opened.start_gateway()
        await opened.start_tool("echo-1")
        yield opened


def hooks(folder: Path) -> dict[str, Any]:
    """Each script under each fail mode, before and after."""
    return {
        f"{phase}:echo.{phase}-{script}-{mode}": [
            {"name": f"{phase}-{script}-{mode}", "script": str(folder / script), "timeout": SCRIPTS[script][1]}
            | MODES[mode][0]
        ]
        for phase in ("before", "after")
        for script, mode in CASES
    }


def left_behind(runner: Any) -> list[int]:
    """Processes below the runner: a script's own, and its orphans, which come to the runner."""
    status = Path(f"/proc/{runner.pid}/task")
    return [int(pid) for task in status.iterdir() for pid in (task / "children").read_text().split()]


async def until_nothing_is_left(governed: Any) -> None:
    """Return when the runner has no process below it, living or dead."""

    async def is_alone() -> bool:
        return not left_behind(governed.runner)

    await governed.until(is_alone)


@pytest.mark.parametrize(("script", "mode"), CASES)
async def test_before_a_call(scripted: Any, script: str, mode: str, mark: str) -> None:
    """Its failure refuses the call where it must, and the tool never runs; else it is a warning; nothing is left."""
    failure, stops = SCRIPTS[script][2], MODES[mode][1]
    answer = (await scripted.call(f"before-{script}-{mode}", {"mark": mark})).json()
    [hook] = [each for each in answer["hooks"] if each["name"] == f"before-{script}-{mode}"]

    assert (failure, "stopped" if stops else "warned") == (hook["failure"], hook["effect"])
    assert (("refuse", False) if stops else ("deliver", True)) == (answer["decision"], answer["ran"])
    assert stops is not bool(scripted.witness.of("ran", mark))
    assert stops is not any(hook["name"] in warning for warning in answer["warnings"])
    await until_nothing_is_left(scripted)


@pytest.mark.parametrize(("script", "mode"), CASES)
async def test_after_a_call(scripted: Any, script: str, mode: str, mark: str) -> None:
    """Its failure withholds the response where it must, and the answer says that the tool has run."""
    failure, stops = SCRIPTS[script][2], MODES[mode][1]
    answer = (await scripted.call(f"after-{script}-{mode}", {"mark": mark})).json()
    [hook] = [each for each in answer["hooks"] if each["name"] == f"after-{script}-{mode}"]

    assert (failure, "stopped" if stops else "warned") == (hook["failure"], hook["effect"])
    assert ("withhold" if stops else "deliver", True) == (answer["decision"], answer["ran"])
    assert stops is (answer.get("response") is None)
    assert stops is not any(hook["name"] in warning for warning in answer["warnings"])
    await until_nothing_is_left(scripted)


async def test_the_record_tells_the_failure(scripted: Any) -> None:
    """What a script did is on the record of its call, and the runner goes on answering."""
    answer = (await scripted.call("before-prints-ten-gigabytes-reject", {})).json()
    [record] = await scripted.records(answer["call_id"])

    assert ["malformed_verdict"] == [hook["failure"] for hook in record.body["hooks"] if hook["failure"]]
    assert "printed more than 1024 KiB" in json.dumps(record.body["hooks"])
    assert scripted.runner.is_running
