"""Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, each line `{timestamp, type, payload}`.

The kinds of lines were read from the binary; the layout of their payloads is general knowledge and was not checked.
Calls are `response_item` lines. `event_msg` and `compacted` lines tell the same calls again and are passed over.
Transcripts use the model's names of tools (`exec_command`), hooks others (`Bash`); the table knows both.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from interpose.contracts.model import JsonObject
from interpose.history.entries import Call, Damage, Result, State
from interpose.history.json_line import read as read_json
from interpose.history.logs import fields
from interpose.platforms.text import text_of

PLATFORM = "codex"
ENDINGS = (".jsonl",)
PATCH, SCRIPT = "apply_patch", "exec"
"""`exec` is what the tool of code mode is called: it is given a program (not in the documents)."""


def read(record: JsonObject, state: State) -> Iterator[Call | Result | Damage]:
    """The call or the result of one line; the lines before say whose session it is and where it works."""
    payload = fields.mapping(record.get("payload"))
    kind = fields.text(record, "type")
    if kind == "session_meta" and "session" not in state:
        # A session that goes on from another's file repeats that one's first line behind its own.
        state["session"] = fields.text(payload, "id", "session_id")
    if kind in {"session_meta", "turn_context"}:
        state["cwd"] = fields.text(payload, "cwd") or state.get("cwd")
    what = fields.text(payload, "type")
    if kind != "response_item" or what is None:
        return
    if what in _CALLS:
        yield _call(_CALLS[what](payload), what, record, payload, state)
    elif what in _OUTPUTS:
        yield _result(what, record, payload)


Said = tuple[str | None, JsonObject, Any, bool]
"""The tool, its arguments, these as they came where they were no object, and whether they are a program."""


def _call(said: Said, what: str, record: JsonObject, payload: JsonObject, state: State) -> Call | Damage:
    tool, given, raw, is_script = said
    if tool is None:
        return fields.nameless(f"a {what}")
    return Call(
        part=0,
        tool=tool,
        arguments=given,
        raw_arguments=raw,
        call_id=fields.text(payload, "call_id"),
        session=state.get("session"),
        cwd=state.get("cwd"),
        at=record.get("timestamp"),
        is_script=is_script,
    )


def _function(payload: JsonObject) -> Said:
    """A name may stand in a namespace: hooks join the two without a separator."""
    name = fields.text(payload, "name")
    tool = None if name is None else (fields.text(payload, "namespace") or "") + name
    return tool, *fields.arguments(payload.get("arguments")), False


def _custom(payload: JsonObject) -> Said:
    """A tool that is given text. Hooks are shown a patch as `command`, so it is one thing wherever it is met."""
    tool, given = fields.text(payload, "name"), payload.get("input")
    return tool, {"command" if tool == PATCH else "input": given}, None, tool == SCRIPT


def _shell(payload: JsonObject) -> Said:
    return "local_shell", {"action": payload.get("action")}, None, False


def _search(payload: JsonObject) -> Said:
    return "web_search", {"action": payload.get("action")}, None, False


_CALLS: Mapping[str, Callable[[JsonObject], Said]] = {
    "function_call": _function,
    "custom_tool_call": _custom,
    "local_shell_call": _shell,
    "web_search_call": _search,
}
_OUTPUTS = frozenset(("function_call_output", "custom_tool_call_output", "local_shell_call_output"))


def _result(what: str, record: JsonObject, payload: JsonObject) -> Result | Damage:
    call = fields.text(payload, "call_id")
    if call is None:
        return fields.unanswerable(f"a {what}")
    text, is_error = _output(payload.get("output"))
    return Result(0, call, text, is_error, record.get("timestamp"))


def _output(value: Any) -> tuple[str | None, bool | None]:
    """Text, parts, or `{content, success}`; older ones write `{output, metadata: {exit_code}}` into the text."""
    inner = value
    if isinstance(value, str) and value.startswith("{"):
        try:
            inner = read_json(value)
        except ValueError:
            inner = value
    if not isinstance(inner, dict):
        return text_of(value), None
    told = text_of(inner)
    return (told if told is not None else text_of(value)), _is_error(inner)


def _is_error(output: JsonObject) -> bool | None:
    success, code = output.get("success"), fields.mapping(output.get("metadata")).get("exit_code")
    if isinstance(success, bool):
        return not success
    return code != 0 if isinstance(code, int) and not isinstance(code, bool) else None
