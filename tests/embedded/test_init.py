"""A newcomer's way: `interpose init`, `interpose up`, and the call at the end of the file, which is refused."""

import json
import shlex
from typing import Any

import pytest

pytestmark = pytest.mark.server


async def test_the_starter_file_ends_with_a_refused_call(machine: Any) -> None:
    """Its last lines are run as they stand; its own rule refuses, with the place in the call."""
    assert machine.run("init").returncode == 0
    lines = (machine.folder / "interpose.yaml").read_text().splitlines()
    commands = [line.removeprefix("#").strip() for line in lines if line.startswith("#   interpose ")]
    assert "interpose up" == commands[0]

    up = await machine.up_lean()
    await up.started()
    refused = machine.run(*shlex.split(commands[-1])[1:], "--json")
    harmless = machine.run("call", "Bash", "--param", "command=ls", "--json")

    answer = json.loads(refused.stdout)["answer"]
    assert (2, "no-recursive-delete", ["$.parameters.command"]) == (
        refused.returncode,
        answer["decided_by"],
        [error["path"] for error in answer["errors"]],
    )
    # Nobody serves Bash here: all hooks said yes, and the order met nobody.
    assert "not-started" == json.loads(harmless.stdout)["answer"]["code"]
    unknown = json.loads(machine.run("call", "weather", "--json").stdout)["answer"]
    assert "approval-required" == unknown["code"]
