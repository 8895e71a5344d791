"""Configurations for planning, as the file says them."""

from collections.abc import Callable
from typing import Any

import pytest

from interpose.contracts.config import Configuration


@pytest.fixture(scope="session")
def hook() -> Callable[..., dict[str, Any]]:
    """`hook(name, **fields)`: a hook as the file says it; its service has its name."""
    return lambda name, **fields: {"name": name, "service": name} | fields


@pytest.fixture(scope="session")
def configuration() -> Callable[..., Configuration]:
    """`configuration(hooks, **rest)`: hooks by key; `tools` and `defaults` as in the file."""
    return lambda hooks, **rest: Configuration.model_validate({"hooks": hooks, **rest})
