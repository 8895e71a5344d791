"""GitHub Copilot CLI: what its hooks send.

The spelling of the event in its configuration chooses the payload: `preToolUse` sends camelCase fields without the
event's name, `PreToolUse` snake_case fields with it. Open: later versions could not be read whole.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from interpose.contracts.model import JsonObject
from interpose.platforms.event import Moment, Response, ToolEvent
from interpose.platforms.schema import EventSpec, OpenEvent, checked, named, refuse, shown, spelled_out

PLATFORM = "copilot-cli"
SUCCESS = "success"


class Common(OpenEvent):
    """What both payloads say, by one set of names."""

    session_id: str = Field(alias="sessionId")
    timestamp: int | float | str
    cwd: str | None = None


class Called(Common):
    """An event of a tool. The arguments are documented as unknown: an object, or its JSON in a string."""

    cwd: str
    tool: str = Field(alias="toolName")
    arguments: Any = Field(alias="toolArgs")


class ToolResult(OpenEvent):
    """What came back."""

    kind: str = Field(alias="resultType")
    text: str = Field(alias="textResultForLlm")


class Succeeded(Called):
    """After a call that went well."""

    result: ToolResult = Field(alias="toolResult")


class Failed(Called):
    """After a call that failed."""

    error: str


class SnakeCommon(Common):
    """The same in the spelling of the PascalCase events."""

    session_id: str
    hook_event_name: str


class SnakeCalled(Called):
    """An event of a tool: its name is Claude Code's, its arguments are Copilot's own as far as is known."""

    session_id: str
    hook_event_name: str
    tool: str = Field(alias="tool_name")
    arguments: Any = Field(alias="tool_input")


class SnakeToolResult(OpenEvent):
    """What came back."""

    kind: str = Field(alias="result_type")
    text: str = Field(alias="text_result_for_llm")


class SnakeSucceeded(SnakeCalled):
    """After a call that went well."""

    result: SnakeToolResult = Field(alias="tool_result")


class SnakeFailed(SnakeCalled):
    """After a call that failed."""

    error: str


_OTHER = (
    "sessionStart",
    "sessionEnd",
    "userPromptSubmitted",
    "userPromptTransformed",
    "agentStop",
    "subagentStart",
    "subagentStop",
    "preCompact",
    "errorOccurred",
    "notification",
)
CAMEL: Mapping[str, EventSpec[Common]] = {
    "preToolUse": EventSpec(Moment.BEFORE, Called),
    "permissionRequest": EventSpec(Moment.BEFORE, Called),
    "postToolUse": EventSpec(Moment.AFTER, Succeeded),
    "postToolUseFailure": EventSpec(Moment.AFTER, Failed),
    **{name: EventSpec(Moment.OTHER, Common) for name in _OTHER},
}
PASCAL: Mapping[str, EventSpec[Common]] = {
    "PreToolUse": EventSpec(Moment.BEFORE, SnakeCalled),
    "PermissionRequest": EventSpec(Moment.BEFORE, SnakeCalled),
    "PostToolUse": EventSpec(Moment.AFTER, SnakeSucceeded),
    "PostToolUseFailure": EventSpec(Moment.AFTER, SnakeFailed),
    **{name[0].upper() + name[1:]: EventSpec(Moment.OTHER, SnakeCommon) for name in _OTHER},
}
EVENTS: Mapping[str, EventSpec[Common]] = {**CAMEL, **PASCAL}


def read(payload: JsonObject, event: str | None = None, /) -> ToolEvent:
    """The event; `event` is its name where the caller knows it. Raises InvalidInput with each place.

    Without a name a camelCase event is told by its fields: one that brings no result is a call that is about to run.
    """
    spec = named(EVENTS, _name(payload, event), "hook_event_name", PLATFORM)
    _check_result(payload, spec.moment)
    found = checked(spec.model, payload, PLATFORM)
    called = found if isinstance(found, Called) else None
    return ToolEvent(
        platform=PLATFORM,
        name=_name(payload, event),
        moment=spec.moment,
        tool=called.tool if called else "",
        arguments=_arguments(called) if called else {},
        payload=payload,
        session=found.session_id,
        cwd=found.cwd,
        response=_response(found, payload),
    )


def _name(payload: JsonObject, known: str | None) -> str:
    told = payload.get("hook_event_name", known)
    if known is not None and told != known:
        raise refuse(PLATFORM, "$.hook_event_name", f"differs from the event that this was sent for, {shown(known)}")
    if told is None and not {"toolName", "toolArgs"} & payload.keys():
        message = f"names neither an event nor a tool; events known here: {', '.join(CAMEL)}"
        raise refuse(PLATFORM, "$", message)
    return _guessed(payload) if told is None else told


def _guessed(payload: JsonObject) -> str:
    if "toolResult" in payload:
        return "postToolUse"
    return "postToolUseFailure" if "error" in payload else "preToolUse"


def _check_result(payload: JsonObject, moment: Moment) -> None:
    """A call that has a result has run: whoever sends it as one that is about to run says two things."""
    brought = [name for name in ("toolResult", "tool_result") if name in payload]
    if brought and moment is Moment.BEFORE:
        raise refuse(PLATFORM, f"$.{brought[0]}", "is brought by an event before the call")


def _arguments(called: Called) -> JsonObject:
    place = "$.tool_input" if isinstance(called, SnakeCalled) else "$.toolArgs"
    return spelled_out(called.arguments, place, PLATFORM)


def _response(event: Common, payload: JsonObject) -> Response | None:
    if isinstance(event, Failed | SnakeFailed):
        return Response(event.error, event.error, is_error=True, is_replaceable=False)
    if isinstance(event, Succeeded | SnakeSucceeded):
        value = payload["tool_result" if isinstance(event, SnakeSucceeded) else "toolResult"]
        return Response(value, event.result.text, event.result.kind != SUCCESS, is_replaceable=True)
    return None
