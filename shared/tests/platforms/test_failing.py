"""What is said when nothing could be decided, in the form of the event, however little of it can be read."""

import json
from pathlib import Path
from typing import Any

import pytest

from interpose.errors import InvalidInput
from interpose.platforms.event import Moment
from interpose.platforms.failing import refuse, seen
from interpose.platforms.read import EVENT_BYTES, PLATFORMS

FIXTURES = Path(__file__).parents[3] / "tests" / "fixtures" / "platforms"


def test_after_a_call_its_response_is_withheld() -> None:
    """In the form that the platform checks, with the reason."""
    stdout, _, exit_code = refuse("claude", (FIXTURES / "claude-code" / "post_bash.json").read_bytes(), "why")

    said = json.loads(stdout)["hookSpecificOutput"]
    assert (0, "[withheld by Interpose: why]", False) == (
        exit_code,
        said["updatedToolOutput"]["stdout"],
        said["updatedToolOutput"]["interrupted"],
    )


def test_an_event_of_no_tool_is_answered_by_silence() -> None:
    """A no to `Stop` would keep the agent from stopping."""
    event = json.loads((FIXTURES / "claude-code" / "pre_bash.json").read_bytes()) | {"hook_event_name": "Stop"}

    assert ("", "", 0) == refuse("claude-code", json.dumps(event).encode(), "why")


def test_what_cannot_be_read_is_the_callers_to_refuse() -> None:
    """It has a plain refusal for that."""
    with pytest.raises(InvalidInput):
        refuse("claude-code", b"{", "why")


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b'"x"', b" " * (EVENT_BYTES + 1)])
def test_what_tells_nothing_is_taken_for_a_call_that_is_about_to_run(platform: str, data: bytes) -> None:
    """The safe reading: it is refused."""
    found = seen(platform, data)

    assert (platform, Moment.BEFORE, "", {}) == (found.platform, found.moment, found.tool, found.arguments)


@pytest.mark.parametrize(
    ("platform", "event", "name", "moment"),
    [
        ("codex", {"hook_event_name": "PostToolUse"}, None, Moment.AFTER),
        ("cursor", {"hook_event_name": "afterMCPExecution"}, None, Moment.AFTER),
        ("gemini-cli", {"hook_event_name": ["AfterTool"]}, None, Moment.BEFORE),
        ("openclaw", {"hook": "before_install"}, None, Moment.INSTALL),
        ("copilot-cli", {"tool_result": 1}, None, Moment.AFTER),
        ("copilot-cli", {}, "postToolUseFailure", Moment.AFTER),
        ("copilot-cli", {"hook_event_name": "PostToolUse"}, "nothing", Moment.AFTER),
        ("mcp", {"message": {"error": 1}}, None, Moment.AFTER),
        ("mcp", {"message": {"method": "tools/call", "result": 1}}, None, Moment.BEFORE),
        ("claude-code", {"hook_event_name": "Stop"}, None, Moment.OTHER),
    ],
)
def test_an_event_that_cannot_be_read_is_what_it_says(
    platform: str, event: dict[str, Any], name: str | None, moment: Moment
) -> None:
    """By its name, or by what it brings."""
    assert moment is seen(platform, json.dumps(event).encode(), name).moment


def test_no_platform_has_no_form() -> None:
    """Nobody could be told anything."""
    with pytest.raises(InvalidInput, match="no such platform"):
        seen("none", b"{}")
