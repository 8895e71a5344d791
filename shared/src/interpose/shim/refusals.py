"""The no of each platform, ready to be said when nothing else can be: the gateway is away, late, or makes no sense.

The words are those of `interpose.platforms.answers` (a test compares them), written here a second time because that
package takes longer to load than an agent should wait.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Said(NamedTuple):
    """What a hook's process writes and ends with."""

    stdout: str
    stderr: str
    exit_code: int


def _claude_form(reason: str) -> Said:
    own = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason}
    return Said(_json({"hookSpecificOutput": own}), reason, 2)


def _codex(reason: str) -> Said:
    return Said("", reason, 2)


def _copilot(reason: str) -> Said:
    return Said(_json({"permissionDecision": "deny", "permissionDecisionReason": reason}), reason, 0)


def _cursor(reason: str) -> Said:
    return Said(_json({"permission": "deny", "user_message": reason, "agent_message": reason}), reason, 2)


def _gemini(reason: str) -> Said:
    return Said(_json({"decision": "deny", "reason": reason}), reason, 2)


def _mcp(reason: str) -> Said:
    return Said(_json({"result": {"content": [{"type": "text", "text": reason}], "isError": True}}), "", 0)


def _openclaw(reason: str) -> Said:
    return Said(_json({"block": True, "blockReason": reason}), "", 0)


def _opencode(reason: str) -> Said:
    return Said(_json({"throw": reason}), "", 0)


REFUSALS: Mapping[str, Callable[[str], Said]] = {
    "claude-code": _claude_form,
    "codex": _codex,
    "copilot-cli": _copilot,
    "cursor": _cursor,
    "gemini-cli": _gemini,
    "mcp": _mcp,
    "openclaw": _openclaw,
    "opencode": _opencode,
    "vscode-copilot": _claude_form,
}
SHORT: Mapping[str, str] = {"claude": "claude-code", "gemini": "gemini-cli", "copilot": "copilot-cli"}


def _json(said: dict[str, Any]) -> str:
    return json.dumps(said, separators=(",", ":"), ensure_ascii=False)
