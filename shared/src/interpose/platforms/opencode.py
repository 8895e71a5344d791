"""OpenCode: what the plugin in its process sends. The envelope is ours; `input` and `output` are OpenCode's own.

Open: the hooks' arguments are objects that OpenCode may grow.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from interpose.contracts.model import JsonObject
from interpose.platforms.event import Moment, Response, ToolEvent
from interpose.platforms.schema import EventSpec, OpenEvent, checked, named
from interpose.platforms.text import text_of

PLATFORM = "opencode"


class BeforeInput(OpenEvent):
    """Which call it is."""

    tool: str
    session: str = Field(alias="sessionID")
    call: str = Field(alias="callID")


class AfterInput(BeforeInput):
    """With what it was called."""

    args: JsonObject


class BeforeOutput(OpenEvent):
    """The arguments, which the plugin may change in place."""

    args: JsonObject


class Before(OpenEvent):
    """Before a call."""

    hook: Literal["tool.execute.before"]
    directory: str
    worktree: str | None = None
    input: BeforeInput
    output: BeforeOutput


class After(OpenEvent):
    """After a call that went well: title, output and metadata of a built-in tool, the raw result of an MCP tool."""

    hook: Literal["tool.execute.after"]
    directory: str
    worktree: str | None = None
    input: AfterInput
    output: Any


EVENTS: Mapping[str, EventSpec[Before | After]] = {
    "tool.execute.before": EventSpec(Moment.BEFORE, Before),
    "tool.execute.after": EventSpec(Moment.AFTER, After),
}


def read(payload: JsonObject, _event: str | None = None, /) -> ToolEvent:
    """The event. Raises InvalidInput with each place."""
    spec = named(EVENTS, payload.get("hook"), "hook", PLATFORM)
    event = checked(spec.model, payload, PLATFORM)
    return ToolEvent(
        platform=PLATFORM,
        name=event.hook,
        moment=spec.moment,
        tool=event.input.tool,
        arguments=event.input.args if isinstance(event, After) else event.output.args,
        payload=payload,
        call_id=event.input.call,
        session=event.input.session,
        cwd=event.directory,
        response=_response(event) if isinstance(event, After) else None,
    )


def _response(event: After) -> Response:
    value = event.output
    is_error = isinstance(value, dict) and value.get("isError") is True
    return Response(value, text_of(value), is_error, is_replaceable=True)
