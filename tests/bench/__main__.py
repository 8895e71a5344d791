"""`make bench`: how fast a governed call is, as ratios to the bus alone within one run.

`--json` prints machine-readable rows; `--write` puts the table into docs/performance.md; nothing else is written.
"""

import argparse
import asyncio
import json
import os
import tempfile
from pathlib import Path

from load import Sample, drive
from report import circumstances, rows, table, write
from system import running
from workloads import WORKLOADS

from interpose.telemetry.setup import set_up

PAGE = Path(__file__).resolve().parents[2] / "docs/performance.md"
WARM_UP_S = 0.5


async def measure(rounds: int, seconds: float) -> list[Sample]:
    """All workloads, round after round, so that a slow moment of the machine meets each of them."""
    samples = [Sample() for _ in WORKLOADS]
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder)) as system:
            callers = [await each.open(system, Path(folder), each.in_flight) for each in WORKLOADS]
            for each in callers:
                await drive(each, WARM_UP_S)
            for _ in range(rounds):
                for sample, each in zip(samples, callers, strict=True):
                    sample.add(await drive(each, seconds))
    return samples


def main() -> None:
    """Measure, print, and write where that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--write", action="store_true", help=f"update the table in {PAGE.name}")
    parser.add_argument("--rounds", type=int, default=4, help="how often each workload is measured (default 4)")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each time (default 2)")
    chosen = parser.parse_args()
    under = circumstances(os.getloadavg()[0])
    flush_telemetry = set_up("gateway", "bench", "0")
    samples = asyncio.run(measure(chosen.rounds, chosen.seconds))
    flush_telemetry()
    found = rows(list(zip(WORKLOADS, samples, strict=True)))
    told = f"{table(found)}\n\n{under}; {chosen.rounds} rounds of {chosen.seconds:g} s."
    print(json.dumps({"under": under, "rows": found}, indent=2) if chosen.json else told)
    if chosen.write:
        write(PAGE, told)


if __name__ == "__main__":
    main()
