"""Words for when a hook speaks: ours, those that people use, and each platform's own names of its events."""

from collections.abc import Mapping

from interpose.contracts.names import fold
from interpose.errors import Fault, InvalidInput
from interpose.platforms.event import Moment

_COMMON: Mapping[str, Moment] = {
    "before": Moment.BEFORE,
    "pre": Moment.BEFORE,
    "after": Moment.AFTER,
    "post": Moment.AFTER,
}
_OWN: Mapping[str, Moment] = {
    **dict.fromkeys(
        (
            "PreToolUse",
            "BeforeTool",
            "before_tool_call",
            "tool.execute.before",
            "beforeShellExecution",
            "beforeMCPExecution",
            "beforeReadFile",
            "PermissionRequest",
            "tools/call",
        ),
        Moment.BEFORE,
    ),
    **dict.fromkeys(
        (
            "PostToolUse",
            "PostToolUseFailure",
            "AfterTool",
            "after_tool_call",
            "tool.execute.after",
            "afterShellExecution",
            "afterMCPExecution",
            "afterFileEdit",
        ),
        Moment.AFTER,
    ),
}
_KNOWN: Mapping[str, Moment] = {fold(name): moment for name, moment in {**_COMMON, **_OWN}.items()}


def moment_of(word: str) -> Moment:
    """`before`, `pre`, `PreToolUse` and the like, in any case. Raises InvalidInput with what there is."""
    found = _KNOWN.get(fold(word))
    if found is None:
        known = ", ".join([*_COMMON, *_OWN])
        raise InvalidInput("there is no such event", [Fault("event", f"{word!r} is none; known are {known}")])
    return found
