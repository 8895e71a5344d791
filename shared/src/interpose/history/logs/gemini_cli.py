"""Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.jsonl`, and a folder of such files for a session's subagents.

The first line says whose session it is, `gemini` messages carry `toolCalls` with what came back of them. A message
may be written again when its calls went on: the same id is the same call. `{"$rewindTo": …}` takes messages out of the
conversation; what their calls did is done, so they stay.
"""

from collections.abc import Iterator
from typing import Any

from interpose.contracts.model import JsonObject
from interpose.history.entries import Call, Damage, Result, State
from interpose.history.logs import fields
from interpose.platforms.text import text_of

PLATFORM = "gemini-cli"
ENDINGS = (".jsonl",)
ENDED_WELL, ENDED = "success", frozenset(("success", "error", "cancelled"))


def read(record: JsonObject, state: State) -> Iterator[Call | Result | Damage]:
    """The calls of one message, each with its result where it has one."""
    for told in (record, fields.mapping(record.get("$set"))):
        state["session"] = fields.text(told, "sessionId") or state.get("session")
        state["kind"] = fields.text(told, "kind") or state.get("kind")
    if record.get("type") != "gemini":
        return
    for place, told in enumerate(fields.objects(record.get("toolCalls"))):
        yield from _told(2 * place, told, record, state)


def _told(part: int, told: JsonObject, record: JsonObject, state: State) -> Iterator[Call | Result | Damage]:
    tool, call_id = fields.text(told, "name"), fields.text(told, "id")
    if tool is None:
        yield fields.nameless("an entry of toolCalls")
        return
    at = told.get("timestamp") or record.get("timestamp")
    given, raw = fields.arguments(told.get("args"))
    yield Call(
        part=part,
        tool=tool,
        arguments=given,
        raw_arguments=raw,
        call_id=call_id,
        session=state["session"],
        agent=fields.text(told, "agentId") or ("subagent" if state["kind"] == "subagent" else None),
        at=at,
        is_told_again=True,
    )
    status = fields.text(told, "status")
    if call_id is not None and (status in ENDED or told.get("result") is not None):
        is_error = status != ENDED_WELL if status in ENDED else None
        yield Result(part + 1, call_id, _text(told.get("result")), is_error, at)


def _text(result: Any) -> str | None:
    """What stands in the parts of a result: text, or the response of a function."""
    if not isinstance(result, list):
        return text_of(result)
    texts = [each for part in result if (each := _of_part(part)) is not None]
    return "\n".join(texts) if texts else None


def _of_part(part: Any) -> str | None:
    response = fields.mapping(fields.mapping(part).get("functionResponse")).get("response")
    if response is None:
        return text_of([part])
    return text_of(response) if text_of(response) is not None else fields.text(response, "error")
