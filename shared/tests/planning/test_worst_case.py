"""The longest that calls may wait, by tool and key, before any call waits."""

import pytest

from interpose.canonical.tools import Tools
from interpose.planning.entries import entries_of
from interpose.planning.worst_case import worst_cases


@pytest.fixture
def told(configuration):
    """`told(hooks, tools)`: subject → hooks and milliseconds before, and the same after."""

    def tell(hooks, tools=(), aliases=None):
        made = configuration(hooks, tools={name: {} for name in tools}, toolAliases=aliases or {})
        return {
            one.subject: (_names(one.before), one.before_ms, _names(one.after), one.after_ms)
            for one in worst_cases(entries_of(made), Tools.of(made.tools, made.tool_aliases))
        }

    return tell


def _names(plan) -> str:
    return " ".join(step.hook.name for step in (*plan.chain, *plan.judging))


def test_every_tool_and_key_is_told_of(told, hook):
    """Tools that are declared, keys as the file has them, and whatever else is called; each once."""
    hooks = {
        "before:*": [hook("all", timeout=10)],
        "before:message.send": [hook("send", timeout=20), hook("change", timeout=300, transform=True)],
        "before:mcp__git*": [hook("git", timeout=40)],
        "after:message": [hook("receipt", timeout=50)],
        "before:MESSAGE": [hook("any", timeout=60)],
    }

    assert {
        "web_fetch": ("all", 10, "", 0),
        "message": ("change all any send", 360, "receipt", 50),
        "message.send": ("change all any send", 360, "receipt", 50),
        "mcp__git*": ("all git", 40, "", 0),
        "*": ("all", 10, "", 0),
    } == told(hooks, ["web_fetch", "message"])


def test_the_order_is_tools_then_keys_then_all_others(told, hook):
    """So that two tellings of one configuration can be compared line by line."""
    hooks = {"after:*": [hook("c")], "before:b*": [hook("b")], "after:a": [hook("a")]}

    assert ["web_fetch", "b*", "a", "*"] == list(told(hooks, ["web_fetch"]))


def test_a_name_is_told_of_as_what_it_stands_for(told, hook):
    """A platform's own name meets the rules of its canonical tool, and no rule of another tool."""
    hooks = {"before:exec": [hook("own")], "before:Bash": [hook("canonical")], "before:Write": [hook("other")]}

    assert ("own canonical", "canonical") == (told(hooks)["exec"][0], told(hooks)["Bash"][0])


def test_a_dotted_name_that_nothing_knows_is_an_action(told, hook):
    """It meets the rules of the tool in front of the dot; those of other actions it does not."""
    hooks = {
        "before:jira.close": [hook("close")],
        "before:jira": [hook("jira")],
        "before:jira.o*": [hook("opening")],
        "before:.x": [hook("odd")],
    }

    found = told(hooks)

    assert ("jira close", "opening jira close") == (found["jira.close"][0], found["jira"][0])
    assert ("opening jira", "odd") == (found["jira.o*"][0], found[".x"][0])


def test_only_what_stands_behind_the_last_dot_is_an_action(told, hook):
    """As a key is split: the tool of `jira.cloud.close` is `jira.cloud`."""
    hooks = {"before:jira.cloud.close": [hook("close")], "before:jira.cloud": [hook("cloud")]}

    assert "cloud close" == told(hooks)["jira.cloud.close"][0]


def test_the_action_of_a_known_tool_is_its_own(told, hook):
    """A dotted key meets the rules of the canonical tool and of this action, and those of no other action."""
    hooks = {"before:exec.run": [hook("own")], "before:Bash": [hook("canonical")], "before:exec.stop": [hook("other")]}

    assert ("canonical own", "canonical other") == (told(hooks)["exec.run"][0], told(hooks)["exec.stop"][0])


def test_a_declared_tool_meets_the_rules_of_the_tool_that_it_also_is(told, hook):
    """Declaring a platform's own name takes no rule of its canonical tool away."""
    assert "bash" == told({"before:Bash": [hook("bash")]}, ["exec"])["exec"][0]


def test_a_declared_name_is_not_split(told, hook):
    """A tool that is declared with a dot in its name has no action by it, whatever stands behind the dot."""
    hooks = {"before:jira": [hook("jira")]}

    assert ("", "") == (told(hooks, ["jira.close"])["jira.close"][0], told(hooks, ["jira.None"])["jira.None"][0])


def test_a_name_may_have_a_colon(told, hook):
    """Only the first one of a key ends its phase."""
    assert ["server:tool", "*"] == list(told({"before:server:tool": [hook("any")]}))


def test_a_prefix_is_no_name(told, hook):
    """What a name with a star stands for is not met by the names that begin as the prefix does."""
    hooks = {"before:git*": [hook("git")], "before:Bash": [hook("bash")]}

    assert "git" == told(hooks, aliases={"git*": "Bash"})["git*"][0]


def test_a_key_that_no_tool_can_have_is_told_of(told, hook):
    """It is a warning elsewhere, and nothing breaks here."""
    assert "hidden" == told({"before:a\u200bb": [hook("hidden")]})["a\u200bb"][0]


def test_nothing_takes_no_time(told):
    """An empty configuration enforces nothing."""
    assert {"*": ("", 0, "", 0)} == told({})
