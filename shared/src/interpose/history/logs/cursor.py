"""Cursor: `agent-transcripts/<conversation>.jsonl`, lines `{role, message: {content: […]}}`.

Its `tool_use` blocks have a name and arguments and no id, and no result is written: what came back is not known.
"""

from collections.abc import Iterator
from pathlib import Path

from interpose.contracts.model import JsonObject
from interpose.history.entries import Call, Damage, State
from interpose.history.logs import fields

PLATFORM = "cursor"
ENDINGS = (".jsonl",)


def begin(path: Path) -> State:
    """A line names no session; its file does."""
    return {"session": path.stem}


def read(record: JsonObject, state: State) -> Iterator[Call | Damage]:
    """The calls of one message."""
    for part, block in enumerate(fields.objects(fields.mapping(record.get("message")).get("content"))):
        if block.get("type") == "tool_use":
            yield _call(part, block, record, state)


def _call(part: int, block: JsonObject, record: JsonObject, state: State) -> Call | Damage:
    tool = fields.text(block, "name")
    if tool is None:
        return fields.nameless("a tool_use block")
    given, raw = fields.arguments(block.get("input"))
    session, at = state.get("session"), record.get("timestamp")
    return Call(part, tool, given, fields.text(block, "id"), session, at=at, raw_arguments=raw)
