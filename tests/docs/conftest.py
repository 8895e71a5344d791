"""The pages and their snippets."""

from collections.abc import Callable
from pathlib import Path

import pytest

from interpose.config.load import load
from interpose.contracts.config import HookSpec

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's own folder."""
    return ROOT


@pytest.fixture(scope="session")
def snippets() -> Path:
    """Where the code of the pages stands."""
    return ROOT / "docs" / "snippets"


@pytest.fixture(scope="session")
def configured(snippets: Path) -> Callable[[str], HookSpec]:
    """The one hook of a snippet's configuration, as the gateway knows it."""

    def find(folder: str) -> HookSpec:
        hooks = load(snippets / folder / "interpose.json").configuration.hooks
        ((hook,),) = hooks.values()
        return hook

    return find
