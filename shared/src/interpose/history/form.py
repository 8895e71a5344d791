"""A call of a log in its normal form: by the same code that reads the events of hooks."""

from collections.abc import Collection
from dataclasses import dataclass

from interpose.contracts.model import JsonObject
from interpose.errors import InvalidInput
from interpose.history.entries import Call, Result
from interpose.platforms.event import Moment, ToolEvent
from interpose.platforms.normalise import normalise

EVENT = "transcript"
"""No platform's event: a line of a log is none, so the form does not show it."""


@dataclass(frozen=True, slots=True)
class Formed:
    """`note` says why a call has no more than its own words: its name is one that no rule could name."""

    wire: JsonObject
    canonical: str | None
    kind: str
    matches_model: bool | None
    note: str | None = None


def formed(platform: str, call: Call, servers: Collection[str] = ()) -> Formed:
    """The form of a call before anything came back of it."""
    try:
        form = normalise(_event(platform, call), servers=servers)
    except InvalidInput as error:
        return _of_its_own_words(platform, call, "; ".join([error.message, *map(str, error.faults)]))
    wire = {name: value for name, value in form.to_wire().items() if name != "native_event"}
    return Formed(wire, form.canonical_tool_name, form.domain_kind, form.matches_model)


def answered(wire: JsonObject, result: Result) -> JsonObject:
    """The same with what came back; nothing is told that the log does not tell."""
    told = {"is_error": result.is_error, "output_text": result.text}
    return wire | {"event": "post"} | {name: value for name, value in told.items() if value is not None}


def _event(platform: str, call: Call) -> ToolEvent:
    return ToolEvent(
        platform=platform,
        name=EVENT,
        moment=Moment.BEFORE,
        tool=call.tool,
        arguments=call.arguments,
        payload={},
        call_id=call.call_id,
        session=call.session,
        agent=call.agent,
        cwd=call.cwd,
        mcp=call.mcp,
        raw_arguments=call.raw_arguments,
        is_script=call.is_script,
    )


def _of_its_own_words(platform: str, call: Call, note: str) -> Formed:
    wire: JsonObject = {
        "platform": platform,
        "event": "pre",
        "native_tool_name": call.tool,
        "canonical_tool_name": None,
        "domain_kind": "Other",
        "canonical_arguments": {},
        "extra_arguments": call.arguments,
    }
    return Formed(wire, None, "Other", None, note)
