"""OpenAI Codex CLI: what its hooks send.

Closed: the schemas in its binary allow no further field. Hook names are not the names that transcripts use: every shell
tool is `Bash`.
"""

from collections.abc import Mapping
from typing import Any, Literal

from interpose.contracts.model import JsonObject
from interpose.platforms.event import Moment, Response, ToolEvent
from interpose.platforms.schema import ClosedEvent, EventSpec, OpenEvent, checked, kept_raw, named, objects
from interpose.platforms.text import text_of

PLATFORM = "codex"
Mode = Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"]
ALWAYS_OBJECTS = frozenset({"Bash", "apply_patch"})
"""Their arguments are built by Codex itself: anything but an object is no event of Codex."""


class Called(ClosedEvent):
    """What every event of a tool says. `tool_input` is the raw text where the arguments did not parse."""

    session_id: str
    turn_id: str
    transcript_path: str | None
    cwd: str
    hook_event_name: str
    model: str
    permission_mode: Mode
    tool_name: str
    tool_input: Any
    agent_id: str | None = None
    agent_type: str | None = None


class PermissionRequest(Called):
    """Codex is about to ask; there is no call id."""


class PreToolUse(Called):
    """Before a call."""

    tool_use_id: str


class PostToolUse(PreToolUse):
    """After a call that went well."""

    tool_response: Any


class Session(OpenEvent):
    """An event of no tool. Each has fields of its own, which nothing here looks at."""

    session_id: str
    hook_event_name: str
    cwd: str | None = None


EVENTS: Mapping[str, EventSpec[Called | Session]] = {
    "PreToolUse": EventSpec(Moment.BEFORE, PreToolUse),
    "PermissionRequest": EventSpec(Moment.BEFORE, PermissionRequest),
    "PostToolUse": EventSpec(Moment.AFTER, PostToolUse),
    "PreCompact": EventSpec(Moment.OTHER, Session),
    "PostCompact": EventSpec(Moment.OTHER, Session),
    "SessionStart": EventSpec(Moment.OTHER, Session),
    "SessionEnd": EventSpec(Moment.OTHER, Session),
    "UserPromptSubmit": EventSpec(Moment.OTHER, Session),
    "SubagentStart": EventSpec(Moment.OTHER, Session),
    "SubagentStop": EventSpec(Moment.OTHER, Session),
    "Stop": EventSpec(Moment.OTHER, Session),
    "Interrupt": EventSpec(Moment.OTHER, Session),
}


def read(payload: JsonObject, _event: str | None = None, /) -> ToolEvent:
    """The event. Raises InvalidInput with each place."""
    spec = named(EVENTS, payload.get("hook_event_name"), "hook_event_name", PLATFORM)
    event = checked(spec.model, payload, PLATFORM)
    if isinstance(event, Session):
        return _of_no_tool(event, spec.moment, payload)
    raw = None if isinstance(event.tool_input, dict) else event.tool_input
    return ToolEvent(
        platform=PLATFORM,
        name=event.hook_event_name,
        moment=spec.moment,
        tool=event.tool_name,
        arguments=_arguments(event),
        payload=payload,
        call_id=event.tool_use_id if isinstance(event, PreToolUse) else None,
        run_id=event.turn_id,
        session=event.session_id,
        agent=event.agent_id,
        cwd=event.cwd,
        response=_response(event),
        raw_arguments=raw,
    )


def _of_no_tool(event: Session, moment: Moment, payload: JsonObject) -> ToolEvent:
    return ToolEvent(PLATFORM, event.hook_event_name, moment, "", {}, payload, session=event.session_id, cwd=event.cwd)


def _arguments(event: Called) -> JsonObject:
    if isinstance(event.tool_input, dict) or event.tool_name in ALWAYS_OBJECTS:
        return objects(event.tool_input, "$.tool_input", PLATFORM)
    return kept_raw(event.tool_input)


def _response(event: Called) -> Response | None:
    if not isinstance(event, PostToolUse):
        return None
    return Response(event.tool_response, text_of(event.tool_response), is_error=False, is_replaceable=True)
