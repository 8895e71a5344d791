"""OpenClaw: one SQLite file for each agent, and JSONL files of the same events in older installations.

Documented are the kinds of events: first a `session`, then `message` (user, assistant, toolResult) and others, with
`id` and `parentId`. How a message holds its calls (`toolCall` blocks; a `toolResult` message with `toolCallId`) is
general knowledge and was not checked; the blocks of Claude's API, which some of its providers leave, are read, too.
"""

from collections.abc import Iterator
from pathlib import Path

from interpose.contracts.model import JsonObject
from interpose.history.entries import Call, Damage, Result, State
from interpose.history.logs import fields
from interpose.platforms.text import text_of

PLATFORM = "openclaw"
ENDINGS = (".jsonl", ".sqlite")
_CALLS = frozenset(("toolCall", "tool_use", "toolUse"))


def begin(path: Path) -> State:
    """Whose log it is stands in its path: `agents/<agent>/…`."""
    names = path.parts
    place = names.index("agents") + 1 if "agents" in names else len(names)
    return {"agent": names[place]} if place < len(names) - 1 else {}


def read(record: JsonObject, state: State) -> Iterator[Call | Result | Damage]:
    """The calls or the result of one event."""
    if record.get("type") == "session":
        state["session"] = fields.text(record, "id", "sessionId") or state.get("session")
        state["cwd"] = fields.text(record, "cwd")
    if record.get("type") != "message":
        return
    message = fields.mapping(record.get("message"))
    at = record.get("timestamp") or message.get("timestamp")
    if message.get("role") == "toolResult":
        yield _result(message, at)
    elif message.get("role") == "assistant":
        for part, block in enumerate(fields.objects(message.get("content"))):
            if fields.text(block, "type") in _CALLS:
                yield _call(part, block, at, state)


def _call(part: int, block: JsonObject, at: object, state: State) -> Call | Damage:
    tool = fields.text(block, "name")
    if tool is None:
        return fields.nameless("a toolCall block")
    given, raw = fields.arguments(block["arguments"] if "arguments" in block else block.get("input"))
    return Call(
        part=part,
        tool=tool,
        arguments=given,
        raw_arguments=raw,
        call_id=fields.text(block, "id"),
        session=state.get("session"),
        agent=state.get("agent"),
        cwd=state.get("cwd"),
        at=at,
    )


def _result(message: JsonObject, at: object) -> Result | Damage:
    call = fields.text(message, "toolCallId", "tool_use_id")
    if call is None:
        return fields.unanswerable("a toolResult message")
    told = message.get("isError")
    return Result(0, call, text_of(message.get("content")), told if isinstance(told, bool) else None, at)
