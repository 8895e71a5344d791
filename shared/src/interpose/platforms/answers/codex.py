"""Codex CLI 0.169: an answer with any field that it does not know lets the call run, so each says as little as it can.

It has no `ask`. What is refused ends with code 2 and a reason on standard error; a result is replaced by the text of
a block.
"""

from interpose.platforms.answers import saying
from interpose.platforms.event import Moment, ToolEvent
from interpose.platforms.ruling import Kind, NativeAnswer, Ruling

BLOCKS = 2


def answer(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    """Empty standard output is the only allow it takes."""
    if event.name == "PermissionRequest":
        return _permission(ruling)
    return _before(ruling) if event.moment is not Moment.AFTER else _after(ruling)


def _before(ruling: Ruling) -> NativeAnswer:
    match ruling.kind:
        case Kind.ALLOW:
            return saying.SILENT
        case Kind.REWRITE:
            said = {"permissionDecision": "allow", "updatedInput": ruling.arguments}
            return saying.said({"hookSpecificOutput": {"hookEventName": "PreToolUse", **said}})
        case Kind.ASK:
            return NativeAnswer("", saying.unasked(ruling), BLOCKS)
        case _:
            return NativeAnswer("", saying.reason_of(ruling), BLOCKS)


def _permission(ruling: Ruling) -> NativeAnswer:
    if ruling.kind in (Kind.ALLOW, Kind.ASK):
        return saying.SILENT
    decision = {"behavior": "deny", "message": saying.reason_of(ruling)}
    return saying.said({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})


def _after(ruling: Ruling) -> NativeAnswer:
    match ruling.kind:
        case Kind.DELIVER | Kind.ALLOW:
            return saying.SILENT
        case Kind.REPLACE:
            return saying.said({"decision": "block", "reason": saying.as_text(ruling.output) or saying.NO_REASON})
        case _:
            return saying.said({"decision": "block", "reason": saying.withheld(ruling)})
