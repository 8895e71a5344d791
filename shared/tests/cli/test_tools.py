"""`interpose tools` as a person uses it."""

import json


def test_a_canonical_name_shows_what_each_platform_calls_it(interpose):
    """One line a spelling, with the arguments that have another name."""
    done = interpose("tools", "Bash")

    assert 0 == done.code
    assert "gemini-cli      run_shell_command" in done.out
    assert "openclaw        exec" in done.out


def test_a_platforms_own_name_leads_to_the_same(interpose):
    """In whatever case it is typed."""
    assert interpose("tools", "bash").out == interpose("tools", "RUN_SHELL_COMMAND").out


def test_each_row_is_json_for_programs(interpose):
    """With its source and whether it was verified."""
    rows = [json.loads(line) for line in interpose("tools", "write_file", "--json").out.splitlines()]

    (row,) = [row for row in rows if row["platform"] == "gemini-cli"]
    assert ("write_file", "Write", "FileWrite", True) == (row["native"], row["canonical"], row["kind"], row["verified"])


def test_all_tools_are_listed_without_a_name(interpose):
    """Canonical tools, and those that one platform has alone."""
    done = interpose("tools")

    assert "Write (FileWrite)" in done.out
    assert "on openclaw alone" in done.out


def test_an_unknown_name_says_what_happens_to_such_a_tool(interpose):
    """And what may have been meant."""
    done = interpose("tools", "run_shel_command")

    assert 1 == done.code
    assert "run_shell_command" in done.err
    assert "toolAliases" in done.err
