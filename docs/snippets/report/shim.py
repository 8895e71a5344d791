"""A command shim, `shim.py before|after` with an event on standard input. Exit code 2 blocks, 0 lets go on."""

import json
import sys
from typing import Any

from interpose.report import Gate


def before(gate: Gate, event: dict[str, Any]) -> None:
    """Print the arguments to run with, or block."""
    decision = gate.before(event["tool"], event["arguments"], call_id=event.get("id"), session=event.get("session"))
    if not decision.is_allowed:
        raise SystemExit(decision.reason)
    json.dump(decision.arguments, sys.stdout)


def after(gate: Gate, event: dict[str, Any]) -> None:
    """Print what may be delivered, or block; then send what an earlier process left, for half a second."""
    names = {"call_id": event.get("id"), "session": event.get("session")}
    receipt = gate.after(event["tool"], result=event.get("result"), error=event.get("error"), **names)
    gate.drain(500)
    if not receipt.deliver:
        raise SystemExit(receipt.reason)
    json.dump(receipt.result, sys.stdout)


if __name__ == "__main__":
    try:
        phase = {"before": before, "after": after}[sys.argv[1]]
        phase(Gate.from_environment("my-shim", delivery="drain"), json.load(sys.stdin))
    except BaseException as refusal:  # noqa: BLE001 - a platform may take any other exit code for a yes
        print(refusal, file=sys.stderr)
        sys.exit(2)
