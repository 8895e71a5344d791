"""Documents for tests: made of a few words, as a file, a worker or an operator would have brought them in."""

from collections.abc import Callable
from typing import Any

import pytest

from interpose.contracts.config import Configuration
from interpose.contracts.registry import Document
from interpose.registry.changes import now, with_file

SOURCE = "/rules/interpose.json"

Make = Callable[..., Document]


def spec(name: str, **more: Any) -> dict[str, Any]:
    """A hook as a file writes it."""
    return {"name": name, "service": name} | more


@pytest.fixture
def document() -> Make:
    """The document of a file with these hooks and this frame, over another one where it is given."""

    def make(hooks: dict[str, list[dict[str, Any]]], before: Document | None = None, **frame: Any) -> Document:
        configuration = Configuration.model_validate({"hooks": hooks} | frame, by_name=False)
        return with_file(before, configuration, SOURCE, now("tester", "test")).document

    return make
