"""`make bench`: how fast a governed call is, as ratios to the bus alone within one run.

`--json` prints machine-readable rows; `--write` puts the table into docs/performance.md; nothing else is written.
"""

import argparse
import asyncio
import json
import re
import sys
import tempfile
from contextlib import AsyncExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import hung
from load import Sample
from processes import Processes
from report import circumstances, load_of_others, rows, table, write
from system import KINDS, running
from targets import judge
from workloads import WORKLOADS, Driver, Workload, cores, start_drivers

from interpose.embedded.ports import free_port

PAGE = Path(__file__).resolve().parents[2] / "docs/performance.md"
WARM_UP_S = 0.3


async def measure(
    chosen: list[Workload], rounds: int, seconds: float, pairs: int
) -> tuple[list[tuple[Workload, Sample]], hung.Hung]:
    """All workloads, round after round, so that a slow moment of the machine meets each of them; then the hung hook."""
    processes, port = Processes(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        try:
            tell("starting three brokers, their workers and every driver")
            await processes.python("collector", "collector.py", str(port), environment={})
            places = Path(folder), processes, f"http://127.0.0.1:{port}"
            async with AsyncExitStack() as stack:
                systems = {kind.name: await stack.enter_async_context(running(kind, *places)) for kind in KINDS}
                drivers = await start_drivers(systems)
                measured = await _rounds(drivers, chosen, rounds, seconds)
                tell(f"a hung hook: {pairs} pairs")
                return measured, await hung.measure(drivers["W2 off"], drivers["W2 hung"], seconds, pairs)
        finally:
            await processes.kill()


async def _rounds(
    drivers: dict[str, Driver], chosen: list[Workload], rounds: int, seconds: float
) -> list[tuple[Workload, Sample]]:
    measured = [(each, Sample()) for each in chosen]
    for each in chosen:
        await drivers[each.driver].drive(each.in_flight, WARM_UP_S)
    for number in range(1, rounds + 1):
        for each, sample in measured:
            found = await drivers[each.driver].drive(each.in_flight, seconds)
            sample.add(found)
            figures = f"p50 {found.percentile(50):.2f} ms, {found.calls_s:.0f} calls/s"
            tell(f"round {number} of {rounds}: {each.key}: {figures}")
    return measured


def tell(what: str) -> None:
    """Progress, past the output."""
    print(what, file=sys.stderr, flush=True)


def main() -> None:
    """Measure, print, and write where that was asked for."""
    chosen = _arguments()
    under = circumstances(load_of_others())
    workloads = [each for each in WORKLOADS if each.name == "W0" or re.search(chosen.only, each.key)]
    measured, found_hung = asyncio.run(measure(workloads, chosen.rounds, chosen.seconds, chosen.pairs))
    found = rows(measured)
    is_whole = len(workloads) == len(WORKLOADS)
    targets = judge({row["key"]: row for row in found}, found_hung, cores()) if is_whole else []
    told: dict[str, Any] = {"under": under, "rows": found, "hung": asdict(found_hung)}
    told["targets"] = [asdict(each) for each in targets]
    lines = "\n".join(each.line() for each in targets)
    page = f"{table(found)}\n\n{under}; {chosen.rounds} rounds of {chosen.seconds:g} s.\n\n{lines}"
    print(json.dumps(told, indent=2) if chosen.json else page)
    if chosen.write:
        write(PAGE, page)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--write", action="store_true", help=f"update the table in {PAGE.name}")
    parser.add_argument("--rounds", type=int, default=5, help="how often each workload is measured (default 5)")
    parser.add_argument("--seconds", type=float, default=1.5, help="how long each time (default 1.5)")
    parser.add_argument("--pairs", type=int, default=hung.PAIRS, help="pairs of rounds with a hung hook (default 7)")
    parser.add_argument("--only", default="", metavar="REGEX", help="these workloads and the floor; judges no target")
    chosen = parser.parse_args()
    if chosen.write and chosen.only:
        parser.error("--write needs every workload: leave --only out")
    return chosen


if __name__ == "__main__":
    main()
