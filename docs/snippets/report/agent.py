"""An agent that runs its own tools: nothing runs, and nothing is handed on, without the gateway's word."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from interpose.report import Gate, Receipt

gate = Gate.from_environment("my-agent")


def run(tools: Mapping[str, Callable[..., Any]], name: str, arguments: dict[str, Any], call_id: str) -> Any:
    """What the model gets to see of this call."""
    decision = gate.before(name, arguments, call_id=call_id)
    if not decision.is_allowed:
        return {"refused": decision.reason}
    began = time.monotonic()
    try:
        # With the decision's arguments: a hook may have rewritten them, and no others were judged.
        ending = {"result": tools[name](**(decision.arguments or {}))}
    except Exception as error:  # noqa: BLE001 - whatever a tool raises is how its call ended
        ending = {"error": error}
    receipt = gate.after(name, call_id=call_id, duration_ms=(time.monotonic() - began) * 1000, **ending)
    return seen(receipt, ending)


def seen(receipt: Receipt, ending: Mapping[str, Any]) -> Any:
    """The receipt's result and not the tool's: after hooks judged, and may have rewritten, this one."""
    if not receipt.deliver:
        return {"withheld": receipt.reason}
    if receipt.is_rewritten or "result" in ending:
        return receipt.result
    return {"failed": str(ending["error"])}
