"""Findings for the record and for people: bounded, with places, never with the text that was found."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from interpose.contracts.model import JsonObject
from interpose.contracts.paths import json_path
from interpose_sanitizer.findings import Finding, Mode, Placed

MOST_FINDINGS = 100
MOST_PATH_CHARACTERS = 256


def annotations(findings: Sequence[Placed], mode: Mode, root: str) -> JsonObject:
    """What a verdict carries: how many of each family, and the first hundred with path, span and what was done.

    Spans count characters (Unicode code points) in the string at that path as it came.
    """
    families = Counter(placed.finding.family.value for placed in findings)
    told = [entry(placed, root) for placed in findings[:MOST_FINDINGS]]
    return {"mode": mode.value, "total": len(findings), "families": dict(sorted(families.items())), "findings": told}


def entry(placed: Placed, root: str = "$") -> dict[str, Any]:
    """One finding and its path. `in_key` is there where the name of the field was meant, not its value."""
    told = {"path": shortened(json_path(placed.path, root)), **found(placed.finding)}
    return told | ({"in_key": True} if placed.in_key else {})


def found(one: Finding) -> dict[str, Any]:
    """One finding without its path."""
    return {"family": one.family.value, "rule": one.rule, "span": list(one.span), "done": one.action.value}


def sentence(findings: Sequence[Placed], root: str) -> str:
    """The findings in one line: each family with its number, and where the first one stands."""
    families = Counter(placed.finding.family.value for placed in findings)
    counted = ", ".join(f"{number} {family}" for family, number in sorted(families.items()))
    return f"the sanitizer found {counted}; the first at {shortened(json_path(findings[0].path, root))}"


def shortened(path: str) -> str:
    """A path that cannot fill a record."""
    return path if len(path) <= MOST_PATH_CHARACTERS else path[: MOST_PATH_CHARACTERS - 1] + "…"
