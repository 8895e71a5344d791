"""The answers of each platform, by its name."""

from collections.abc import Callable, Mapping

from interpose.canonical.table import platform_of
from interpose.platforms.answers import (
    claude_code,
    codex,
    copilot_cli,
    cursor,
    gemini_cli,
    mcp,
    openclaw,
    opencode,
    vscode_copilot,
)
from interpose.platforms.event import ToolEvent
from interpose.platforms.ruling import NativeAnswer, Ruling

Answer = Callable[[ToolEvent, Ruling], NativeAnswer]
ANSWERS: Mapping[str, Answer] = {
    "claude-code": claude_code.answer,
    "codex": codex.answer,
    "copilot-cli": copilot_cli.answer,
    "cursor": cursor.answer,
    "gemini-cli": gemini_cli.answer,
    "mcp": mcp.answer,
    "openclaw": openclaw.answer,
    "opencode": opencode.answer,
    "vscode-copilot": vscode_copilot.answer,
}


def answer(event: ToolEvent, ruling: Ruling) -> NativeAnswer:
    """What this event's hook has to say. Raises KeyError for a platform that has none."""
    return ANSWERS[platform_of(event.platform) or ""](event, ruling)
