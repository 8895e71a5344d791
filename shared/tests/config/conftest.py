"""Configuration files of the tests: written into a folder of their own, loaded or refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from interpose.config.load import Loaded, load
from interpose.errors import ConfigurationError


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a configuration file: its text, and its name where it matters."""

    def write_file(text: str | bytes, name: str = "interpose.json") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write_file


@pytest.fixture
def loaded(write: Callable[..., Path]) -> Callable[..., Loaded]:
    """Write and load."""
    return lambda text, name="interpose.json": load(write(text, name))


@pytest.fixture
def refused(write: Callable[..., Path]) -> Callable[..., list[tuple[int | None, str, str]]]:
    """Write and expect a refusal: line, path and message of each fault, in the file's order."""

    def refuse(text: str | bytes, name: str = "interpose.json") -> list[tuple[int | None, str, str]]:
        with pytest.raises(ConfigurationError) as caught:
            load(write(text, name))
        return [(fault.line, fault.path, fault.message) for fault in caught.value.faults]

    return refuse
