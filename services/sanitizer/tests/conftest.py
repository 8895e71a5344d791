"""The corpora: attacks and honest texts, one JSON object a line, all of our own writing.

An attack has an `id`, its `family` and `language`, the `text`, what must be `gone` of it, and what must be `kept`. An
honest text has an `id`, its `kind` and `language`, and the `text`. Characters without width are written as escapes.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

CORPORA = Path(__file__).parent / "corpora"


@cache
def load(name: str) -> list[dict[str, Any]]:
    """One corpus."""
    return [json.loads(line) for line in (CORPORA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test that asks for an attack or an honest text one at a time."""
    for name, corpus in (("attack", "attacks"), ("honest", "honest")):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, load(corpus), ids=lambda case: case["id"])


@pytest.fixture
def attacks() -> list[dict[str, Any]]:
    """All attacks."""
    return load("attacks")


@pytest.fixture
def honest_texts() -> list[dict[str, Any]]:
    """All honest texts."""
    return load("honest")
