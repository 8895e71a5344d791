"""The Model Context Protocol: what a proxy between client and server sees of `tools/call`.

The envelope `{connection, message}` is ours, `message` is the JSON-RPC message. A message names the tool only; the
server is the connection's, and a response is joined with its request by the id.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from interpose.canonical.mcp import McpName
from interpose.contracts.model import JsonObject
from interpose.platforms.event import Moment, Response, ToolEvent
from interpose.platforms.schema import EventSpec, OpenEvent, checked, named, refuse
from interpose.platforms.text import text_of

PLATFORM = "mcp"
CALL = "tools/call"
RESULT = "result"
ERROR = "error"


class Connection(OpenEvent):
    """Between whom the message goes."""

    server: str = Field(min_length=1)
    session: str | None = None


class Params(OpenEvent):
    """Which tool, with which arguments."""

    name: str = Field(min_length=1)
    arguments: JsonObject = Field(default_factory=dict)


class Request(OpenEvent):
    """A call."""

    jsonrpc: Literal["2.0"]
    id: str | int
    method: Literal["tools/call"]
    params: Params


class CallResult(OpenEvent):
    """What the tool gave; a failure of the tool is a result too."""

    content: list[JsonObject]
    structured: Any = Field(default=None, alias="structuredContent")
    is_error: bool = Field(default=False, alias="isError")


class Result(OpenEvent):
    """The answer to a call."""

    jsonrpc: Literal["2.0"]
    id: str | int
    result: CallResult


class RpcError(OpenEvent):
    """A failure of the protocol."""

    code: int
    message: str
    data: Any = None


class Failure(OpenEvent):
    """No answer, but an error."""

    jsonrpc: Literal["2.0"]
    id: str | int | None
    error: RpcError


class CallEvent(OpenEvent):
    """A request on its way to the server."""

    connection: Connection
    message: Request


class ResultEvent(OpenEvent):
    """A result on its way to the client."""

    connection: Connection
    message: Result


class ErrorEvent(OpenEvent):
    """An error on its way to the client."""

    connection: Connection
    message: Failure


Event = CallEvent | ResultEvent | ErrorEvent
EVENTS: Mapping[str, EventSpec[Event]] = {
    CALL: EventSpec(Moment.BEFORE, CallEvent),
    RESULT: EventSpec(Moment.AFTER, ResultEvent),
    ERROR: EventSpec(Moment.AFTER, ErrorEvent),
}


def read(payload: JsonObject, _event: str | None = None, /) -> ToolEvent:
    """The event. Raises InvalidInput with each place."""
    name = _name(payload.get("message"))
    spec = named(EVENTS, name, "message", PLATFORM)
    event = checked(spec.model, payload, PLATFORM)
    params = event.message.params if isinstance(event, CallEvent) else None
    server = event.connection.server
    return ToolEvent(
        platform=PLATFORM,
        name=name,
        moment=spec.moment,
        tool=params.name if params else "",
        arguments=params.arguments if params else {},
        payload=payload,
        call_id=None if event.message.id is None else str(event.message.id),
        session=event.connection.session,
        mcp=McpName(server, params.name) if params else None,
        servers=(server,),
        response=_response(event, payload),
    )


def _name(message: Any) -> str:
    """What the message is; one that is two things at once is nothing."""
    if not isinstance(message, dict):
        raise refuse(PLATFORM, "$.message", "must be an object: the JSON-RPC message")
    told = [name for name in ("method", RESULT, ERROR) if name in message]
    if len(told) != 1:
        raise refuse(PLATFORM, "$.message", "has exactly one of method, result and error")
    method = message.get("method", told[0])
    if not isinstance(method, str):
        raise refuse(PLATFORM, "$.message.method", "must be a string")
    return method


def _response(event: Event, payload: JsonObject) -> Response | None:
    """Whether it can be replaced is the proxy's own matter: it delivers."""
    if isinstance(event, ErrorEvent):
        return Response(payload["message"][ERROR], event.message.error.message, is_error=True, is_replaceable=None)
    if isinstance(event, ResultEvent):
        result = event.message.result
        value = payload["message"][RESULT]
        return Response(value, text_of(result.content), result.is_error, is_replaceable=None)
    return None
