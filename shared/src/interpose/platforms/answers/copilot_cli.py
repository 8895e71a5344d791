"""Copilot CLI: `permissionDecision` at the top, `modifiedArgs`, `modifiedResult`. One JSON document and nothing else.

Events registered in PascalCase come in another spelling, and whether their answers are read there is not verified: such
an answer says the same a second time under `hookSpecificOutput`. A refusal ends with code 0, because its JSON is read
only then, and every version heeds it.
"""

from typing import Any

from interpose.platforms.answers import saying
from interpose.platforms.event import Moment, ToolEvent
from interpose.platforms.ruling import Kind, NativeAnswer, Ruling

PERMISSION = frozenset({"permissionRequest", "PermissionRequest"})


def answer(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    """For commands and over HTTP alike."""
    if event.name in PERMISSION:
        return _permission(event, ruling)
    return _before(event, ruling) if event.moment is not Moment.AFTER else _after(event, ruling)


def _permission(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    """A dialog is about to be shown: silence leaves it to the person."""
    if ruling.kind in (Kind.ALLOW, Kind.ASK):
        return saying.SILENT
    reason = saying.reason_of(ruling)
    decision = {"behavior": "deny", "message": reason}
    return saying.said(decision | _again(event, decision=decision), stderr=reason)


def _before(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    reason = saying.reason_of(ruling)
    match ruling.kind:
        case Kind.ALLOW:
            return saying.SILENT
        case Kind.REWRITE:
            said: dict[str, Any] = {"permissionDecision": "allow", "modifiedArgs": ruling.arguments}
            return saying.said(said | _again(event, permissionDecision="allow", updatedInput=ruling.arguments))
        case _:
            word = "ask" if ruling.kind is Kind.ASK else "deny"
            said = {"permissionDecision": word, "permissionDecisionReason": reason}
            return saying.said(said | _again(event, **said), stderr=reason)


def _after(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    if ruling.kind in (Kind.DELIVER, Kind.ALLOW):
        note = saying.note_of(ruling)
        return (
            saying.said({"additionalContext": note} | _again(event, additionalContext=note)) if note else saying.SILENT
        )
    if event.response is not None and not event.response.is_replaceable:
        note = saying.warning_of(ruling)
        return saying.said({"additionalContext": note} | _again(event, additionalContext=note))
    text = saying.as_text(ruling.output) if ruling.kind is Kind.REPLACE else saying.withheld(ruling)
    return saying.said({"modifiedResult": {"resultType": "success", "textResultForLlm": text}})


def _again(event: ToolEvent, **said: Any) -> dict[str, Any]:
    is_pascal = event.name[:1].isupper()
    return {"hookSpecificOutput": {"hookEventName": event.name, **said}} if is_pascal else {}
