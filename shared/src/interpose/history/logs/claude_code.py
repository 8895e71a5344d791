"""Claude Code: `~/.claude/projects/<folder>/<session>.jsonl`, a line for each message.

Documented is where the files stand. The layout of a line is general knowledge and was not checked against a release:
calls are `tool_use` blocks of `assistant` lines, results `tool_result` blocks of `user` lines. Whatever else a line
says is passed over.
"""

from collections.abc import Iterator
from typing import Any

from interpose.contracts.model import JsonObject
from interpose.history.entries import Call, Damage, Result, State
from interpose.history.logs import fields
from interpose.platforms.text import text_of

PLATFORM = "claude-code"
ENDINGS = (".jsonl",)


def read(record: JsonObject, state: State) -> Iterator[Call | Result | Damage]:
    """The calls and results of one line. Each line names its own session and folder; older ones may not."""
    state["session"] = fields.text(record, "sessionId", "session_id") or state.get("session")
    state["cwd"] = fields.text(record, "cwd") or state.get("cwd")
    kind = fields.text(record, "type")
    if kind not in {"assistant", "user"}:
        return
    for part, block in enumerate(fields.objects(fields.mapping(record.get("message")).get("content"))):
        what = fields.text(block, "type")
        if kind == "assistant" and what in {"tool_use", "server_tool_use", "mcp_tool_use"}:
            yield _call(part, block, record, state)
        elif kind == "user" and what == "tool_result":
            yield _result(part, block, record)


def _call(part: int, block: JsonObject, record: JsonObject, state: State) -> Call | Damage:
    tool = fields.text(block, "name")
    if tool is None:
        return fields.nameless("a tool_use block")
    given, raw = fields.arguments(block.get("input"))
    return Call(
        part=part,
        tool=tool,
        arguments=given,
        raw_arguments=raw,
        call_id=fields.text(block, "id"),
        session=state["session"],
        agent=_agent(record),
        cwd=state["cwd"],
        at=record.get("timestamp"),
    )


def _agent(record: JsonObject) -> str | None:
    """Lines of another agent than the session's own are marked, in later releases with its id."""
    return fields.text(record, "agentId") or ("sidechain" if record.get("isSidechain") is True else None)


def _result(part: int, block: JsonObject, record: JsonObject) -> Result | Damage:
    call = fields.text(block, "tool_use_id")
    if call is None:
        return fields.unanswerable("a tool_result block")
    told: Any = block.get("is_error")
    return Result(part, call, text_of(block.get("content")), told is True, record.get("timestamp"))
