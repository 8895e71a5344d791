"""Back from canonical arguments to the platform's own: exact, or not at all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpose.canonical.canonicalize import canonicalize
from interpose.canonical.native import native_arguments
from interpose.canonical.table import table
from interpose.canonical.tools import Tools
from interpose.contracts.config import ToolSpec
from interpose.contracts.digest import encode
from interpose.errors import InvalidInput

PLATFORM_TOOLS = sorted({(row.platform, row.native) for row in table().rows if "<" not in row.native})
VERIFIED = [row for row in table().rows if row.verified and row.arguments and not row.is_form]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(0, 1) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"
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
        (
            "cursor",
            "Shell",
            {"cwd": "/a", "working_directory": "/a"},
            {"cwd": "/b"},
            {"cwd": "/b", "working_directory": "/b"},
        ),
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


def arguments_of(row):
    """What a call of this tool may bring: some of its own arguments by its own names, and one that nobody knows."""
    names = sorted({name.split("[")[0].split(".")[0] for name in row.arguments})
    given_arguments = st.dictionaries(st.sampled_from([*names, "other"]), VALUES)
    if row.kind != "FilePatch":
        return given_arguments
    text = next(name for name, told in row.arguments.items() if told == "patch")
    return given_arguments.map(lambda arguments: {**arguments, text: PATCH})


def canonical_or_faults(row, sent):
    """The canonical parameters, or what is said against the call."""
    try:
        return canonicalize(row.native, None, sent, platform=row.platform).parameters, []
    except InvalidInput as refused:
        return None, [fault.message for fault in refused.faults]


@pytest.mark.parametrize("row", VERIFIED, ids=lambda row: f"{row.platform}/{row.native}")
@settings(max_examples=40)
@given(data=st.data())
def test_a_call_goes_there_and_back_byte_for_byte(row, data):
    """From its platform's own arguments to canonical ones and back, in their order.

    One argument under two names that differ has no canonical form: the call is refused, and nothing goes back.
    """
    sent = data.draw(arguments_of(row))
    own, said = canonical_or_faults(row, sent)

    if own is None:
        assert all("told twice" in fault for fault in said)
        return
    assert encode(sent) == encode(native_arguments(row.native, sent, own, platform=row.platform))
