"""Who calls. Each opens what it needs and returns a function that makes one call to its end, or raises."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Awaitable, Callable
from pathlib import Path

import gateway
import nats
import policy
from http_caller import HttpCaller
from load import Call
from opentelemetry.context import Context
from worker import FLOOR

from interpose.bus.memory import keep_for_good
from interpose.telemetry.setup import set_up
from interpose_gateway import composition
from interpose_gateway.adapters.clients_file import ClientsFile
from interpose_gateway.settings import GatewaySettings

FLOOR_REQUEST = b"r" * 1300
READY_TRIES = 200
READY_S = 0.05
SCRIPTS = {"sh": ["/bin/sh", "script.sh"], "python": [sys.executable, "script.py"]}


async def open_floor(parallel: str) -> Call:
    """W0: raw nats-py on both sides. So many requests at once to as many processes, then one to one more."""
    seed = os.environ["INTERPOSE_NATS_SEED"]
    client = await nats.connect(os.environ["INTERPOSE_NATS_URL"], nkeys_seed=seed)

    async def ask(name: str) -> None:
        await client.request(f"{FLOOR}.{name}", FLOOR_REQUEST, timeout=5)

    async def call() -> None:
        if int(parallel) == 1:
            await ask(policy.HOOKS[0])
        elif int(parallel) > 1:
            await asyncio.gather(*(ask(name) for name in policy.HOOKS[: int(parallel)]))
        await ask(policy.TOOL)

    return call


async def open_inside(records: str) -> Call:
    """W1: a whole gateway in this process, called past its HTTP."""
    gateway.arrange(records)
    settings = GatewaySettings.from_environment()
    set_up("gateway", str(settings.instance), "0")
    running = await composition.start(settings)
    keep_for_good()
    caller = ClientsFile(settings.clients).by_subject_token(policy.CLIENT)
    assert caller is not None
    body = policy.body("whole")

    async def call() -> None:
        reply = await running.door.call(caller, body, Context())
        if reply.status != 200:
            raise RuntimeError(f"{reply.status}: {reply.answer.reason}")

    return await _ready(call)


async def open_http(port: str, token: str, kind: str, status: str = "200") -> Callable[[], Call]:
    """W2: over HTTP, each caller on a connection of its own."""

    def caller() -> Call:
        return HttpCaller(int(port), token, policy.body(kind), status).call

    await _ready(caller())
    return caller


async def open_spawned(language: str) -> Call:
    """W3, the original design: a process for each of three hooks, the call on its standard input."""
    program, script = SCRIPTS[language]
    command = [program, str(Path(__file__).parent / script)]
    ask = json.dumps({"tool": policy.TOOL, "parameters": policy.PARAMETERS, "context": {}}).encode() + b"\n"

    async def judge() -> None:
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        await process.communicate(ask)
        if process.returncode != 0:
            raise RuntimeError(f"{script} exited with {process.returncode}")

    async def call() -> None:
        await asyncio.gather(judge(), judge(), judge())

    return call


async def _ready(call: Callable[[], Awaitable[None]]) -> Call:
    """A gateway that just started may have no confirmed registry yet."""
    for _ in range(READY_TRIES):
        try:
            await call()
        except RuntimeError as error:
            said = error
            await asyncio.sleep(READY_S)
        else:
            return call
    raise said
