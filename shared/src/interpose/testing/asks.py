"""One hook, one ask, one line: what a hook's own tests need."""

from typing import Any

from interpose.contracts.ask import Ask, Native
from interpose.contracts.digest import digest
from interpose.contracts.ids import call_id, secret
from interpose.contracts.limits import VERDICT_BYTES
from interpose.contracts.reply import NoReply
from interpose.contracts.strict import read_model
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Phase, Status
from interpose.errors import InterposeError
from interpose.testing.memory_bus import MemoryBus, Serving
from interpose.testing.virtual_time import run


class NoVerdict(InterposeError):
    """The hook gave no verdict: `reply` is what the gateway would have got, with the failure."""

    def __init__(self, reply: NoReply) -> None:
        super().__init__(f"{reply.failure}: {reply.detail}")
        self.reply = reply


def make_ask(**fields: Any) -> Ask:
    """A whole ask from the few fields that matter; with `response` it is one of the after phase.

    Everything has a default: tool `Bash`, no parameters, phase `before`. The hook's own settings are `settings`.
    """
    tool = fields.get("tool", "Bash")
    parameters = fields.get("parameters", {})
    after = {"phase": Phase.AFTER, "status": Status.SUCCESS, "wrapped": False, "duration_ms": 1.0}
    defaults = {
        "tool": tool,
        "parameters": parameters,
        "phase": Phase.BEFORE,
        "call_id": call_id(),
        "revision": 1,
        "hook": "under-test",
        "ask_id": secret(),
        "canonical_tool": tool,
        "native": Native(tool=tool, digest=digest(parameters)),
    }
    return Ask.model_validate(defaults | (after if "response" in fields else {}) | fields)


def judge(hook: Serving, *, timeout_s: float = 5.0, **fields: Any) -> Verdict:
    """The hook's verdict on one ask, through the same bytes as on the bus and in virtual time.

    `fields` as for `make_ask`. Raises NoVerdict where the gateway would see a failure. Inside a running loop use
    `await hook.answer(make_ask(…))`.
    """
    return run(_judge(hook, make_ask(**fields), timeout_s))


async def _judge(hook: Serving, ask: Ask, timeout_s: float) -> Verdict:
    bus = MemoryBus()
    endpoint = bus.attach(hook)
    reply = await bus.ask(endpoint.name, ask, timeout_s=timeout_s)
    if isinstance(reply, NoReply):
        raise NoVerdict(reply)
    return read_model(Verdict, reply.body, limit=VERDICT_BYTES, what=f"the verdict of {endpoint.name}")
