"""Google Gemini CLI: what its hooks send.

There is no call id: before and after are joined by session, name and arguments. Open: the reference promises no more.
"""

from collections.abc import Mapping
from typing import Any

from interpose.canonical.mcp import McpName
from interpose.contracts.model import JsonObject
from interpose.platforms.event import Moment, Response, ToolEvent
from interpose.platforms.schema import EventSpec, OpenEvent, checked, named
from interpose.platforms.text import text_of

PLATFORM = "gemini-cli"


class Common(OpenEvent):
    """What every event says."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: str
    timestamp: str


class McpContext(OpenEvent):
    """Which server's tool it is: the name alone cannot be taken apart."""

    server_name: str
    tool_name: str
    command: str | None = None
    args: list[str] | None = None
    cwd: str | None = None
    url: str | None = None
    tcp: str | None = None


class BeforeTool(Common):
    """Before a call. `original_request_name` is the tool whose result asked for this one."""

    tool_name: str
    tool_input: JsonObject
    mcp_context: McpContext | None = None
    original_request_name: str | None = None


class ToolError(OpenEvent):
    """Why a call failed."""

    message: str
    type: str | None = None


class ToolResponse(OpenEvent):
    """What came back: for the model, for the screen, and what went wrong."""

    llmContent: Any = None  # noqa: N815 (the platform's own name)
    returnDisplay: Any = None  # noqa: N815
    error: ToolError | None = None


class AfterTool(BeforeTool):
    """After a call, whether it went well or not."""

    tool_response: ToolResponse


EVENTS: Mapping[str, EventSpec[Common]] = {
    "BeforeTool": EventSpec(Moment.BEFORE, BeforeTool),
    "AfterTool": EventSpec(Moment.AFTER, AfterTool),
    "BeforeAgent": EventSpec(Moment.OTHER, Common),
    "AfterAgent": EventSpec(Moment.OTHER, Common),
    "BeforeModel": EventSpec(Moment.OTHER, Common),
    "AfterModel": EventSpec(Moment.OTHER, Common),
    "BeforeToolSelection": EventSpec(Moment.OTHER, Common),
    "SessionStart": EventSpec(Moment.OTHER, Common),
    "SessionEnd": EventSpec(Moment.OTHER, Common),
    "Notification": EventSpec(Moment.OTHER, Common),
    "PreCompress": EventSpec(Moment.OTHER, Common),
}


def read(payload: JsonObject, _event: str | None = None, /) -> ToolEvent:
    """The event. Raises InvalidInput with each place."""
    spec = named(EVENTS, payload.get("hook_event_name"), "hook_event_name", PLATFORM)
    event = checked(spec.model, payload, PLATFORM)
    called = event if isinstance(event, BeforeTool) else None
    context = called.mcp_context if called else None
    return ToolEvent(
        platform=PLATFORM,
        name=event.hook_event_name,
        moment=spec.moment,
        tool=called.tool_name if called else "",
        arguments=called.tool_input if called else {},
        payload=payload,
        session=event.session_id,
        cwd=event.cwd,
        mcp=McpName(context.server_name, context.tool_name) if context else None,
        servers=(context.server_name,) if context else (),
        response=_response(event, payload),
    )


def _response(event: Common, payload: JsonObject) -> Response | None:
    """No document says whether what a hook gives for a failed call takes the place of its error."""
    if not isinstance(event, AfterTool):
        return None
    failed = event.tool_response.error
    text = text_of(event.tool_response.llmContent)
    told = text if text is not None or failed is None else failed.message
    return Response(payload["tool_response"], told, failed is not None, None if failed else True)
