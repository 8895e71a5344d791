"""The quickstart's `message` tool: it writes each message into a file, so that you see what really ran.

`interpose run examples/quickstart/outbox.py` serves it; `OUTBOX` names the file (default: `outbox.jsonl` in the
state folder).
"""

import os
from datetime import UTC, datetime
from pathlib import Path

import orjson

from interpose import Run, Tool, ToolError

OUTBOX = Path(os.environ.get("OUTBOX") or Path(os.environ.get("INTERPOSE_HOME", ".interpose")) / "outbox.jsonl")

tool = Tool("message")


@tool.handle
def send(run: Run) -> dict[str, object]:
    """Append one message and say when."""
    if run.action != "send":
        raise ToolError({"error": f"the outbox only sends; it was asked to {run.action}"})
    sent_at = datetime.now(UTC).isoformat()
    line = orjson.dumps({"sent_at": sent_at, "call_id": run.call_id, **run.parameters})
    with OUTBOX.open("ab") as file:
        file.write(line + b"\n")
    return {"ok": True, "sent_at": sent_at, "outbox": str(OUTBOX)}
