"""An ask and the verdict on it, made by the gateway's and the worker's own code; only what chance chooses is fixed."""

import asyncio
import importlib.util
import json
from functools import cache
from typing import Any

from interpose.config.load import load
from interpose.contracts.ask import Ask
from interpose.contracts.call import Call
from interpose.contracts.clients import ClientEntry
from interpose.contracts.words import Phase
from interpose.hook.app import Hook, encode
from interpose_gateway.core.entry import Caller, enter
from interpose_gateway.core.question import AskBody
from interpose_gateway.core.registry import Revision
from reference.examples import SNIPPETS, pretty

FOLDER = SNIPPETS / "first-hook"
CALL = {
    "tool": "message",
    "action": "send",
    "parameters": {"channel": "C0GENERAL", "text": "hello"},
    "context": {"session": "s-1", "user": "patrick"},
}
CALL_ID = "019c0000-0000-7000-8000-000000000001"
ASK_ID = "5f2c0a9d7b1e4c3f8a6d0e1b2c3d4e5f"


def ask() -> str:
    """What the hook of the first example is asked about a call that it refuses."""
    return pretty(_asked())


def verdict() -> str:
    """What it answers."""
    answered = asyncio.run(_hook().answer(Ask.model_validate(_asked())))
    return pretty(json.loads(encode(answered, Ask.model_validate(_asked())).body))


@cache
def _asked() -> dict[str, Any]:
    loaded = load(FOLDER / "interpose.json")
    revision = Revision.of(1, loaded.digest, loaded.configuration)
    caller = Caller("local", ClientEntry(token_sha256="0" * 64, agent="main", platform="openclaw", users=["*"]))
    call = enter(Call.model_validate(CALL), caller, revision, CALL_ID, 0.0)
    step = revision.plan(Phase.BEFORE, call.identity).judging[0]
    return dict(json.loads(AskBody(call, Phase.BEFORE, call.parameters, None).encode(step, ASK_ID)))


def _hook() -> Hook:
    spec = importlib.util.spec_from_file_location("channel_list", FOLDER / "channel_list.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"there is no hook in {FOLDER}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.hook  # type: ignore[no-any-return]  # the snippet's own module
