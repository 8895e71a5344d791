"""The conftest of the stage: it tests the mutated copy and nothing else, whatever is installed beside it."""

import importlib
from pathlib import Path

import pytest


def pytest_sessionstart(session: pytest.Session) -> None:
    """Refuse to run where another copy would be imported."""
    for name in ("interpose", "interpose_gateway"):
        home = Path(str(importlib.import_module(name).__file__))
        if not home.is_relative_to(session.config.rootpath):
            raise pytest.UsageError(f"{name} is imported from {home}, which is not the mutated copy")
