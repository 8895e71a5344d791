"""VS Code Copilot: Claude's form, but no result is ever replaced, and a rewrite that its schema refuses is dropped.

Then the original call would run, so a rewrite is sent only where the arguments fit what is known of the tool
(`interpose.platforms.tools`); the caller sees to that.
"""

from typing import Any

from interpose.platforms.answers import saying
from interpose.platforms.event import Moment, ToolEvent
from interpose.platforms.ruling import Kind, NativeAnswer, Ruling

BLOCKS = 2


def answer(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    """An allow is silence: the user's own permissions go on."""
    return _before(ruling) if event.moment is not Moment.AFTER else _after(ruling)


def _before(ruling: Ruling) -> NativeAnswer:
    reason = saying.reason_of(ruling)
    match ruling.kind:
        case Kind.ALLOW:
            note = saying.note_of(ruling)
            return saying.said(_specific("PreToolUse", additionalContext=note)) if note else saying.SILENT
        case Kind.REWRITE:
            return saying.said(_specific("PreToolUse", permissionDecision="allow", updatedInput=ruling.arguments))
        case Kind.ASK:
            return saying.said(_specific("PreToolUse", permissionDecision="ask", permissionDecisionReason=reason))
        case _:
            denied = _specific("PreToolUse", permissionDecision="deny", permissionDecisionReason=reason)
            return saying.said(denied, stderr=reason, exit_code=BLOCKS)


def _after(ruling: Ruling) -> NativeAnswer:
    if ruling.kind in (Kind.DELIVER, Kind.ALLOW):
        note = saying.note_of(ruling)
        return saying.said(_specific("PostToolUse", additionalContext=note)) if note else saying.SILENT
    note = saying.warning_of(ruling)
    return saying.said({"decision": "block", "reason": note, **_specific("PostToolUse", additionalContext=note)})


def _specific(event: str, **said: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **said}}
