"""`interpose hooks test`: real hooks are asked, nothing runs, nothing is recorded, and what differs is exit code 1."""

import json
from typing import Any

import pytest

from interpose.bus.subjects import RECORDS_STREAM
from interpose.embedded import operator

pytestmark = pytest.mark.server

DELETE = {"tool": "Bash", "parameters": {"command": "rm -rf /"}}
LIST = {"tool": "Bash", "parameters": {"command": "ls"}}
REFUSED = {"decision": "refuse", "decided_by": "no-recursive-delete", "hooks": {"no-recursive-delete": "reject"}}
STRICTER = {"hooks": {"before:Bash": [{"name": "no-ls", "service": "validator", "with": {"schema": {"not": {}}}}]}}
SHADOW = {"hooks": {"before:Bash": [{**STRICTER["hooks"]["before:Bash"][0], "mode": "shadow"}]}}
AFTER = {"hooks": {"after:*": [{"name": "short", "service": "validator", "with": {"schema": {"maxProperties": 0}}}]}}


def event(machine: Any, name: str, call: dict[str, Any], expect: dict[str, Any]) -> str:
    """An event file."""
    (machine.folder / name).write_text(json.dumps({**call, "expect": expect}))
    return name


async def records(machine: Any) -> int:
    """How many messages the stream of records holds."""
    client = await operator.connect(machine.home)
    stored = (await client.jetstream().stream_info(RECORDS_STREAM)).state.messages
    await client.close()
    return int(stored)


async def test_events_against_files_and_hooks_in_force(machine: Any) -> None:
    """The file in force, a candidate that is not, an after hook, one hook by name, an expectation that fails."""
    assert machine.run("init").returncode == 0
    up = await machine.up_lean()
    await up.started()
    before = await records(machine)
    deletes, lists = (
        event(machine, "delete.json", DELETE, REFUSED),
        event(machine, "list.json", LIST, {"decision": "run"}),
    )

    as_expected = machine.run("hooks", "test", "interpose.yaml", deletes, lists, "--json")
    assert (0, "") == (as_expected.returncode, as_expected.stderr)
    told = [json.loads(line) for line in as_expected.stdout.splitlines()]
    assert [True, True] == [one["as_expected"] for one in told]

    (machine.folder / "stricter.json").write_text(json.dumps(STRICTER))
    differs = machine.run("hooks", "test", "stricter.json", lists)
    assert differs.returncode == 1
    assert "decision: expected 'run', got 'refuse'" in differs.stdout

    (machine.folder / "after.json").write_text(json.dumps(AFTER))
    withheld = event(machine, "after-event.json", {**LIST, "response": {"a": 1}}, {"decision": "withhold"})
    assert machine.run("hooks", "test", "after.json", withheld).returncode == 0

    (machine.folder / "shadow.json").write_text(json.dumps(SHADOW))
    looked_on = event(machine, "shadow-event.json", LIST, {"decision": "run", "hooks": {"no-ls": "reject"}})
    assert machine.run("hooks", "test", "shadow.json", looked_on).returncode == 0

    by_name = machine.run("hooks", "test", "no-recursive-delete", deletes, "--json")
    hooks = json.loads(by_name.stdout)["answer"]["hooks"]
    assert (0, ["no-recursive-delete"]) == (
        by_name.returncode,
        [hook["name"] for hook in hooks if hook["name"] != "canonicalizer"],
    )
    unknown = machine.run("hooks", "test", "nobody", deletes)
    assert (1, True) == (unknown.returncode, "in force are" in unknown.stderr)
    assert before == await records(machine)
