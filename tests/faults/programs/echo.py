"""A tool that writes down each run with the bytes it got, takes its time (`work_ms`), and answers with them."""

import asyncio
import os
from typing import Any

from clock import be_ready_to_jump
from diary import note

from interpose import Run, Tool
from interpose.contracts.digest import digest

tool = Tool(os.environ.get("INTERPOSE_TEST_TOOL", "echo"))


@tool.handle
async def run(run: Run) -> Any:
    """Note, then work, then answer."""
    note("ran", call_id=run.call_id, digest=digest(run.parameters))
    await asyncio.sleep(run.parameters.get("work_ms", 0) / 1000)
    return {"echo": run.parameters}


if __name__ == "__main__":
    be_ready_to_jump()
    tool.run()
