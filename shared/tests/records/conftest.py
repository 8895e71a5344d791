"""A store in a folder, and records to put into it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from interpose.records.store import Store
from interpose.records.stored import Stored

NS_PER_S = 1_000_000_000


class Make(Protocol):
    """Makes a message of the stream; `body` is its JSON, or its bytes."""

    def __call__(self, sequence: int, body: Any = ..., subject: str = ..., **more: Any) -> Stored: ...


@pytest.fixture
def make() -> Make:
    """Stored one second after the one before, under an id of its own."""

    def made(sequence: int, body: Any = None, subject: str = "tool.record.before.message", **more: Any) -> Stored:
        data = body if isinstance(body, bytes) else json.dumps(body or {"number": sequence}).encode()
        known = {"message_id": f"id-{sequence}", "stored_ns": sequence * NS_PER_S} | more
        return Stored(sequence=sequence, subject=subject, data=data, **known)

    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    opened = Store.open(path)
    yield opened
    opened.close()
