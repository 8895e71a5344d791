"""MCP: what a proxy answers to `tools/call`, or hands on. A refusal is a result with `isError`: the model reads it."""

from typing import Any

from interpose.platforms.answers import saying
from interpose.platforms.event import Moment, ToolEvent
from interpose.platforms.ruling import Kind, NativeAnswer, Ruling


def answer(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    """`params`: hand the request on with these; `result`: answer this; an empty object: hand on what came."""
    match ruling.kind:
        case Kind.ALLOW | Kind.DELIVER:
            return saying.said({})
        case Kind.REWRITE:
            name = event.mcp.tool if event.mcp else event.tool
            return saying.said({"params": {"name": name, "arguments": ruling.arguments}})
        case Kind.REPLACE:
            return saying.said({"result": ruling.output})
        case Kind.ASK:
            return _error(saying.unasked(ruling))
        case _ if event.moment is Moment.AFTER:
            return _error(saying.withheld(ruling))
        case _:
            return _error(saying.reason_of(ruling))


def _error(text: str) -> NativeAnswer:
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}], "isError": True}
    return saying.said({"result": result})
