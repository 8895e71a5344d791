"""The JSON of a log's line, read as generously as the programs that wrote it read it.

A log is evidence of what has happened already: a number that only a double holds, or half of a character where an
output was cut, is no reason to lose the line. What was read is shown, the bytes are kept.
"""

import json
from typing import Any

import orjson

from interpose.contracts.model import JsonObject
from interpose.history.entries import Damage


def read_object(data: bytes) -> JsonObject | Damage:
    """The object of a line, or why there is none."""
    try:
        value = read(data)
    except ValueError as error:
        return Damage(f"is no JSON: {error}")
    return value if isinstance(value, dict) else Damage("is JSON, but no object")


def read(data: bytes | str) -> Any:
    """The value. Raises ValueError. Half characters become U+FFFD."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        halves = b"\\ud" if isinstance(data, bytes) else "\\ud"
        if halves not in data.lower():  # type: ignore[operator]  # both are of one type
            raise
        return _mended(data)


def _mended(data: bytes | str) -> Any:
    text = data.decode() if isinstance(data, bytes) else data
    try:
        written = json.dumps(json.loads(text), ensure_ascii=False)
        return orjson.loads(written.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
