"""A tool that says that it runs, with which parameters, and then does what they want of it.

`hold`: `tool` waits until the test lets it go. `do`: `fail` (ToolError), `break` (an exception), `list` (no object).
"""

import os
from typing import Any

from report import report

from interpose import Run, Tool, ToolError

tool = Tool(os.environ["INTERPOSE_TEST_TOOL"])


@tool.handle
async def run(run: Run) -> Any:
    """Report, wait if told to, answer with the parameters."""
    await report("ran", run.call_id, run.parameters, holds=run.parameters.get("hold") == "tool")
    match run.parameters.get("do"):
        case "fail":
            raise ToolError({"error": "no such page"})
        case "break":
            raise RuntimeError("the tool broke")
        case "list":
            return [1, 2]
        case _:
            return {"echo": run.parameters}


if __name__ == "__main__":
    tool.run()
