"""Back from canonical arguments to the platform's own: exact, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.canonical.canonicalize import canonicalize
from interpose.canonical.native import native_arguments
from interpose.canonical.table import table
from interpose.canonical.tools import Tools
from interpose.contracts.config import ToolSpec
from interpose.errors import InvalidInput

PLATFORM_TOOLS = sorted({(row.platform, row.native) for row in table().rows if "<" not in row.native})
NAMES = sorted({name for row in table().rows for pair in row.arguments.items() for name in pair} | {"other"})


@pytest.mark.parametrize(
    ("platform", "tool", "sent", "final", "native"),
    [
        ("openclaw", "read", {"path": "/a"}, {"file_path": "/b"}, {"path": "/b"}),
        ("openclaw", "read", {"path": "/a"}, {"file_path": "/a", "limit": 5}, {"path": "/a", "limit": 5}),
        (
            "openclaw",
            "exec",
            {"command": "ls"},
            {"command": "ls", "cwd": "/safe"},
            {"command": "ls", "workdir": "/safe"},
        ),
        ("codex", "exec_command", {"cmd": "ls", "own": 1}, {"command": "ls -1", "own": 1}, {"cmd": "ls -1", "own": 1}),
        ("claude-code", "Bash", {"command": "ls"}, {"command": "ls", "timeout": 9}, {"command": "ls", "timeout": 9}),
        ("codex", "apply_patch", {"input": "a"}, {"patch": "b"}, {"input": "b"}),
        (None, "my_tool", {"a": 1}, {"b": 2}, {"b": 2}),
        ("openclaw", "message", {"text": "x"}, {"text": "y", "channel": "c"}, {"text": "y", "channel": "c"}),
    ],
)
def test_arguments_go_back_to_the_names_they_came_with(platform, tool, sent, final, native):
    """And a new one to the name that this platform has for it."""
    assert native == native_arguments(tool, sent, final, platform=platform)


@pytest.mark.parametrize(
    ("platform", "tool", "sent", "final"),
    [
        ("openclaw", "exec", {"command": "ls"}, {"command": "ls", "timeout": 1000}),
        ("claude-code", "Bash", {"command": "ls"}, {"command": "ls", "cwd": "/safe"}),
        ("nowhere", "read", {}, {"file_path": "/a"}),
        ("openclaw", "read", {"offset": 1}, {"path": "/a"}),
    ],
)
def test_what_cannot_be_said_exactly_is_not_said(platform, tool, sent, final):
    """No guess at an argument that the platform counts otherwise, does not have, or that only others name."""
    assert native_arguments(tool, sent, final, platform=platform) is None


def test_a_declared_tool_keeps_its_own_arguments():
    """Its call is never renamed, so neither is its answer."""
    tools, sent, final = Tools.of({"web_fetch": ToolSpec()}), {"url": "a"}, {"url": "b", "max_chars": 3}

    assert final == native_arguments("web_fetch", sent, final, platform="openclaw", tools=tools)


@given(
    st.sampled_from(PLATFORM_TOOLS),
    st.dictionaries(st.sampled_from(NAMES), st.integers(0, 3), max_size=4),
    st.dictionaries(st.sampled_from(NAMES), st.integers(0, 3), max_size=4),
)
def test_whatever_is_said_reads_as_what_was_judged(named, sent, final):
    """For every tool of the table: the answer, read again, is what was judged; unchanged parameters have an answer."""
    platform, tool = named
    try:
        own = canonicalize(tool, None, sent, platform=platform).parameters
    except InvalidInput:
        return

    assert (
        own
        == canonicalize(
            tool, None, native_arguments(tool, sent, own, platform=platform) or {}, platform=platform
        ).parameters
    )
    said = native_arguments(tool, sent, final, platform=platform)
    if said is not None:
        assert final == canonicalize(tool, None, said, platform=platform).parameters
