"""What is kept of names: found once, bounded, and never in the way of what the parameters say."""

import pytest

from interpose.canonical.canonicalize import canonicalize
from interpose.canonical.memory import MOST, Memory
from interpose.canonical.tools import Tools
from interpose.contracts.limits import NAME_CHARACTERS
from interpose.errors import InvalidInput

PATCH = "*** Begin Patch\n*** Add File: a\n+b\n*** End Patch\n"


def test_the_least_lately_asked_goes_first():
    """Whoever sends many names does not make the gateway forget those that are in use."""
    memory, found = Memory(2), []

    for asked in "abacab":
        memory.recall(asked, lambda asked=asked: found.append(asked) or asked)

    assert ["a", "b", "c", "b"] == found


def test_what_raises_is_asked_again():
    """A name that cannot be used is refused each time."""
    tools = Tools.of({})

    for _ in range(2):
        with pytest.raises(InvalidInput, match="visible"):
            canonicalize("a\u200bb", None, {}, tools=tools)


def test_names_of_callers_fill_it_to_its_end():
    """And a name longer than a call may have is not kept at all."""
    tools = Tools.of({})
    canonicalize("x" * (NAME_CHARACTERS + 1), None, {}, tools=tools)
    canonicalize("x", "y" * (NAME_CHARACTERS + 1), {}, tools=tools)

    assert 0 == len(tools.memory)
    for number in range(MOST + 5):
        canonicalize(f"tool-{number}", None, {}, tools=tools)
    assert len(tools.memory) == MOST


@pytest.mark.parametrize(
    ("tool", "action", "platform", "one", "other"),
    [
        ("message", None, None, {"action": "send"}, {"action": "react"}),
        ("str_replace_editor", None, None, {"command": "view"}, {"command": "create"}),
        ("Edit", None, None, {"file_path": "a"}, {"patch": PATCH}),
        ("apply_patch", None, "codex", {"input": PATCH}, {"input": "no patch"}),
        ("Bash", None, "codex", {"command": "ls"}, {"cmd": "ls"}),
        ("jira.create", None, None, {}, {"a": 1}),
    ],
)
def test_another_call_of_the_name_is_read_for_itself(tool, action, platform, one, other):
    """In whichever order they come, each is what it is where nothing was kept."""
    alone = [canonicalize(tool, action, given, platform=platform, tools=Tools.of({})) for given in (one, other)]
    tools = Tools.of({})

    for given, expected in ((one, alone[0]), (other, alone[1]), (one, alone[0])):
        assert expected == canonicalize(tool, action, given, platform=platform, tools=tools)


def test_platform_and_action_are_part_of_what_is_kept():
    """One name means two tools on two platforms, and another action is another call."""
    tools = Tools.of({})
    asked = [("write_file", "gemini-cli", None), ("write_file", None, None), ("write_file", None, "one")]

    for _ in range(2):
        for tool, platform, action in asked:
            alone = canonicalize(tool, action, {}, platform=platform, tools=Tools.of({}))
            assert alone == canonicalize(tool, action, {}, platform=platform, tools=tools)


def test_two_words_on_the_action_are_refused_each_time():
    """What is kept of the name does not hide that they differ."""
    tools = Tools.of({})

    for _ in range(2):
        with pytest.raises(InvalidInput, match="told twice"):
            canonicalize("message.send", "react", {}, tools=tools)
