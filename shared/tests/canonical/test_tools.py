"""The table that ships, and the aliases that a configuration may add to it."""

import subprocess
import sys

import pytest

from interpose.canonical.table import platform_of, table
from interpose.canonical.tools import Tools, alias_faults
from interpose.contracts.config import ToolSpec


def faults(aliases, *declared):
    """What is said against them."""
    return list(alias_faults(aliases, dict.fromkeys(declared, ToolSpec())))


def test_the_table_is_whole():
    """Each row says where it was read; most were verified."""
    rows = table().rows

    assert (338, 284) == (len(rows), sum(row.verified for row in rows))
    assert all(row.source and row.platform and row.kind for row in rows)
    assert table().version


def test_no_name_means_two_tools():
    """So that a name means the same where no platform is known."""
    meanings = {}
    for row in table().rows:
        meanings.setdefault(row.native.casefold(), set()).add((row.canonical, row.kind))

    assert [] == [name for name, meant in meanings.items() if len(meant) > 1]


def test_no_renamed_argument_is_renamed_again():
    """On its platform or on none: a canonical name is nobody's native one."""
    found = [table().find(row.native, platform) for row in table().rows for platform in (row.platform, None)]

    assert [] == [one for one in found if one and one.renames.keys() & set(one.renames.values())]


def test_an_unverified_row_reads_arguments_as_other_platforms_do():
    """A verified one reads its own alone."""
    unverified, verified = table().find("multiedit", "opencode"), table().find("edit", "opencode")

    assert table().find("apply_patch", "copilot-cli").renames.keys() >= {"input", "command", "patchText", "raw"}
    assert unverified.renames["filePath"] == verified.renames["filePath"] == "file_path"
    assert "old_str" not in verified.renames


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("claude", "claude-code"),
        ("GEMINI", "gemini-cli"),
        (" copilot ", "copilot-cli"),
        ("codex", "codex"),
        (None, None),
    ],
)
def test_short_names_of_platforms(name, expected):
    """Are accepted beside the whole ones."""
    assert expected == platform_of(name)


def test_the_table_is_read_on_first_use():
    """Importing the function reads nothing."""
    program = "from interpose.canonical import canonicalize, table; print(table.table.cache_info().currsize)"

    assert "0\n" == subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("aliases", "declared", "expected"),
    [
        ({"sh": "Bash"}, (), []),
        ({"sh": "shell_of_mine"}, ("shell_of_mine",), []),
        ({"WebFetch": "web_fetch"}, ("web_fetch",), []),
        ({"a": "b", "b": "Bash"}, (), []),
        ({"a": "a"}, (), [("a", "a leads back to itself: an alias ends at a tool")]),
        ({"a": "B", "b": "A"}, (), [(name, f"{name} leads back to itself: an alias ends at a tool") for name in "ab"]),
        ({"Bash": "Read"}, (), [("Bash", "Bash is known as Bash: as Read it would pass the rules for Bash")]),
        ({"exec": "mine"}, (), [("exec", "exec is known as Bash: as mine it would pass the rules for Bash")]),
        ({"mine": "Bash"}, ("Mine",), [("mine", "Mine is a tool of this file: a name stands for one tool")]),
        ({"A": "Bash", "a": "Read"}, (), [("A", "A and a are one name, since case does not count: keep one")]),
        ({"": "Bash"}, (), [("", "an alias and its tool have names: write the tool's name behind the colon")]),
    ],
)
def test_aliases_that_would_hide_a_tool(aliases, declared, expected):
    """Are objected to, each with its reason."""
    assert expected == faults(aliases, *declared)


def test_an_alias_that_was_objected_to_is_not_followed():
    """Wherever it came from."""
    tools = Tools.of({}, {"Bash": "Read", "a": "b", "b": "a", "sh": "Bash"})

    assert (None, None, "Bash") == (tools.alias("bash"), tools.alias("a"), tools.alias("SH"))
