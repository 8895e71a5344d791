"""The processes that a benchmark talks to: `hook NAME`, `tool NAME`, or `floor`, raw nats-py with nothing around it."""

import asyncio
import os
import sys
from pathlib import Path

import nats
from nats.aio.msg import Msg

from interpose import Ask, Hook, Run, Tool, Verdict, allow

FLOOR = "bench.floor"
ANSWER = b"a" * 200
"""About as long as a verdict."""


def serve_hook(name: str) -> None:
    """A hook that says yes to everything."""
    hook = Hook(name)

    @hook.before("*")
    @hook.after("*")
    async def judge(_ask: Ask) -> Verdict:
        return allow()

    hook.run()


def serve_tool(name: str) -> None:
    """A tool that does nothing."""
    tool = Tool(name)

    @tool.handle
    async def run(_run: Run) -> dict[str, str]:
        return {"done": "nothing"}

    tool.run()


async def serve_floor() -> None:
    """Answer as soon as possible, until killed."""
    seed = Path(os.environ["INTERPOSE_NATS_SEED"])
    client = await nats.connect(os.environ["INTERPOSE_NATS_URL"], nkeys_seed=str(seed))

    async def answer(msg: Msg) -> None:
        await client.publish(msg.reply, ANSWER)

    await client.subscribe(FLOOR, cb=answer)
    await asyncio.Event().wait()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["hook", name]:
            serve_hook(name)
        case ["tool", name]:
            serve_tool(name)
        case ["floor"]:
            asyncio.run(serve_floor())
