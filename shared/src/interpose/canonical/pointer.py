"""JSON pointers (RFC 6901), for `actionFrom`."""

from typing import Any


def steps(pointer: str) -> list[str]:
    """The names and indexes that a pointer leads through."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def resolve(value: Any, pointer: str) -> Any:
    """What the pointer points at, or None where there is nothing."""
    for step in steps(pointer):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isascii() and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value
