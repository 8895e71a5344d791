"""The normal form of events: all 77 pairs, each argument that has to be worked out, and what is never lost."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.canonical.table import table
from interpose.contracts.model import JsonObject
from interpose.errors import InvalidInput
from interpose.platforms.calculations import CALCULATIONS, NO_ARGUMENT
from interpose.platforms.domain import domain_of
from interpose.platforms.event import Moment, ToolEvent
from interpose.platforms.mapping import canonical_names
from interpose.platforms.normal import NormalForm
from interpose.platforms.normalise import normalise
from interpose.platforms.read import PLATFORMS, read

FOLDER = Path(__file__).parents[3] / "tests" / "fixtures" / "platforms"
PAIRS = sorted(FOLDER.glob("*/*.expected.json"))
COMMENTARY = "notes"
"""The only key that is no part of the form: it explains the pair to whoever reads it."""
ROWS = [row for row in table().rows if not row.is_form and row.platform in PLATFORMS]
VALUES = st.none() | st.booleans() | st.integers(-5, 200) | st.text("ab/. ~", max_size=6)
JSON = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner), max_leaves=4
)


def event(platform: str, tool: str, arguments: JsonObject, **more: Any) -> ToolEvent:
    """A call that is about to run."""
    return ToolEvent(platform, "before", Moment.BEFORE, tool, arguments, {}, **more)


def form(platform: str, tool: str, arguments: JsonObject, **more: Any) -> NormalForm:
    """Its normal form."""
    return normalise(event(platform, tool, arguments, **more))


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: f"{path.parent.name}/{path.name.split('.')[0]}")
def test_an_event_has_the_normal_form_of_its_pair(path):
    """Every key of it, and no other; `notes` is commentary for people, and stands beside some of its kind only."""
    wanted = json.loads(path.read_text())
    wanted.pop(COMMENTARY, None)
    read_event = read(path.parent.name, path.with_name(path.name.replace(".expected", "")).read_bytes())

    assert wanted == normalise(read_event, servers=wanted.get("known_servers", ())).to_wire()


def test_every_pair_is_there():
    """So that a lost file is noticed."""
    assert 77 == len(PAIRS)


def test_every_description_of_the_table_is_worked_out():
    """A row that describes what nothing here does would be read as if it said nothing."""
    plain = {told for row in ROWS for told in row.arguments.values() if not set(told) & set(" *()=!,")}
    told = {told for row in ROWS for told in row.arguments.values()}

    assert CALCULATIONS.keys() | NO_ARGUMENT == told - plain


@pytest.mark.parametrize(
    ("platform", "tool", "given", "canonical", "extra"),
    [
        ("gemini-cli", "read_file", {"file_path": "/a", "end_line": 5}, {"file_path": "/a", "limit": 5}, {}),
        ("gemini-cli", "read_file", {"start_line": 9, "end_line": 5}, {"offset": 9}, {"end_line": 5}),
        ("gemini-cli", "replace", {"expected_replacements": 3}, {"replace_all": True}, {}),
        (
            "gemini-cli",
            "grep_search",
            {"case_sensitive": False, "names_only": False},
            {"-i": True},
            {"names_only": False},
        ),
        ("copilot-cli", "view", {"path": "/a", "view_range": [4, -1]}, {"file_path": "/a", "offset": 4}, {}),
        ("copilot-cli", "view", {"path": "/a", "view_range": [4]}, {"file_path": "/a"}, {"view_range": [4]}),
        ("copilot-cli", "bash", {"command": "a", "mode": "async"}, {"command": "a", "run_in_background": True}, {}),
        ("copilot-cli", "bash", {"command": "a", "mode": "odd"}, {"command": "a"}, {"mode": "odd"}),
        (
            "copilot-cli",
            "ask_user",
            {"question": "Which?", "choices": ["a"], "allow_freeform": False},
            {"questions": [{"question": "Which?", "options": [{"label": "a"}], "custom": False}]},
            {},
        ),
        ("copilot-cli", "update_todo", {"todos": "- [ ] a"}, {"todos_markdown": "- [ ] a"}, {}),
        ("copilot-cli", "Read", {"file_path": "/a"}, {"file_path": "/a"}, {}),
        ("codex", "shell", {"command": ["bash", "-lc", "a b"]}, {"command": "bash -lc 'a b'"}, {}),
        (
            "codex",
            "local_shell",
            {"action": {"type": "exec", "command": ["ls"], "timeout_ms": 5}},
            {"command": "ls", "timeout": 5},
            {"action": {"type": "exec"}},
        ),
        ("opencode", "webfetch", {"url": "u", "timeout": 2}, {"url": "u", "timeout": 2000}, {}),
        (
            "opencode",
            "question",
            {"questions": [{"question": "q", "multiple": True}]},
            {"questions": [{"question": "q", "multiSelect": True}]},
            {},
        ),
        (
            "openclaw",
            "edit",
            {"path": "/a", "edits": [{"oldText": "a", "newText": "b"}, {"oldText": "c", "newText": "d"}]},
            {
                "file_path": "/a",
                "edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}],
            },
            {},
        ),
        (
            "vscode-copilot",
            "multi_replace_string_in_file",
            {
                "explanation": "all",
                "replacements": [{"explanation": "one", "filePath": "/a", "oldString": "a", "newString": "b"}],
            },
            {"file_path": "/a", "old_string": "a", "new_string": "b"},
            {"explanation": "all", "edits": [{"explanation": "one"}]},
        ),
        (
            "vscode-copilot",
            "manage_todo_list",
            {"operation": "write", "todoList": [{"id": 1, "title": "a", "status": "not-started", "description": "d"}]},
            {"todos": [{"id": 1, "content": "a", "status": "pending", "description": "d"}]},
            {"operation": "write"},
        ),
        ("vscode-copilot", "edit_notebook_file", {"editType": "edit"}, {"edit_mode": "replace"}, {}),
        (
            "claude-code",
            "TaskUpdate",
            {"taskId": "7", "status": "completed", "owner": "me"},
            {"todos": [{"id": "7", "status": "completed"}]},
            {"owner": "me"},
        ),
        ("claude-code", "TaskStop", {"task_id": "7", "more": 1}, {"task_id": "7"}, {"more": 1}),
        ("claude-code", "Skill", {"skill": "x"}, {"skill": "x"}, {}),
        ("cursor", "Write", {"path": "/a", "contents": "x"}, {"file_path": "/a", "content": "x"}, {}),
        ("nowhere", "my_tool", {"a": 1}, {"a": 1}, {}),
    ],
)
def test_arguments_have_their_canonical_place(platform, tool, given, canonical, extra):
    """Worked out where they have to be; what has no place, or no such form, stays beside it."""
    found = form(platform, tool, given)

    assert (canonical, extra) == (found.canonical_arguments, found.extra_arguments)


@pytest.mark.parametrize(
    ("platform", "tool", "given", "name", "kind"),
    [
        ("copilot-cli", "str_replace_editor", {"command": "view", "path": "/a"}, "Read", "FileRead"),
        ("copilot-cli", "str_replace_editor", {"command": "create", "path": "/a"}, "Write", "FileWrite"),
        ("copilot-cli", "str_replace_editor", {"command": "insert", "path": "/a"}, "Edit", "FileEdit"),
        ("vscode-copilot", "manage_todo_list", {"operation": "read"}, "TodoRead", "TodoRead"),
        ("cursor", "MCP:create_issue", {"title": "x"}, "MCP:create_issue", "Mcp"),
        ("openclaw", "message", {"action": "send"}, "message", "Message"),
    ],
)
def test_a_tool_that_does_several_things_is_what_it_does_here(platform, tool, given, name, kind):
    """And a tool of a server is one where the server is not told."""
    found = form(platform, tool, given)

    assert (name, kind) == (found.canonical_tool_name, found.domain_kind)


def test_a_program_is_no_shell_command():
    """OpenClaw's code mode keeps its own name, and still runs something."""
    found = form("openclaw", "exec", {"code": "fs.rmSync('/')"}, is_script=True)

    assert ("exec", "Execute", {"code": "fs.rmSync('/')"}) == (
        found.canonical_tool_name,
        found.domain_kind,
        found.canonical_arguments,
    )


def test_a_patch_tells_what_it_does_to_each_file():
    """Both ends of a move, resolved against the folder of the call."""
    text = "*** Begin Patch\n*** Delete File: a\n*** Update File: b\n*** Move to: c\n@@\n-x\n+y\n*** End Patch"

    found = form("codex", "apply_patch", {"command": text}, cwd="/w")

    assert [
        {"op": "delete", "file_path": "a"},
        {"op": "move", "file_path": "b", "new_path": "c"},
    ] == found.canonical_arguments["operations"]
    assert ("/w/a", "/w/b", "/w/c") == found.affected_paths


@pytest.mark.parametrize("text", ["*** Begin Patch\n*** Add File: a\n", 5, None])
def test_a_patch_that_does_not_parse_says_so(text):
    """It keeps its kind, and nobody takes what was found for all of it."""
    found = form("codex", "apply_patch", {"command": text}, cwd="/w")

    assert ("FilePatch", {"op": "unparsed"}) == (found.domain_kind, found.canonical_arguments["operations"][0])


def test_what_did_not_parse_is_kept_raw():
    """Where the convention of the pairs has it."""
    found = form("codex", "view_image", {"_raw": "{"}, raw_arguments="{")

    assert ({}, {"_raw": "{"}) == (found.canonical_arguments, found.extra_arguments)


@given(row=st.sampled_from(ROWS), data=st.data())
def test_no_argument_is_lost_or_changed_beside_its_place(row, data):
    """What has no canonical place stands in `extra_arguments` under its own name, as it came."""
    names = sorted({name.split("[")[0].split(".")[0] for name in row.arguments} | {"other", "cwd"})
    given_arguments = data.draw(st.dictionaries(st.sampled_from(names), JSON))
    before = json.dumps(given_arguments)

    found = _form_or_none(row.platform, row.native, given_arguments)

    assert before == json.dumps(given_arguments)
    if found is not None and row.kind != "FileEdit":
        kept = {name for name, value in found.extra_arguments.items() if given_arguments[name] == value}
        parts = {name for name in found.extra_arguments if isinstance(given_arguments[name], dict)}
        assert kept | parts == found.extra_arguments.keys()
        assert not given_arguments or found.canonical_arguments or found.extra_arguments


@given(row=st.sampled_from(ROWS), data=st.data())
def test_a_normal_form_is_its_own(row, data):
    """Read again under its canonical name, with its canonical arguments, a call has the same ones."""
    native = {name.split("[")[0].split(".")[0] for name in row.arguments}
    names = sorted(canonical_names(row.canonical or row.native) | native) or ["other"]
    first = _form_or_none(row.platform, row.native, data.draw(st.dictionaries(st.sampled_from(names), JSON)))
    if first is None or first.canonical_tool_name is None or row.kind == "FilePatch":
        return

    again = form("nowhere", first.canonical_tool_name, first.canonical_arguments)

    assert first.canonical_arguments == again.canonical_arguments


def _form_or_none(platform: str, tool: str, arguments: JsonObject) -> NormalForm | None:
    try:
        return form(platform, tool, arguments)
    except InvalidInput:
        return None


@given(path=st.sampled_from(PAIRS), data=st.data())
def test_whatever_stands_in_an_event_it_is_refused_or_has_a_form(path, data):
    """Never another error: one value anywhere in it is replaced by any other."""
    payload = json.loads(path.with_name(path.name.replace(".expected", "")).read_text())
    _replace(payload, data)

    try:
        found = normalise(read(path.parent.name, payload))
    except InvalidInput:
        return

    assert domain_of(found).model_dump_json()
    assert json.dumps(found.to_wire())


def _replace(value: Any, data: st.DataObject) -> None:
    """Put something else at one place."""
    place = data.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
    if value[place] and isinstance(value[place], dict | list) and data.draw(st.booleans()):
        _replace(value[place], data)
    else:
        value[place] = data.draw(JSON)
