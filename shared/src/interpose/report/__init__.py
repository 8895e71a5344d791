"""For agents that run their own tools: ask the gateway before each call, report what came of it afterwards.

`Gate` is all that an adapter needs. Nothing here loads pydantic, the bus or telemetry, because a command shim starts a
process for every tool call: what is sent and read is plain JSON, and tests hold it to `interpose.contracts.evaluation`.
Names load on first use (PEP 562), so that whoever needs one part does not wait for the others.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpose.report.decision import Approval, Decision, Verb
    from interpose.report.gate import Gate
    from interpose.report.receipt import Outcome, Receipt

_HOMES = {
    "Approval": "interpose.report.decision",
    "Decision": "interpose.report.decision",
    "Gate": "interpose.report.gate",
    "Outcome": "interpose.report.receipt",
    "Receipt": "interpose.report.receipt",
    "Verb": "interpose.report.decision",
}

__all__ = ["Approval", "Decision", "Gate", "Outcome", "Receipt", "Verb"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'interpose.report' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
