"""Every platform's tools, and whether a call's arguments fit the platform's own model of its tool."""

from collections.abc import Mapping
from functools import cache

from pydantic import BaseModel, ValidationError

from interpose.contracts.faults import faults_of
from interpose.contracts.model import JsonObject
from interpose.contracts.names import fold
from interpose.errors import Fault
from interpose.platforms.tools import (
    claude_code,
    codex,
    copilot_cli,
    cursor,
    gemini_cli,
    openclaw,
    opencode,
    vscode_copilot,
)
from interpose.platforms.tools.arguments import Tools

TOOLS: Mapping[str, Tools] = {
    "claude-code": claude_code.TOOLS,
    "codex": codex.TOOLS,
    "copilot-cli": copilot_cli.TOOLS,
    "vscode-copilot": vscode_copilot.TOOLS,
    "gemini-cli": gemini_cli.TOOLS,
    "cursor": cursor.TOOLS,
    "opencode": opencode.TOOLS,
    "openclaw": openclaw.TOOLS,
    "mcp": {},
}
"""MCP has no tools of its own: each server declares its own."""


def model_of(platform: str, tool: str) -> type[BaseModel] | None:
    """The platform's model of this tool, by its exact name first; None for one that is not known."""
    tools = TOOLS.get(platform, {})
    return tools.get(tool) or _folded(platform).get(fold(tool))


def misfits(platform: str, tool: str, arguments: JsonObject) -> tuple[Fault, ...] | None:
    """What of the arguments does not fit the model; None where the platform has no such tool."""
    model = model_of(platform, tool)
    if model is None:
        return None
    try:
        model.model_validate(arguments)
    except ValidationError as error:
        return faults_of(error, model=model)
    return ()


def matches_model(platform: str, tool: str, arguments: JsonObject) -> bool | None:
    """Whether they fit; None where the platform has no such tool."""
    found = misfits(platform, tool, arguments)
    return None if found is None else not found


@cache
def _folded(platform: str) -> Mapping[str, type[BaseModel]]:
    tools = TOOLS.get(platform, {})
    named: dict[str, list[type[BaseModel]]] = {}
    for name, model in tools.items():
        named.setdefault(fold(name), []).append(model)
    return {name: models[0] for name, models in named.items() if len(set(models)) == 1}
