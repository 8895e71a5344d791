"""A subscriber that asks the broker for everything and then, stopped by the test, reads none of it."""

import asyncio
import os

import nats
from diary import note
from nats.aio.msg import Msg


async def main() -> None:
    """Listen until killed."""
    client = await nats.connect(
        os.environ["INTERPOSE_NATS_URL"], nkeys_seed=os.environ["INTERPOSE_NATS_SEED"], inbox_prefix="_INBOX_operator"
    )

    async def hear(_msg: Msg) -> None:
        return None

    await client.subscribe(">", cb=hear)
    await client.flush()
    note("listens")
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
