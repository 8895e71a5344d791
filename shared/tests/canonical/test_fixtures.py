"""Events of nine platforms, as their documents and schemas show them, each with the tool and kind that it is."""

import json
from pathlib import Path
from typing import Any

import pytest

from interpose.canonical.canonicalize import canonicalize
from interpose.canonical.mcp import McpName

FOLDER = Path(__file__).parents[3] / "tests" / "fixtures" / "platforms"
PAIRS = sorted(FOLDER.glob("*/*.expected.json"))
CURSOR_EVENTS = {"beforeShellExecution", "beforeReadFile", "afterFileEdit"}
"""Events of Cursor that name no tool: the event is the tool."""
NAMELESS = ("tools/call", {}, None)
"""A response over MCP says only that it answers such a request."""


def read(path: Path) -> Any:
    """One file."""
    return json.loads(path.read_text())


def called(platform: str, event: dict[str, Any]) -> tuple[str, Any, McpName | None]:
    """The tool, its arguments and what the platform itself says of an MCP tool, out of the platform's own envelope."""
    match platform:
        case "mcp":
            server, params = event["connection"]["server"], event["message"].get("params")
            return (params["name"], params["arguments"], McpName(server, params["name"])) if params else NAMELESS
        case "openclaw":
            return event["event"]["toolName"], event["event"]["params"], None
        case "opencode":
            given = event["input"]
            return given["tool"], given.get("args", event["output"].get("args")), None
        case "cursor":
            return of_cursor(event)
        case "gemini-cli":
            context = event.get("mcp_context")
            name = McpName(context["server_name"], context["tool_name"]) if context else None
            return event["tool_name"], event["tool_input"], name
        case _:
            name = event.get("tool_name", event.get("toolName"))
            return name, event.get("tool_input", event.get("toolArgs")), None


def of_cursor(event: dict[str, Any]) -> tuple[str, Any, McpName | None]:
    """Cursor has an event for a tool, and an event for any."""
    if event["hook_event_name"] in CURSOR_EVENTS:
        return event["hook_event_name"], {key: event[key] for key in ("command", "file_path") if key in event}, None
    name, given = event["tool_name"], event["tool_input"]
    server = event.get("mcp_server_name")
    return name, json.loads(given) if isinstance(given, str) else given, McpName(server, name) if server else None


@pytest.mark.parametrize("expected", PAIRS, ids=lambda path: f"{path.parent.name}/{path.name.split('.')[0]}")
def test_an_event_is_the_tool_and_the_kind_that_it_is(expected):
    """On its own platform, with the servers that the pair says are known."""
    wanted, event = read(expected), read(expected.with_name(expected.name.replace(".expected", "")))
    platform, servers = expected.parent.name, wanted.get("known_servers", ())
    tool, arguments, mcp = called(platform, event)

    found = canonicalize(tool, None, arguments, platform=platform, mcp=mcp, servers=servers).identity

    name = wanted["canonical_tool_name"] or NAMELESS[0]
    assert (name, wanted["domain_kind"]) == (found.canonical, found.kind)
    if "mcp" in wanted:
        assert McpName(**wanted["mcp"]) == found.mcp


def test_every_pair_is_there():
    """So that a lost file is noticed."""
    assert 77 == len(PAIRS)
