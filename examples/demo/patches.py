"""The demo's `Edit` tool: it names the files that a patch would touch, and touches none."""

from interpose import Run, Tool

HEADERS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ")

tool = Tool("Edit")


@tool.handle
def apply(run: Run) -> dict[str, object]:
    """The files of the patch."""
    lines = str(run.parameters.get("patch", "")).splitlines()
    return {"files": [line.removeprefix(header) for line in lines for header in HEADERS if line.startswith(header)]}
