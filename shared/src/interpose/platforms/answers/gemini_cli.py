"""Gemini CLI 0.56: one JSON object with `decision`. Its arguments replace the whole, so they are always sent whole.

Exit code 2 without any text would be an allow: a refusal has both the JSON and a text on standard error.
"""

from typing import Any

from interpose.platforms.answers import saying
from interpose.platforms.event import Moment, ToolEvent
from interpose.platforms.ruling import Kind, NativeAnswer, Ruling

BLOCKS = 2


def answer(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    """`allow` does not skip the user's own policy here."""
    return _before(ruling) if event.moment is not Moment.AFTER else _after(ruling)


def _before(ruling: Ruling) -> NativeAnswer:
    reason = saying.reason_of(ruling)
    match ruling.kind:
        case Kind.ALLOW:
            return saying.said({"decision": "allow", **_noted(ruling, "BeforeTool")})
        case Kind.REWRITE:
            own = {"hookEventName": "BeforeTool", "tool_input": ruling.arguments}
            return saying.said({"decision": "allow", "hookSpecificOutput": own})
        case Kind.ASK:
            return saying.said({"decision": "ask", "reason": reason, "systemMessage": reason})
        case _:
            return saying.said({"decision": "deny", "reason": reason}, stderr=reason, exit_code=BLOCKS)


def _after(ruling: Ruling) -> NativeAnswer:
    """The reason of a denial stands in the result's place."""
    match ruling.kind:
        case Kind.DELIVER | Kind.ALLOW:
            return saying.said({"decision": "allow", **_noted(ruling, "AfterTool")})
        case Kind.REPLACE:
            return saying.said({"decision": "deny", "reason": saying.as_text(ruling.output) or saying.NO_REASON})
        case _:
            return saying.said({"decision": "deny", "reason": saying.withheld(ruling)})


def _noted(ruling: Ruling, event: str) -> dict[str, Any]:
    note = saying.note_of(ruling)
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": note}} if note else {}
