"""`make bench`: how fast a governed call is, as ratios to the bus alone within one run.

Six groups: whole calls (W0 to W3, a hung hook); in this process canonicalisation, Slack messages and policy rules; asks
of the rate limiter; and the start of an agent's hook.
`--json` prints machine-readable rows; `--write` puts the tables into docs/performance.md; nothing else is written.
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

import canonical
import hung
import limits
import rules
import sanitizer
import sanitizer_bus
import starts
import validator
from load import Sample
from processes import Processes
from report import circumstances, load_of_others, page, write
from report import rows as rows_of
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


def take(chosen: argparse.Namespace) -> dict[str, Any]:
    """Everything that was chosen, group after group: what `--json` prints, but for the targets."""
    workloads = [each for each in WORKLOADS if re.search(chosen.only, each.key)]
    cells = [each for each in canonical.CELLS if re.search(chosen.only, each.key)]
    messages = [each for each in validator.CELLS if re.search(chosen.only, each.key)]
    policies = [key for key in rules.KEYS if re.search(chosen.only, key)]
    hooks = [key for key in starts.KEYS if re.search(chosen.only, key)]
    texts = [each for each in sanitizer.CELLS if re.search(chosen.only, each.key)]
    counted = [key for key in limits.KEYS if re.search(chosen.only, key)]
    told: dict[str, Any] = {"rows": [], "hung": None, "canonical": [], "validator": [], "rules": [], "starts": []}
    told["limits"] = []
    if workloads:
        with_floor = [each for each in WORKLOADS if each.name == "W0" or each in workloads]
        measured, found = asyncio.run(measure(with_floor, chosen.rounds, chosen.seconds, chosen.pairs))
        told |= {"rows": rows_of(measured), "hung": asdict(found) | {"p99_ratio": found.p99_ratio}}
    if cells:
        tell(f"canonicalisation: {chosen.rounds} rounds")
        told["canonical"] = canonical.measure(cells, chosen.rounds)
    if messages:
        tell(f"Slack messages: {chosen.rounds} rounds")
        told["validator"] = validator.measure(messages, chosen.rounds)
    if policies:
        tell(f"policy rules: {chosen.rounds} rounds")
        told["rules"] = rules.measure(policies, chosen.rounds)
    if counted:
        tell(f"the rate limiter: {chosen.turns} turns of {len(counted)} settings")
        told["limits"] = asyncio.run(limits.measure(counted, chosen.turns))
    told |= {"sanitizer": [], "pages": []}
    if texts:
        tell(f"the sanitizer: {len(texts)} texts")
        told["sanitizer"] = sanitizer.measure(texts, chosen.megabytes)
    if re.search(chosen.only, sanitizer_bus.KEY):
        tell("a page over the bus")
        told["pages"] = asyncio.run(sanitizer_bus.measure(chosen.asks))
    if hooks:
        tell(f"the start of a hook: {chosen.starts} pairs")
        told["starts"] = asyncio.run(starts.measure(hooks, chosen.starts))
    return told


def main() -> None:
    """Measure, print, and write where that was asked for."""
    chosen = _arguments()
    under = circumstances(load_of_others())
    told = {"under": under, **take(chosen)}
    targets = judge(told, cores(), is_whole=len(told["rows"]) == len(WORKLOADS))
    told["targets"] = [asdict(each) for each in targets]
    text = page(told, f"{under}; {chosen.rounds} rounds of {chosen.seconds:g} s.", [each.line() for each in targets])
    print(json.dumps(told, indent=2) if chosen.json else text)
    if chosen.write:
        write(PAGE, text)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--write", action="store_true", help=f"update the tables in {PAGE.name}")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (default 5)")
    parser.add_argument("--seconds", type=float, default=1.5, help="how long each workload each time (default 1.5)")
    parser.add_argument("--pairs", type=int, default=hung.PAIRS, help="pairs of rounds with a hung hook (default 7)")
    parser.add_argument("--turns", type=int, default=limits.TURNS, help="turns of the rate limiter (default 20)")
    parser.add_argument("--asks", type=int, default=500, help="pages over the bus (default 500)")
    parser.add_argument("--megabytes", type=float, default=1, help="how long the sanitizer's texts are (default 1)")
    parser.add_argument("--starts", type=int, default=31, help="pairs of starts of an agent's hook (default 31)")
    groups = "canonical, validator, rules, limit, sanitizer, start"
    only = f"these alone: W1 (or another workload, with the floor; judges no target of calls), {groups}"
    parser.add_argument("--only", default="", metavar="REGEX", help=only)
    chosen = parser.parse_args()
    if chosen.write and chosen.only:
        parser.error("--write needs everything: leave --only out")
    return chosen


if __name__ == "__main__":
    main()
