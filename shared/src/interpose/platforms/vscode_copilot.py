"""VS Code's Copilot in agent mode: what its hooks send.

Its code writes snake_case, its documents show `sessionId` and `hookEventName`: both are read. Open: it is a preview.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import AliasChoices, Field

from interpose.contracts.model import JsonObject
from interpose.platforms.event import Moment, Response, ToolEvent
from interpose.platforms.schema import EventSpec, OpenEvent, checked, named, refuse
from interpose.platforms.text import text_of

PLATFORM = "vscode-copilot"
SPELLINGS = (("hook_event_name", "hookEventName"), ("session_id", "sessionId"))


class Common(OpenEvent):
    """What every event says. The folder stands there only if the hook's entry has one."""

    hook_event_name: str = Field(validation_alias=AliasChoices("hook_event_name", "hookEventName"))
    timestamp: str
    session_id: str | None = Field(default=None, validation_alias=AliasChoices("session_id", "sessionId"))
    transcript_path: str | None = None
    cwd: str | None = None


class PreToolUse(Common):
    """Before a call."""

    tool_name: str
    tool_input: JsonObject
    tool_use_id: str


class PostToolUse(PreToolUse):
    """After a call that went well: the text parts of the result, joined."""

    tool_response: Any


EVENTS: Mapping[str, EventSpec[Common]] = {
    "PreToolUse": EventSpec(Moment.BEFORE, PreToolUse),
    "PostToolUse": EventSpec(Moment.AFTER, PostToolUse),
    "SessionStart": EventSpec(Moment.OTHER, Common),
    "UserPromptSubmit": EventSpec(Moment.OTHER, Common),
    "PreCompact": EventSpec(Moment.OTHER, Common),
    "SubagentStart": EventSpec(Moment.OTHER, Common),
    "SubagentStop": EventSpec(Moment.OTHER, Common),
    "Stop": EventSpec(Moment.OTHER, Common),
}


def read(payload: JsonObject, _event: str | None = None, /) -> ToolEvent:
    """The event. Raises InvalidInput with each place."""
    for name, other in SPELLINGS:
        if name in payload and other in payload and payload[name] != payload[other]:
            raise refuse(PLATFORM, f"$.{other}", f"differs from {name}")
    told = payload.get("hook_event_name", payload.get("hookEventName"))
    spec = named(EVENTS, told, "hook_event_name", PLATFORM)
    event = checked(spec.model, payload, PLATFORM)
    called = event if isinstance(event, PreToolUse) else None
    return ToolEvent(
        platform=PLATFORM,
        name=event.hook_event_name,
        moment=spec.moment,
        tool=called.tool_name if called else "",
        arguments=called.tool_input if called else {},
        payload=payload,
        call_id=called.tool_use_id if called else None,
        session=event.session_id,
        cwd=event.cwd,
        response=_response(event),
    )


def _response(event: Common) -> Response | None:
    if not isinstance(event, PostToolUse):
        return None
    return Response(event.tool_response, text_of(event.tool_response), is_error=False, is_replaceable=False)
