"""A service whose hooks do what their settings tell: `say` a verdict, break, or stay silent until it is too late.

Each answer takes a time of its own, drawn from the call's id. Annotations tell which value was judged, and how.
"""

import asyncio
import hashlib

import orjson

from interpose.bus import subjects
from interpose.bus.responder import Incoming, Outgoing
from interpose.contracts.ask import Ask
from interpose.contracts.digest import digest
from interpose.contracts.words import Phase
from interpose.hook.app import read_ask
from interpose.hook.worker import Endpoint, serve

SLOWEST_MS = 15
TOO_LATE_S = 0.3

NAME = "performer"


async def perform(request: Incoming) -> Outgoing:
    """Answer one ask as its settings want, with bytes that may be no verdict at all."""
    ask = read_ask(request)
    say = ask.settings["say"]
    await asyncio.sleep(request.time_left_s + TOO_LATE_S if say == "silent" else _own_time_s(ask))
    if say == "raise":
        raise RuntimeError("the performer broke")
    return Outgoing(b"yes, of course" if say == "garbled" else _verdict(ask, say))


def _verdict(ask: Ask, say: str) -> bytes:
    value = ask.parameters if ask.phase is Phase.BEFORE else ask.response or {}
    kind = {"silent": "allow", "foreign": "allow", "hollow": "transform"}.get(say, say)
    verdict = {
        "verdict": kind,
        "reason": f"{ask.hook} says {say}",
        "ask_id": ask.ask_id[::-1] if say == "foreign" else ask.ask_id,
        "annotations": {"hook": ask.hook, "call": ask.call_id, "saw": digest(value), "said": kind},
    }
    return orjson.dumps(verdict | ({"output": value | ask.settings["set"]} if say == "transform" else {}))


def _own_time_s(ask: Ask) -> float:
    return hashlib.sha256(f"{ask.call_id}{ask.hook}".encode()).digest()[0] / 255 * SLOWEST_MS / 1000


if __name__ == "__main__":
    serve(
        Endpoint(
            role="service",
            name=NAME,
            version="0.1.0",
            subject=subjects.asks(NAME),
            queue=subjects.queue(NAME),
            handle=perform,
        )
    )
