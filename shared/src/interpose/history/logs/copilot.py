"""GitHub Copilot: `events.jsonl` of the command line, and the transcripts of VS Code, which are of one family.

Lines are `{id, timestamp, parentId, type, data}`; a call begins with `tool.execution_start` and ends with
`tool.execution_complete`. What the model asked for and nobody ran (`assistant.message`) is no call.
"""

from collections.abc import Iterator

from interpose.canonical.mcp import McpName
from interpose.contracts.model import JsonObject
from interpose.history.entries import Call, Damage, Result, State
from interpose.history.logs import fields
from interpose.platforms.text import text_of

ENDINGS = (".jsonl",)


def read(record: JsonObject, state: State) -> Iterator[Call | Result | Damage]:
    """The call or the result of one line."""
    kind, data = record.get("type"), fields.mapping(record.get("data"))
    if kind == "session.start":
        state["session"] = fields.text(data, "sessionId", "session_id")
        state["cwd"] = fields.text(fields.mapping(data.get("context")), "cwd") or fields.text(data, "cwd")
    elif kind == "tool.execution_start":
        yield _call(data, record, state)
    elif kind == "tool.execution_complete":
        yield _result(data, record)


def _call(data: JsonObject, record: JsonObject, state: State) -> Call | Damage:
    tool = fields.text(data, "toolName")
    if tool is None:
        return fields.nameless("a tool.execution_start")
    server, own = fields.text(data, "mcpServerName"), fields.text(data, "mcpToolName")
    given, raw = fields.arguments(data.get("arguments"))
    parent = fields.text(data, "parentToolCallId")
    return Call(
        part=0,
        tool=tool,
        arguments=given,
        raw_arguments=raw,
        call_id=fields.text(data, "toolCallId"),
        session=state.get("session"),
        agent=None if parent is None else f"of {parent}",
        cwd=state.get("cwd"),
        at=record.get("timestamp"),
        mcp=McpName(server, own) if server and own else None,
    )


def _result(data: JsonObject, record: JsonObject) -> Result | Damage:
    call = fields.text(data, "toolCallId")
    if call is None:
        return fields.unanswerable("a tool.execution_complete")
    success = data.get("success")
    is_error = not success if isinstance(success, bool) else None
    error = data.get("error")
    text = text_of(data.get("result"))
    return Result(0, call, text or fields.text(error, "message") or text_of(error), is_error, record.get("timestamp"))
