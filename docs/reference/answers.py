"""What each platform is told, cell by cell, made by the answers themselves."""

import json

from interpose.platforms.abilities import objection
from interpose.platforms.answers.of import answer
from interpose.platforms.event import Moment, Response, ToolEvent
from interpose.platforms.read import READERS
from interpose.platforms.ruling import Kind, NativeAnswer, Ruling
from reference.table import code, table

ARGUMENTS = {"command": "ls", "explanation": "x", "goal": "y", "isBackground": False}
RESPONSE = {"output": "key=1"}
CELLS = {
    "allow": Ruling(Kind.ALLOW),
    "refuse": Ruling(Kind.REFUSE, "not here"),
    "ask": Ruling(Kind.ASK, "is this meant?"),
    "rewrite": Ruling(Kind.REWRITE, arguments=ARGUMENTS | {"command": "ls -l"}),
    "replace output": Ruling(Kind.REPLACE, "it held a key", output={"output": "key=***"}),
    "gateway down": Ruling(Kind.UNAVAILABLE, "the gateway does not answer"),
    "gateway late": Ruling(Kind.UNAVAILABLE, "Interpose did not decide in time"),
    "garbage": Ruling(Kind.UNAVAILABLE, "the gateway's answer makes no sense"),
}
NOT_REPLACEABLE = {"vscode-copilot", "cursor", "openclaw"}
"""Platforms that show what a built-in tool gave back, whatever a hook says."""
KEPT = {
    "openclaw": "no: its hook after a call is only told of it",
    "cursor": "only of MCP tools; else the model is warned",
    "vscode-copilot": "no: the model is warned",
}


def native_answers(platform: str) -> str:
    """Every cell of one platform: what its hook writes and ends with, and whether that is what was ruled."""
    rows = []
    for name, ruling in CELLS.items():
        event = _event(platform, Moment.AFTER if ruling.kind is Kind.REPLACE else Moment.BEFORE)
        rows.append([name, *_cells(answer(event, ruling)), _doubt(event, ruling)])
    return table(["ruling", "standard output", "standard error", "exit", "heeded"], rows)


def _event(platform: str, moment: Moment) -> ToolEvent:
    name = next(name for name, spec in READERS[platform].EVENTS.items() if spec.moment is moment)
    response = Response(RESPONSE, "key=1", is_error=False, is_replaceable=platform not in NOT_REPLACEABLE)
    tool = "run_in_terminal" if platform == "vscode-copilot" else "shell"
    return ToolEvent(platform, name, moment, tool, ARGUMENTS, {}, response=response if moment is Moment.AFTER else None)


def _cells(found: NativeAnswer) -> list[str]:
    stdout = json.dumps(json.loads(found.stdout), ensure_ascii=False) if found.stdout else ""
    return [code(stdout) if stdout else "", code(found.stderr) if found.stderr else "", str(found.exit_code)]


def _doubt(event: ToolEvent, ruling: Ruling) -> str:
    if ruling.kind is Kind.REPLACE:
        return KEPT.get(event.platform, "yes")
    return "refused: the platform cannot" if objection(event, ruling) else "yes"
