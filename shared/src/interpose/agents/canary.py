"""The canary: a call that every gateway refuses, sent through the installed command as the platform would send it."""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interpose.contracts.evaluation import CANARY, CANARY_REFUSED
from interpose.errors import ConfigurationError

TIMEOUT_S = 30.0
ARGUMENTS = {"reason": "interpose agents status"}
SESSION = "interpose-canary"
_CLAUDE_FORM = {
    "session_id": SESSION,
    "transcript_path": "/dev/null",
    "cwd": "/",
    "hook_event_name": "PreToolUse",
    "tool_name": CANARY,
    "tool_input": ARGUMENTS,
    "tool_use_id": "canary",
}
EVENTS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "claude-code": ("PreToolUse", _CLAUDE_FORM),
    "codex": (
        "PreToolUse",
        {**_CLAUDE_FORM, "turn_id": "canary", "model": "canary", "permission_mode": "default"},
    ),
    "copilot-cli": (
        "preToolUse",
        {"sessionId": SESSION, "timestamp": 0, "cwd": "/", "toolName": CANARY, "toolArgs": ARGUMENTS},
    ),
    "cursor": (
        "preToolUse",
        {
            "conversation_id": SESSION,
            "generation_id": "canary",
            "model": "canary",
            "hook_event_name": "preToolUse",
            "cursor_version": "0",
            "workspace_roots": ["/"],
            "user_email": None,
            "transcript_path": None,
            "tool_name": CANARY,
            "tool_input": ARGUMENTS,
            "tool_use_id": "canary",
            "cwd": "/",
        },
    ),
    "gemini-cli": (
        "BeforeTool",
        {
            "session_id": SESSION,
            "transcript_path": "/dev/null",
            "cwd": "/",
            "hook_event_name": "BeforeTool",
            "timestamp": "2026-01-01T00:00:00.000Z",
            "tool_name": CANARY,
            "tool_input": ARGUMENTS,
        },
    ),
    "vscode-copilot": (
        "PreToolUse",
        {
            "timestamp": "2026-01-01T00:00:00.000Z",
            "hook_event_name": "PreToolUse",
            "session_id": SESSION,
            "tool_name": CANARY,
            "tool_input": ARGUMENTS,
            "tool_use_id": "canary",
        },
    ),
}


@dataclass(frozen=True, slots=True)
class Sung:
    """What came back. `is_judged`: the gateway itself refused it, so a call really reaches it and its no comes back."""

    stdout: str
    stderr: str
    exit_code: int
    note: str = ""
    """What this did not try."""

    @property
    def is_judged(self) -> bool:
        """The gateway's own word stands in its refusal; that of a gateway that is away does not have it."""
        return CANARY_REFUSED in self.stdout + self.stderr


def environ() -> dict[str, str]:
    """What an agent's process has: nothing of ours."""
    return {name: value for name, value in os.environ.items() if not name.startswith("INTERPOSE_")}


def sing(platform: str, installed: Mapping[str, str]) -> Sung:
    """Send it through the command that the platform's file holds. Raises ConfigurationError."""
    event, payload = EVENTS[platform]
    command = installed.get(event)
    if command is None:
        raise ConfigurationError(f"the platform's file has no hook of ours for {event}: interpose agents install again")
    try:
        done = subprocess.run(  # noqa: S602 (the platform gives this very text to a shell)
            command,
            shell=True,
            input=json.dumps(payload).encode(),
            capture_output=True,
            check=False,
            timeout=TIMEOUT_S,
            env=environ(),
        )
    except subprocess.TimeoutExpired as error:
        raise ConfigurationError(f"the installed hook did not end within {TIMEOUT_S:.0f} s: {command}") from error
    return Sung(done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.returncode)
