"""A configuration file as a source, whichever way it is written."""

from collections.abc import Callable
from pathlib import Path

from interpose.config import openclaw
from interpose.config.json_source import read_json
from interpose.config.openclaw import read_openclaw
from interpose.config.source import Source
from interpose.config.yaml_source import read_yaml
from interpose.contracts.limits import MIB
from interpose.contracts.strict import decode
from interpose.errors import ConfigurationError, InvalidInput

FILE_BYTES = 1 * MIB

_READERS: dict[str, Callable[[str], Source]] = {".json": read_json, ".yaml": read_yaml, ".yml": read_yaml}


def read(path: Path) -> Source:
    """The source of this file. Raises ConfigurationError where it cannot be read to its end."""
    source = _reader(path)(_text(path))
    if not source.is_whole:
        raise ConfigurationError(f"{path} cannot be read", source.faults)
    return source


def _reader(path: Path) -> Callable[[str], Source]:
    reader = read_openclaw if path.name == openclaw.FILE_NAME else _READERS.get(path.suffix)
    if reader is None:
        raise ConfigurationError(f"{path} is neither JSON nor YAML by its name: end it with .json, .yaml or .yml")
    return reader


def _text(path: Path) -> str:
    try:
        return decode(_bytes(path), str(path))
    except InvalidInput as error:
        raise ConfigurationError(f"{path} cannot be read", error.faults) from error


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(FILE_BYTES + 1)
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be read: {error.strerror or error}; check its name and rights"
        ) from error
    if len(data) > FILE_BYTES:
        raise ConfigurationError(f"{path} is larger than {FILE_BYTES} bytes, the most a configuration may have")
    return data
