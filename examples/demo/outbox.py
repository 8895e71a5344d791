"""The demo's `message` tool: it keeps what it was told to send in memory and says how many there are."""

from interpose import Run, Tool

tool = Tool("message")
sent = []


@tool.handle
def send(run: Run) -> dict[str, object]:
    """Take one message."""
    sent.append(run.parameters)
    return {"ok": True, "messages": len(sent)}
