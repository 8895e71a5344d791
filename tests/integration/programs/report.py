"""How the programs of these tests tell the test what they do: one line to its witness, one line back to go on."""

import asyncio
import json
import os
from typing import Any

LIMIT_BYTES = 16 * 1024 * 1024


async def report(event: str, call_id: str, parameters: dict[str, Any], *, holds: bool) -> None:
    """Say what happens now; returns when the witness has it and, with `holds`, when the test lets it go on."""
    told = {"event": event, "instance": os.environ["INTERPOSE_INSTANCE"], "call_id": call_id, "holds": holds}
    port = int(os.environ["INTERPOSE_TEST_WITNESS"])
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LIMIT_BYTES)
    writer.write(json.dumps(told | {"parameters": parameters}).encode() + b"\n")
    try:
        await reader.readline()
    finally:
        writer.close()
