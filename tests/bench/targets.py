"""What is to be reached, judged on the rows of one run. A target that was missed is told with its reason."""

from dataclasses import dataclass
from typing import Any

from hung import Hung

Rows = dict[str, dict[str, Any]]
"""A run's rows by their keys."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One target: what it asks, what was measured, and why it was missed, where it was."""

    target: str
    measured: str
    is_reached: bool
    reason: str = ""

    def line(self) -> str:
        """One line of Markdown."""
        return (
            f"- {'reached' if self.is_reached else '**missed**'}: {self.target}; measured {self.measured}{self.reason}"
        )


def judge(rows: Rows, hung: Hung, cores: int) -> list[Judged]:
    """Every target."""
    one, many = "W1 off, 1 in flight", "W2 off, 32 in flight"
    found = [
        _at_most(rows, one, "p50_ratio_per_hop", 1.5, "W1 without records: p50 of a hop at most 1.5 x the floor's"),
        _calls(rows, cores, "W1 acknowledged, 16 in flight", 1500),
        _calls(rows, cores, "W1 synced, 16 in flight", 700),
        _at_most(rows, "W2 off, 1 in flight", "p50_ms", 2.5, "W2 without records: p50 at most 2.5 ms"),
        _calls(rows, cores, many, 1200),
        _calls(rows, cores, "W2 synced, 32 in flight", 700),
    ]
    eight, single = rows["W2 eight hooks, 1 in flight"], rows["W2 one hook, 1 in flight"]
    raw = _times(rows["W0 eight, 1 in flight"], rows["W0 one, 1 in flight"])
    also = f"; bare requests to eight processes at once come to {raw:.2f} x one on these {cores} cores"
    found.append(
        _ratio("eight parallel hooks at most 1.6 x one, p50", _times(eight, single), 1.6, _spent(eight) + also)
    )
    for language, slower, fewer in (("python", 10, 20), ("sh", 1.5, 4)):
        found += _against_processes(rows, language, slower, fewer)
    return [*found, *_beside(hung)]


def _beside(hung: Hung) -> list[Judged]:
    late, p99 = hung.late_ms, hung.p99_ratio
    beside = f"{p99:.2f} x (median of {len(hung.p99_ratios)} pairs)"
    busy = ", because the processor was busy when the timer was due: look at the machine's load"
    return [
        _judged("a hung hook's call ends within its timeout + 50 ms", f"+ {late:.0f} ms at most", late <= 50, busy),
        _judged("calls beside hung ones keep their p99 within 20 %", beside, p99 <= 1.2, busy),
    ]


def _judged(target: str, measured: str, is_reached: bool, reason: str) -> Judged:
    return Judged(target, measured, is_reached, "" if is_reached else reason)


def _at_most(rows: Rows, key: str, figure: str, limit: float, target: str) -> Judged:
    row = rows[key]
    return _judged(target, f"{row[figure]}", row[figure] <= limit, _spent(row))


def _calls(rows: Rows, cores: int, key: str, limit: int) -> Judged:
    row = rows[key]
    target = f"{key}: at least {limit:,} calls/s"
    return _judged(target, f"{row['calls_s']:,}", row["calls_s"] >= limit, _spent(row, cores))


def _times(row: dict[str, Any], other: dict[str, Any]) -> float:
    ratio: float = row["p50_ms"] / other["p50_ms"]
    return ratio


def _ratio(target: str, ratio: float, limit: float, reason: str) -> Judged:
    return _judged(target, f"{ratio:.2f} x", ratio <= limit, reason)


def _against_processes(rows: Rows, language: str, slower: float, fewer: float) -> list[Judged]:
    """Against W2 with records, which the original design does not keep: p50 alone, calls/s at 32 in flight."""
    one, many = rows["W2 synced, 1 in flight"], rows["W2 synced, 32 in flight"]
    p50 = rows[f"W3 {language}, 1 in flight"]["p50_ms"] / one["p50_ms"]
    calls = many["calls_s"] / rows[f"W3 {language}, 8 in flight"]["calls_s"]
    name = f"W2 with records against a process for each hook ({language})"
    return [
        _beaten(f"{name}: p50 beaten {slower:g} x", p50, slower, one),
        _beaten(f"{name}: calls/s beaten {fewer:g} x", calls, fewer, many),
    ]


def _beaten(target: str, by: float, limit: float, row: dict[str, Any]) -> Judged:
    return _judged(target, f"{by:.1f} x", by >= limit, _spent(row))


def _spent(row: dict[str, Any], cores: int | None = None) -> str:
    """The reason: where the processor's time goes, and what that allows at most."""
    used = row["cpu_ms"]
    if not used:
        return ", and this system does not tell why"
    parts = ", ".join(f"{part} {ms} ms" for part, ms in used.items() if part != "all")
    spent = f", because a call of {row['p50_ms']} ms takes {used['all']} ms of processor ({parts})"
    if cores is None:
        return spent
    had = used["all"] * row["calls_s"] / 1000
    most = cores * 1000 / used["all"]
    return f"{spent}: {cores} cores give at most {most:,.0f} calls/s, and we had {had:.1f} of them"
