"""What a platform cannot be told at this event. Whoever judges then says no, and leaves nothing open behind it.

The answers refuse by themselves what their platform cannot do; here it is known before, with the reason. Pure.
"""

from interpose.platforms.answers import cursor, openclaw, opencode, saying
from interpose.platforms.event import ToolEvent
from interpose.platforms.ruling import Kind, Ruling
from interpose.platforms.tools.registry import misfits

PERMISSION = frozenset({"PermissionRequest", "permissionRequest"})
"""A dialog is about to be shown: a second question about a call that has its own event."""
UNREPORTED = frozenset({"beforeReadFile", "beforeTabFileRead"})
"""Cursor's events of calls behind which no event follows."""
OBSERVED = frozenset({"afterShellExecution", "afterFileEdit", "afterTabFileEdit"})
"""Cursor's events after calls that it shows beside its `postToolUse`: nothing they say is heeded."""
CURSOR = "cursor"
CANNOT_ASK = frozenset({"codex", "opencode", "mcp"})
FIXED = "its parameters would have to be changed, and {event} of {platform} cannot do that"
UNKNOWN_TOOL = (
    "its parameters would have to be changed, and nobody knows what {tool} of {platform} takes: what does not fit is"
    " dropped there, and the call would run unchanged"
)
MISFIT = "its parameters would have to be changed to what {platform} drops, so that the call would run unchanged: {why}"


def objection(event: ToolEvent, ruling: Ruling) -> str | None:
    """Why this platform cannot do what is ruled of a call, as the reason of a refusal; None where it can."""
    match ruling.kind:
        case Kind.ASK:
            return _of_asking(event, ruling)
        case Kind.REWRITE:
            return _of_rewriting(event, ruling)
        case _:
            return None


def _of_asking(event: ToolEvent, ruling: Ruling) -> str | None:
    is_deaf = event.platform == CURSOR and event.name not in cursor.ASKS
    return saying.unasked(ruling) if is_deaf or event.platform in CANNOT_ASK else None


def _of_rewriting(event: ToolEvent, ruling: Ruling) -> str | None:
    arguments = ruling.arguments or {}
    told = {"event": event.name, "platform": event.platform, "tool": event.tool}
    if event.name in PERMISSION or (event.platform == CURSOR and event.name not in cursor.REWRITES):
        return FIXED.format(**told)
    if event.platform == "opencode" and event.tool in opencode.READ_BEFORE:
        return opencode.CANNOT_CHANGE.format(tool=event.tool)
    if event.platform == "openclaw":
        lost = sorted(event.arguments.keys() - arguments.keys())
        return openclaw.CANNOT_REMOVE.format(names=", ".join(lost)) if lost else None
    if event.platform == "vscode-copilot":
        faults = misfits(event.platform, event.tool, arguments)
        if faults is None:
            return UNKNOWN_TOOL.format(**told)
        return MISFIT.format(why="; ".join(map(str, faults)), **told) if faults else None
    return None
