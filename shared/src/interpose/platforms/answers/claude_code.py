"""Claude Code: `hookSpecificOutput`, and exit code 2 where it must not go on (docs/hooks.md, 2.1.329).

An allow is silence, because its word would skip the user's own permissions. A replaced output has to fit the tool's
own form, or the original is shown: one that does not fit is emptied instead.
"""

from typing import Any

from interpose.platforms.answers import saying
from interpose.platforms.event import Moment, ToolEvent
from interpose.platforms.ruling import Kind, NativeAnswer, Ruling

BLOCKS = 2


def answer(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    """For command hooks; over HTTP the same JSON with status 200."""
    if event.name == "PermissionRequest":
        return _permission(ruling)
    return _before(event, ruling) if event.moment is not Moment.AFTER else _after(event, ruling)


def _before(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    match ruling.kind:
        case Kind.REWRITE:
            return saying.said(_specific(event, permissionDecision="allow", updatedInput=ruling.arguments))
        case Kind.ASK:
            reason = saying.reason_of(ruling)
            return saying.said(_specific(event, permissionDecision="ask", permissionDecisionReason=reason))
        case Kind.ALLOW:
            note = saying.note_of(ruling)
            return saying.said(_specific(event, additionalContext=note)) if note else saying.SILENT
        case _:
            reason = saying.reason_of(ruling)
            denied = _specific(event, permissionDecision="deny", permissionDecisionReason=reason)
            return saying.said(denied, stderr=reason, exit_code=BLOCKS)


def _permission(ruling: Ruling) -> NativeAnswer:
    """Exit code 2 is not heeded here."""
    if ruling.kind in (Kind.ALLOW, Kind.ASK):
        return saying.SILENT
    decision: dict[str, Any] = {"behavior": "deny", "message": saying.reason_of(ruling)}
    return saying.said({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})


def _after(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    is_replaceable = event.response is not None and event.response.is_replaceable
    if ruling.kind is Kind.DELIVER:
        note = saying.note_of(ruling)
        return saying.said(_specific(event, additionalContext=note)) if note else saying.SILENT
    if not is_replaceable:
        return saying.said(_specific(event, additionalContext=saying.warning_of(ruling)))
    original = saying.original(event)
    if ruling.kind is Kind.REPLACE and (event.mcp is not None or saying.has_shape_of(ruling.output, original)):
        return saying.said(_specific(event, updatedToolOutput=ruling.output))
    emptied = saying.emptied(original, saying.withheld(ruling))
    return saying.said(_specific(event, updatedToolOutput=emptied, additionalContext=saying.warning_of(ruling)))


def _specific(event: ToolEvent, **said: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event.name, **said}}
