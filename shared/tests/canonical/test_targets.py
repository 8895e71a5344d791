"""What a call touches is one list, whatever the tool and the platform."""

import pytest

from interpose.canonical.canonicalize import canonicalize
from interpose.canonical.mcp import McpName
from interpose.canonical.places import resolve
from interpose.canonical.scripts import mixed
from interpose.canonical.table import table
from interpose.contracts.canonical import Intent, Operation, Target
from interpose.errors import InvalidInput

HOME = "/srv/dev/shop"

PATHS = {
    ("a.txt", HOME): "/srv/dev/shop/a.txt",
    ("./a/../b", HOME): "/srv/dev/shop/b",
    ("../../../../etc/passwd", HOME): "/etc/passwd",
    ("//etc//passwd", HOME): "/etc/passwd",
    ("/etc/./passwd", None): "/etc/passwd",
    ("a/../b", None): "b",
    ("../x", None): "../x",
    ("~/.ssh/../.bashrc", HOME): "~/.bashrc",
    ("~", HOME): "~",
    ("~bob/x/", HOME): "~bob/x",
    ("~/../x", HOME): "~/../x",
    ("x", "~/work"): "~/work/x",
    ("C:\\a\\..\\b", None): "C:\\b",
    ("b", "C:\\a"): "C:\\a\\b",
    (".", HOME): HOME,
}


@pytest.mark.parametrize(("path", "cwd"), PATHS)
def test_a_path_has_one_spelling(path: str, cwd: str | None) -> None:
    """However a path is written, a rule compares what it means."""
    assert PATHS[path, cwd] == resolve(path, cwd)


def at(operation: Operation, path: str) -> Target:
    return Target(operation=operation, path=path)


CALLS = [
    (
        "vscode-copilot",
        "multi_replace_string_in_file",
        {
            "explanation": "",
            "replacements": [{"filePath": "a", "oldString": "", "newString": ""}, {"filePath": "/etc/x"}],
        },
        [at(Operation.UPDATE, f"{HOME}/a"), at(Operation.UPDATE, "/etc/x")],
    ),
    ("claude-code", "Write", {"file_path": "/srv/../etc/x", "content": ""}, [at(Operation.WRITE, "/etc/x")]),
    ("gemini-cli", "write_file", {"file_path": "a", "content": ""}, [at(Operation.WRITE, f"{HOME}/a")]),
    ("openclaw", "read", {"path": "../a"}, [at(Operation.READ, "/srv/dev/a")]),
    ("opencode", "edit", {"filePath": "a", "oldString": "", "newString": ""}, [at(Operation.UPDATE, f"{HOME}/a")]),
    ("claude-code", "Grep", {"pattern": "x"}, [at(Operation.READ, HOME)]),
    ("claude-code", "NotebookEdit", {"notebook_path": "/n", "new_source": ""}, [at(Operation.UPDATE, "/n")]),
    (
        "claude-code",
        "WebFetch",
        {"url": "https://Docs.Example/x", "prompt": "p"},
        [Target(operation=Operation.CONNECT, url="https://Docs.Example/x", host="docs.example")],
    ),
    (
        "gemini-cli",
        "web_fetch",
        {"prompt": "read https://a.example/y, please"},
        [Target(operation=Operation.CONNECT, url="https://a.example/y", host="a.example")],
    ),
    (
        "codex",
        "apply_patch",
        {"command": "*** Begin Patch\n*** Delete File: ../x\n*** End Patch\n"},
        [at(Operation.DELETE, "/srv/dev/x")],
    ),
]


@pytest.mark.parametrize(("platform", "tool", "arguments", "targets"), CALLS)
def test_each_tool_says_what_it_touches(platform, tool, arguments, targets) -> None:
    """A rule for a path or a host covers every tool that touches it."""
    identity = canonicalize(tool, None, arguments, platform=platform, cwd=HOME).identity

    assert targets == list(identity.targets)


PLACES = {"file_path", "file_paths", "patterns", "notebook_path", "path", "url", "urls", "edits[].file_path"}
NAMING = [
    (row, name)
    for row in table().rows
    for name, told in row.arguments.items()
    if told.split(" ")[0] in PLACES and row.kind not in ("Execute", "Other") and row.verified
]


@pytest.mark.parametrize(("row", "name"), NAMING, ids=lambda value: getattr(value, "native", value))
def test_every_argument_that_names_a_place_is_a_target(row, name) -> None:
    """Whatever a platform calls it, and where it stands in a list: a rule for places misses none."""
    outer, _, inner = name.partition("[].")
    value = [{inner: "here/x"}] if inner else "here/x"

    identity = canonicalize(row.native, None, {outer: value}, platform=row.platform).identity

    assert "here/x" in {target.path or target.url for target in identity.targets}


def test_a_shell_command_touches_what_its_parts_touch() -> None:
    """One rule for a path covers a redirection in a shell as well."""
    identity = canonicalize("Bash", None, {"command": "echo x > ../x; rm -rf y"}, cwd=HOME).identity

    paths = {(target.operation, target.path) for target in identity.targets if target.path}
    assert {(Operation.WRITE, "/srv/dev/x"), (Operation.DELETE, f"{HOME}/y")} == paths
    assert (Intent.DELETES, Intent.WRITES) == identity.intents


def test_after_a_change_of_folder_a_path_may_mean_either() -> None:
    """Whether the change was reached nobody knows: both places are targets."""
    identity = canonicalize("Bash", None, {"command": "cd /etc && rm passwd"}, cwd=HOME).identity

    assert {f"{HOME}/passwd", "/etc/passwd"} == {target.path for target in identity.targets if target.path}


def test_a_call_that_names_its_own_folder_stands_there() -> None:
    """A working folder among the parameters counts before the caller's."""
    arguments = {"command": "rm x", "workdir": "/srv"}
    identity = canonicalize("exec", None, arguments, platform="openclaw", cwd=HOME).identity

    assert ["/srv/x"] == [target.path for target in identity.targets if target.path]


@pytest.mark.parametrize("command", [None, 7, {"a": 1}, ["rm", 1]])
def test_a_command_that_is_no_text_is_told_to_be_unread(command: object) -> None:
    """What cannot be read is never taken for nothing."""
    assert (Intent.UNPARSED,) == canonicalize("Bash", None, {"command": command}).identity.intents


def test_the_words_of_a_command_are_read_as_words() -> None:
    """A list of words is what a shell would make of them, and no operator hides in one."""
    identity = canonicalize("Bash", None, {"command": ["rm", "a; b"]}).identity

    assert ["a; b"] == [target.path for target in identity.targets if target.path]


@pytest.mark.parametrize("name", ["B\u0430sh", "\u0412ash", "Re\u0251\u0434", "Wri\u03c4e"])
def test_a_name_in_two_scripts_is_refused(name: str) -> None:
    """It may look like another tool's name."""
    with pytest.raises(InvalidInput, match="one script"):
        canonicalize(name, None, {})


@pytest.mark.parametrize(
    "name",
    [
        "\u691c\u7d22\u30c4\u30fc\u30eb",
        "search\u691c\u7d22",
        "\u043f\u043e\u0438\u0441\u043a",
        "Bash",
        "suche_\u00e4",
        "\uac80\uc0c9",
    ],
)
def test_a_name_as_people_write_it_is_good(name: str) -> None:
    """One script, or those that are written together."""
    assert [] == mixed(name)


@pytest.mark.parametrize(
    ("platform", "name"), [("openclaw", "exec"), ("claude-code", "Bash"), (None, "run_shell_command")]
)
def test_a_callers_word_on_a_server_takes_no_rule_away(platform, name) -> None:
    """A tool of a server that is named like a shell meets the rules for shells as well."""
    identity = canonicalize(name, None, {}, platform=platform, mcp=McpName("s", "t")).identity

    assert ("mcp__s__t", ("Bash",)) == (identity.canonical, identity.views)
