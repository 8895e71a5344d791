"""The demo: six decisions on one machine, each compared with what must come of it. `make demo`, or this folder.

Exit code: 0 when every decision was as expected, else 1.
"""

import argparse
import sys
from pathlib import Path

from machine import HERE, PATIENCE_S, Machine, running
from spans import whole_trace
from story import Step, differences, steps
from waterfall import waterfall

from interpose.cli.answer import show

INLINE = "inline"
"""The worker of what the gateway did by itself."""


def main() -> int:
    """Tell the story."""
    parser = argparse.ArgumentParser(prog="examples/demo", description=__doc__)
    parser.add_argument("--rules", type=Path, default=HERE / "rules.json", help="other rules than the demo's own")
    rules = parser.parse_args().rules
    print(
        "Starting a broker, every installed service and the gateway, in a folder that is gone afterwards:", flush=True
    )
    with running(rules) as machine:
        told = [_tell(machine, number, step) for number, step in enumerate(steps(machine), 1)]
    wrong = told.count(False)
    print(f"\n{len(told) - wrong} of {len(told)} decisions were as expected.")
    return 1 if wrong else 0


def _tell(machine: Machine, number: int, step: Step) -> bool:
    """One decision with its hooks, timings and trace; True when it was as expected."""
    print(f"\n{number}. {step.title}", flush=True)
    if step.first is not None:
        print(f"  $ {step.first(machine)}", flush=True)
    status, answer = machine.call(step.call)
    show(step.call["tool"], status, answer, machine.home)
    answered = sum(hook.get("verdict") is not None and hook["worker"] != INLINE for hook in answer["hooks"])
    for line in waterfall(whole_trace(machine.collector, str(answer["trace_id"]), answered, PATIENCE_S)):
        print(f"  {line}")
    found = differences(step.expected, answer)
    for difference in found:
        print(f"  NOT AS EXPECTED: {difference}", file=sys.stderr)
    return not found


if __name__ == "__main__":
    sys.exit(main())
