"""Whole JSON values, as tools and interfaces give them back, by an examiner who knew nothing of the sanitizer."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from interpose_sanitizer.settings import Settings
from interpose_sanitizer.value import sanitize

from .corpora import corpus

REACHED = Counter(marked=98, nothing_left=100, hard=14, honest=88)
"""How many of 100 attacks with a mark are wholly neutralised, and how many of them leave nothing; how many of 20
without one; and how many of 90 honest values come out equal."""


def test_values_are_told_apart():
    """In as many cases as were reached before."""
    found = Counter(what for _, line in corpus.lines(corpus.CORPORA / "values") for what in _outcomes(line))

    assert found >= REACHED, found


def _outcomes(line: dict[str, Any]) -> Iterator[str]:
    value = sanitize(line["value"], Settings()).value
    if line["kind"] == "honest":
        yield from ["honest"] * (value == line["value"])
        return
    strings = list(_strings(value))
    left, kept = (
        [any(part in string for string in strings) for part in line.get(field, ())] for field in ("gone", "kept")
    )
    kind = "hard" if line["hard"] else "marked"
    yield from [kind] * (not any(left) and all(kept))
    yield from ["nothing_left"] * (kind == "marked" and not any(left))


def _strings(value: Any) -> Iterator[str]:
    """Every string of a value, names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
