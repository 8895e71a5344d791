"""The channel list once more, in nothing but NATS and JSON: what a worker in any language does."""

import asyncio
import json
import os
from typing import Any

import nats
from nats.aio.msg import Msg

NAME = "channel-list-plain"
OWN = {"Interpose-Version": "1", "Interpose-Worker": f"{NAME}-1"}


def judge(ask: dict[str, Any]) -> dict[str, Any]:
    """The rule itself."""
    channel = ask["parameters"].get("channel")
    if channel in tuple(ask["with"]["channels"]):
        return {"verdict": "allow"}
    return {"verdict": "reject", "code": "channel-not-listed", "reason": f"no message goes to {channel}"}


def read(msg: Msg) -> dict[str, Any]:
    """The ask, in the one version of the wire format that this worker knows."""
    if (msg.headers or {}).get("Interpose-Version") != "1":
        raise ValueError("this worker speaks version 1")
    return dict(json.loads(msg.data))


async def serve() -> None:
    """Answer for ever."""
    client = await nats.connect(os.environ["INTERPOSE_NATS_URL"], nkeys_seed=os.environ["INTERPOSE_NATS_SEED"])

    async def answer(msg: Msg) -> None:
        if not msg.reply.startswith("_INBOX_gateway."):
            return  # Whoever asks is no gateway, and we write nowhere else.
        try:
            ask = read(msg)
            body, more = json.dumps({**judge(ask), "ask_id": ask["ask_id"]}).encode(), {}
        except Exception as error:  # noqa: BLE001 - whatever breaks is answered: silence would cost the whole timeout
            body, more = b"", {"Nats-Service-Error": type(error).__name__, "Nats-Service-Error-Code": "500"}
        await client.publish(msg.reply, body, headers=OWN | more)

    await client.subscribe(f"tool.call.*.{NAME}", queue=NAME, cb=answer)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve())
