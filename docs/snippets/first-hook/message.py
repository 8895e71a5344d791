"""The tool `message`. It stands in for the one that talks to your chat."""

from interpose import Run, Tool

tool = Tool("message")


@tool.handle
def send(run: Run) -> dict[str, object]:
    """Say what would be sent."""
    return {"ok": True, "channel": run.parameters["channel"]}
