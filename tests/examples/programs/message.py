"""OpenClaw's `message` tool, played: it keeps what it sent where the test finds it."""

import json
import os
from pathlib import Path

from interpose import Run, Tool

tool = Tool("message")


@tool.handle
def act(run: Run) -> dict[str, object]:
    """Keep the message."""
    with Path(os.environ["OPENCLAW_SENT"]).open("a") as file:
        file.write(json.dumps(run.parameters) + "\n")
    return {"ok": True, "action": run.action}
