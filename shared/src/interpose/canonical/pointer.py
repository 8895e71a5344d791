"""JSON pointers (RFC 6901), for `actionFrom`."""

from typing import Any


def resolve(value: Any, pointer: str) -> Any:
    """What the pointer points at, or None where there is nothing."""
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isascii() and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value
