"""The table, for people and for machines. Every figure stands beside its ratio to the floor of the same run."""

import os
import platform
import re
from pathlib import Path
from typing import Any

from load import Sample
from workloads import Workload

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"

Measured = list[tuple[Workload, Sample]]


def rows(measured: Measured) -> list[dict[str, Any]]:
    """One object for each workload. `p50_ratio`: to the floor's p50 at one in flight, for each hop."""
    floors = {workload.in_flight: sample for workload, sample in measured if workload.name == "W0"}
    floor_p50, floor_calls_s = floors[1].percentile(50), max(floor.calls_s for floor in floors.values())
    return [
        {
            "workload": workload.name,
            "what": workload.what,
            "in_flight": workload.in_flight,
            "hops": workload.hops,
            "calls": len(sample.times_ms),
            "p50_ms": round(sample.percentile(50), 3),
            "p95_ms": round(sample.percentile(95), 3),
            "p99_ms": round(sample.percentile(99), 3),
            "calls_s": round(sample.calls_s),
            "p50_ratio": round(sample.percentile(50) / floor_p50, 2),
            "p50_ratio_per_hop": round(sample.percentile(50) / floor_p50 / workload.hops, 2),
            "calls_s_ratio": round(sample.calls_s / floor_calls_s, 3),
        }
        for workload, sample in measured
    ]


def table(found: list[dict[str, Any]]) -> str:
    """The rows as a table of Markdown."""
    head = [
        "",
        "what",
        "in flight",
        "hops",
        "p50 ms",
        "p95 ms",
        "p99 ms",
        "calls/s",
        "p50 / floor",
        "p50 / floor / hop",
    ]
    keys = ["workload", "what", "in_flight", "hops", "p50_ms", "p95_ms", "p99_ms", "calls_s", "p50_ratio"]
    keys += ["p50_ratio_per_hop", "calls_s_ratio"]
    lines = [[*head, "calls/s / floor"], ["---"] * len(keys), *([str(row[key]) for key in keys] for row in found)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def circumstances(others: float) -> str:
    """What the figures depend on beside the code; `others` is the machine's load before we began."""
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return f"{machine}; load of others before: {others:.1f}"


def write(path: Path, text: str) -> None:
    """Put the table between the page's two marks. Raises ValueError when they are not there."""
    page = path.read_text()
    marked = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
    if not marked.search(page):
        raise ValueError(f"{path} has no place for the table: it stands between {BEGIN} and {END}")
    path.write_text(marked.sub(lambda _: f"{BEGIN}\n{text}\n{END}", page))
