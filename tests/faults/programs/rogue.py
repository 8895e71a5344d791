"""A hook service in plain NATS that misbehaves as the call's `rogue` wants: `twice`, `late`, `other`, else honestly.

`twice` says yes and then no; `late` says yes when its time is over; `other` answers this ask with the answer of the one
before it. What it says is not written down: nothing that it allows may count for more than the gateway makes of it.
"""

import asyncio
import json
import os
from typing import Any

import nats
from diary import note
from nats.aio.msg import Msg

LATE_S = 0.3


async def main() -> None:
    """Answer until killed."""
    client = await nats.connect(
        os.environ["INTERPOSE_NATS_URL"],
        nkeys_seed=os.environ["INTERPOSE_NATS_SEED"],
        inbox_prefix="_INBOX_service",
        max_reconnect_attempts=-1,
    )
    before = ""

    async def answer(msg: Msg) -> None:
        nonlocal before
        ask = json.loads(msg.data)
        way, of, before = ask["parameters"].get("rogue"), before, ask["ask_id"]
        note("rogue", call_id=ask["call_id"], way=way)
        if way == "late":
            await asyncio.sleep(int((msg.headers or {})["Interpose-Timeout-Ms"]) / 1000 + LATE_S)
        await msg.respond(verdict("allow", of if way == "other" else ask["ask_id"]))
        if way == "twice":
            await client.publish(msg.reply, verdict("reject", ask["ask_id"]))

    tasks: set[asyncio.Task[Any]] = set()

    async def receive(msg: Msg) -> None:
        tasks.add(task := asyncio.create_task(answer(msg)))
        task.add_done_callback(tasks.discard)

    await client.subscribe("tool.call.*.rogue", queue="rogue", cb=receive)
    await client.flush()
    note("listens")
    await asyncio.Event().wait()


def verdict(word: str, ask_id: str) -> bytes:
    """A verdict for that ask."""
    return json.dumps({"verdict": word, "reason": "the rogue says so", "ask_id": ask_id}).encode()


if __name__ == "__main__":
    asyncio.run(main())
