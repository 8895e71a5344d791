"""Claude Code: what its hooks send (PreToolUse, PostToolUse and their kin).

Open: the documents list optional fields that come and go with the version.
"""

from collections.abc import Mapping
from typing import Any

from interpose.canonical.mcp import of_known_server
from interpose.contracts.model import JsonObject
from interpose.platforms.event import Moment, Response, ToolEvent
from interpose.platforms.schema import EventSpec, OpenEvent, checked, named
from interpose.platforms.text import text_of

PLATFORM = "claude-code"


class Common(OpenEvent):
    """What every event says."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: str
    prompt_id: str | None = None
    permission_mode: str | None = None
    effort: Any = None
    agent_id: str | None = None
    agent_type: str | None = None


class Called(Common):
    """An event of a tool. `mcp_server` is provenance of the tool; its shape is not documented."""

    tool_name: str
    tool_input: JsonObject
    mcp_server: Any = None


class PermissionRequest(Called):
    """A dialog is about to be shown; it has no call id."""

    permission_suggestions: Any = None


class PreToolUse(Called):
    """Before a call."""

    tool_use_id: str


class PostToolUse(PreToolUse):
    """After a call that went well."""

    tool_response: Any
    duration_ms: float | None = None


class PostToolUseFailure(PreToolUse):
    """After a call that failed."""

    error: str
    is_interrupt: bool | None = None
    duration_ms: float | None = None


EVENTS: Mapping[str, EventSpec[Common]] = {
    "PreToolUse": EventSpec(Moment.BEFORE, PreToolUse),
    "PermissionRequest": EventSpec(Moment.BEFORE, PermissionRequest),
    "PostToolUse": EventSpec(Moment.AFTER, PostToolUse),
    "PostToolUseFailure": EventSpec(Moment.AFTER, PostToolUseFailure),
    "PostToolBatch": EventSpec(Moment.OTHER, Common),
    "SessionStart": EventSpec(Moment.OTHER, Common),
    "SessionEnd": EventSpec(Moment.OTHER, Common),
    "UserPromptSubmit": EventSpec(Moment.OTHER, Common),
    "Notification": EventSpec(Moment.OTHER, Common),
    "PreCompact": EventSpec(Moment.OTHER, Common),
    "SubagentStart": EventSpec(Moment.OTHER, Common),
    "SubagentStop": EventSpec(Moment.OTHER, Common),
    "Stop": EventSpec(Moment.OTHER, Common),
}


def read(payload: JsonObject, _event: str | None = None, /) -> ToolEvent:
    """The event. Raises InvalidInput with each place."""
    spec = named(EVENTS, payload.get("hook_event_name"), "hook_event_name", PLATFORM)
    event = checked(spec.model, payload, PLATFORM)
    called = event if isinstance(event, Called) else None
    server = _server(called.mcp_server) if called else None
    return ToolEvent(
        platform=PLATFORM,
        name=event.hook_event_name,
        moment=spec.moment,
        tool=called.tool_name if called else "",
        arguments=called.tool_input if called else {},
        payload=payload,
        call_id=event.tool_use_id if isinstance(event, PreToolUse) else None,
        run_id=event.prompt_id,
        session=event.session_id,
        agent=event.agent_id,
        cwd=event.cwd,
        mcp=of_known_server(called.tool_name, PLATFORM, [server]) if called and server else None,
        servers=(server,) if server else (),
        response=_response(event),
    )


def _server(provenance: Any) -> str | None:
    """The server's name, where what came has one."""
    name = provenance.get("name") if isinstance(provenance, dict) else provenance
    return name if isinstance(name, str) and name else None


def _response(event: Common) -> Response | None:
    if isinstance(event, PostToolUseFailure):
        return Response(event.error, event.error, is_error=True, is_replaceable=False, duration_ms=event.duration_ms)
    if isinstance(event, PostToolUse):
        value = event.tool_response
        return Response(value, text_of(value), is_error=False, is_replaceable=True, duration_ms=event.duration_ms)
    return None
