"""Reading what platforms' hooks send: every fixture, and everything that is none."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.canonical.mcp import McpName
from interpose.errors import InvalidInput
from interpose.platforms.event import Moment
from interpose.platforms.read import EVENT_BYTES, PLATFORMS, read

FOLDER = Path(__file__).parents[3] / "tests" / "fixtures" / "platforms"
EVENTS = sorted(path for path in FOLDER.glob("*/*.json") if ".expected." not in path.name)
MOMENTS = {"pre": Moment.BEFORE, "post": Moment.AFTER}
LOSSES = st.sampled_from(sorted(FOLDER.glob("*/pre_*.json"))).filter(lambda path: ".expected." not in path.name)


def sample(name: str) -> Any:
    """The event of a fixture, as `claude-code/pre_bash`."""
    return json.loads((FOLDER / f"{name}.json").read_text())


def faults(platform: str, payload: Any, **more: Any) -> list[str]:
    """What is objected to."""
    with pytest.raises(InvalidInput) as refused:
        read(platform, payload, **more)
    return [str(fault) for fault in refused.value.faults]


@pytest.mark.parametrize("path", EVENTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_platform_s_event_is_read(path):
    """Its moment, its tool, what came back and whether that can be replaced; the payload is kept whole."""
    wanted = json.loads(path.with_name(f"{path.stem}.expected.json").read_text())

    event = read(path.parent.name, path.read_bytes())

    response = event.response
    assert (MOMENTS[wanted["event"]], wanted["native_tool_name"] or "") == (event.moment, event.tool)
    assert json.loads(path.read_text()) == event.payload
    assert (wanted["event"] == "post") == (response is not None)
    if response is not None:
        told = (response.is_error, response.text, response.is_replaceable)
        assert tuple(wanted.get(key) for key in ("is_error", "output_text", "output_replaceable")) == told


def test_what_a_call_is_joined_by_is_kept():
    """Its own id, its turn's, its session, its agent and its folder."""
    event = read("openclaw", sample("openclaw/post_exec"))

    assert ("tc_42", "run_1", "0f9d-1", "main", None) == (
        event.call_id,
        event.run_id,
        event.session,
        event.agent,
        event.cwd,
    )


@pytest.mark.parametrize(
    ("platform", "name"),
    [
        ("claude", "claude-code"),
        ("Gemini", "gemini-cli"),
        ("copilot", "copilot-cli"),
        ("claude_code", "claude-code"),
        ("vscode_copilot", "vscode-copilot"),
    ],
)
def test_a_platform_is_known_by_its_short_name(platform, name):
    """And by the spelling of its module, whatever the case."""
    path = next(path for path in EVENTS if path.parent.name == name)

    assert name == read(platform, path.read_bytes()).platform


def test_a_platform_that_nobody_knows_is_refused():
    """With those that are known."""
    (fault,) = faults("amp", {})

    assert fault.startswith("platform: 'amp' is none; known are claude-code, codex,")


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize(
    "payload", [b"", b" \n", b"{", b'{"a":1', b"[]", b"null", b'"x"', b"\xff", b'{"a":1,"a":2}', b"{}"]
)
def test_what_is_no_event_is_refused(platform, payload):
    """Nothing, half a JSON, no object, no UTF-8, a key twice, an object of nothing."""
    assert faults(platform, payload)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_event_that_is_too_large_is_refused_unread(platform):
    """And says so, since that is another status over HTTP."""
    with pytest.raises(InvalidInput) as refused:
        read(platform, b"[" * (EVENT_BYTES + 1))

    assert refused.value.too_large


@pytest.mark.parametrize("path", [path for path in EVENTS if path.stem.startswith("pre_")], ids=lambda path: path.stem)
def test_an_event_of_an_unknown_name_is_refused(path):
    """It may be a call: it is never taken for something that nothing judges."""
    payload = json.loads(path.read_text())
    name = {"openclaw": "hook", "opencode": "hook"}.get(path.parent.name, "hook_event_name")
    if path.parent.name == "mcp":
        payload["message"]["method"] = "tools/maybe"
    else:
        payload[name] = "BeforeEverything"

    (fault,) = faults(path.parent.name, payload)

    assert "is no event of" in fault or "known here" in fault


@pytest.mark.parametrize(
    ("fixture", "field"),
    [
        ("claude-code/pre_bash", "session_id"),
        ("codex/pre_bash", "session_id"),
        ("copilot-cli/pre_bash_camel", "sessionId"),
        ("copilot-cli/pre_bash_pascal", "session_id"),
        ("gemini-cli/pre_shell", "session_id"),
        ("cursor/pre_shell", "conversation_id"),
    ],
)
def test_an_event_without_a_session_is_refused(fixture, field):
    """On a platform that always gives one."""
    payload = sample(fixture)
    del payload[field]

    assert [f"$.{field}: is required"] == faults(fixture.split("/")[0], payload)


@pytest.mark.parametrize(
    ("fixture", "field"),
    [
        ("claude-code/pre_bash", "tool_input"),
        ("codex/pre_bash", "tool_input"),
        ("copilot-cli/pre_bash_camel", "toolArgs"),
        ("copilot-cli/pre_bash_pascal", "tool_input"),
        ("vscode-copilot/pre_terminal", "tool_input"),
        ("gemini-cli/pre_shell", "tool_input"),
        ("cursor/pre_shell", "tool_input"),
    ],
)
@pytest.mark.parametrize("value", [["ls"], 5, None, '{"command":', '{"a":1,"a":2}', "[]", '"\\ud800"'])
def test_arguments_that_cannot_be_read_are_refused(fixture, field, value):
    """Whether they are no object, or JSON in a string that does not parse in one way only."""
    found = faults(fixture.split("/")[0], sample(fixture) | {field: value})

    assert all(fault.startswith(f"$.{field}: ") for fault in found)


def test_copilot_s_arguments_may_be_json_in_a_string():
    """Its documents leave it open."""
    payload = sample("copilot-cli/pre_bash_camel") | {"toolArgs": '{"command": "ls"}'}

    assert {"command": "ls"} == read("copilot", payload).arguments


def test_codex_keeps_arguments_that_it_could_not_parse():
    """As what they are: judged, shown and never lost."""
    payload = sample("codex/pre_view_image") | {"tool_input": '{"path": '}

    event = read("codex", payload)

    assert ({"_raw": '{"path": '}, '{"path": ') == (event.arguments, event.raw_arguments)


def test_codex_sends_nothing_that_its_schema_has_not():
    """What it does not know it does not send: the sender is another program."""
    (fault,) = faults("codex", sample("codex/pre_bash") | {"sandbox": True})

    assert fault.startswith("$.sandbox: unknown field")


@pytest.mark.parametrize(
    ("fixture", "event", "place"),
    [
        ("copilot-cli/post_bash_camel", "preToolUse", "$.toolResult"),
        ("copilot-cli/pre_bash_camel", "postToolUse", "$.toolResult"),
        ("copilot-cli/pre_bash_pascal", "PostToolUse", "$.hook_event_name"),
    ],
)
def test_copilot_s_event_is_what_it_was_sent_for(fixture, event, place):
    """The camelCase payload has no name: who knows it says it, and the fields must agree."""
    (fault,) = faults("copilot", sample(fixture), event=event)

    assert fault.startswith(f"{place}: ")


def test_an_event_of_no_tool_is_no_call():
    """Known, and nobody's to judge."""
    payload = {key: value for key, value in sample("claude-code/pre_bash").items() if not key.startswith("tool_")}

    event = read("claude", payload | {"hook_event_name": "SessionStart", "source": "startup"})

    assert (Moment.OTHER, "") == (event.moment, event.tool)


def test_an_install_is_a_call_of_install():
    """Its arguments are all that the platform says of it."""
    told = {
        "targetType": "skill",
        "targetName": "weather",
        "sourcePath": "/x",
        "sourcePathKind": "directory",
        "request": {"kind": "skill-install"},
        "builtinScan": {"status": "ok"},
    }

    event = read("openclaw", {"hook": "before_install", "event": told, "ctx": {}})

    assert (Moment.INSTALL, "install", told) == (event.moment, event.tool, event.arguments)


def test_a_program_is_not_taken_for_a_shell_command():
    """OpenClaw's code mode calls `exec` with JavaScript."""
    payload = sample("openclaw/pre_exec")
    payload["event"] |= {"toolKind": "code_mode_exec", "toolInputKind": "javascript"}

    assert read("openclaw", payload).is_script


def test_vs_code_s_documented_spelling_is_read_too():
    """Its code writes another."""
    payload = sample("vscode-copilot/pre_terminal")
    payload["hookEventName"] = payload.pop("hook_event_name")
    payload["sessionId"] = payload.pop("session_id")

    event = read("vscode-copilot", payload)

    assert ("PreToolUse", "7d1f9d8e-1111-4222-8333-944455556666") == (event.name, event.session)


@pytest.mark.parametrize(("field", "other"), [("hookEventName", "PostToolUse"), ("sessionId", "another")])
def test_vs_code_s_two_spellings_say_one_thing(field, other):
    """Or nobody can tell which of them it means."""
    (fault,) = faults("vscode-copilot", sample("vscode-copilot/pre_terminal") | {field: other})

    assert fault.startswith(f"$.{field}: differs from ")


def test_claude_s_provenance_names_the_server():
    """So that a name with more than one separator is taken apart where it has to be."""
    payload = sample("claude-code/pre_mcp") | {"tool_name": "mcp__a__b__c", "mcp_server": {"name": "a__b"}}

    assert McpName("a__b", "c") == read("claude", payload).mcp


@pytest.mark.parametrize("more", [{"result": {}}, {"error": {"code": 1, "message": "x"}}])
def test_an_mcp_message_is_one_thing(more):
    """A request that is a result too would pass as one."""
    payload = sample("mcp/pre_tools_call")
    payload["message"] |= more

    assert ["$.message: has exactly one of method, result and error"] == faults("mcp", payload)


@given(path=LOSSES, data=st.data())
def test_a_call_with_a_field_less_is_refused_or_is_the_same_call(path, data):
    """Losing a field never makes another call of it, and never something that nothing judges."""
    payload = json.loads(path.read_text())
    whole = read(path.parent.name, payload)
    gone = data.draw(st.sampled_from(sorted(payload)))
    lost = {key: value for key, value in payload.items() if key != gone}

    try:
        event = read(path.parent.name, lost)
    except InvalidInput:
        return

    same = {name: value for name, value in whole.arguments.items() if name != gone}
    assert (whole.moment, whole.tool, same) == (event.moment, event.tool, event.arguments)
