"""The models of platforms' tools: all of them, the fixtures fit them, and what does not is a call still."""

import json
from pathlib import Path

import pytest

from interpose.canonical.table import table
from interpose.platforms.normalise import normalise
from interpose.platforms.read import PLATFORMS, read
from interpose.platforms.tools.registry import TOOLS, matches_model, misfits, model_of

FOLDER = Path(__file__).parents[3] / "tests" / "fixtures" / "platforms"
CALLS = [
    path for path in sorted(FOLDER.glob("*/*.json")) if ".expected." not in path.name and path.parent.name != "mcp"
]
NOT_TOOLS = {("cursor", "beforeMCPExecution"), ("mcp", "tools/call")}
"""Names of events: the tool is a server's."""
ROWS = [row for row in table().rows if not row.is_form and row.platform in PLATFORMS]


def test_every_platform_has_its_tools():
    """MCP has none of its own."""
    assert set(PLATFORMS) == TOOLS.keys()


@pytest.mark.parametrize("row", [row for row in ROWS if row.verified], ids=lambda row: f"{row.platform}/{row.native}")
def test_every_verified_tool_has_a_model(row):
    """Under its own name."""
    if (row.platform, row.native) not in NOT_TOOLS:
        assert row.native in TOOLS[row.platform]


@pytest.mark.parametrize("path", CALLS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_calls_of_the_fixtures_fit(path):
    """All but those of MCP servers, which no platform has a model of."""
    form = normalise(read(path.parent.name, path.read_bytes()), servers=("github", "github-mcp-server"))

    expected = None if form.domain_kind == "Mcp" else True
    assert expected == form.matches_model


@pytest.mark.parametrize(
    ("platform", "tool", "arguments", "place"),
    [
        ("claude-code", "Bash", {}, "$.command"),
        ("claude-code", "Bash", {"command": ["ls"]}, "$.command"),
        ("claude-code", "Read", {"file_path": "/a", "filePath": "/b"}, "$.filePath"),
        ("codex", "Bash", {"command": "ls", "workdir": "/"}, "$.workdir"),
        ("opencode", "read", {"file_path": "/a"}, "$.filePath"),
        ("vscode-copilot", "copilot_readFile", {"filePath": "/a", "startLine": 1}, "$.endLine"),
        ("openclaw", "edit", {"path": "/a", "edits": [{"oldText": "a"}]}, "$.edits[0].newText"),
        ("gemini-cli", "write_todos", {"todos": [{"content": "a", "status": "pending"}]}, "$.todos[0].description"),
        ("copilot-cli", "view", {"path": "/a", "view_range": [1]}, "$.view_range"),
        ("cursor", "Write", {"content": "x"}, "$"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(platform, tool, arguments, place):
    """By the platform's own names."""
    found = misfits(platform, tool, arguments)

    assert found is not None
    assert place in [fault.path for fault in found]
    assert matches_model(platform, tool, arguments) is False


def test_a_call_that_does_not_fit_is_a_call_still():
    """It is normalised by the table, and marked."""
    payload = json.loads((FOLDER / "claude-code" / "pre_bash.json").read_text())
    payload["tool_input"] = {"command": "rm -rf /", "surprise": 1}

    form = normalise(read("claude", payload))

    assert (False, {"command": "rm -rf /"}, {"surprise": 1}) == (
        form.matches_model,
        form.canonical_arguments,
        form.extra_arguments,
    )


def test_a_tool_is_found_by_its_name_however_it_is_spelled():
    """The exact name first: Copilot has tools whose names differ in case only."""
    assert model_of("claude-code", "bash") is model_of("claude-code", "Bash")
    assert model_of("copilot-cli", "Edit") is not model_of("copilot-cli", "edit")
    assert (None, None) == (model_of("copilot-cli", "EDIT"), matches_model("nowhere", "read", {}))
