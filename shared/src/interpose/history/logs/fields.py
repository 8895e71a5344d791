"""Fields of records whose layout nobody promised: of the expected type, or as if they were not there."""

from collections.abc import Mapping
from typing import Any

from interpose.contracts.model import JsonObject
from interpose.history.entries import Damage
from interpose.history.json_line import read
from interpose.platforms.schema import kept_raw


def text(record: Any, *names: str) -> str | None:
    """The first of these fields that is a text with something in it."""
    if not isinstance(record, Mapping):
        return None
    return next((value for name in names if isinstance(value := record.get(name), str) and value), None)


def objects(value: Any) -> list[JsonObject]:
    """The objects of a list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def mapping(value: Any) -> JsonObject:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def arguments(value: Any) -> tuple[JsonObject, Any]:
    """Arguments as an object, and as they came where they were none; text is read as the JSON of one."""
    if isinstance(value, dict):
        return value, None
    if value is None or value == "":
        return {}, None
    if isinstance(value, str):
        try:
            found = read(value)
        except ValueError:
            found = None
        if isinstance(found, dict):
            return found, None
    return kept_raw(value), value


def nameless(what: str) -> Damage:
    """A call without the name of its tool."""
    return Damage(f"{what} names no tool")


def unanswerable(what: str) -> Damage:
    """A result that does not say of which call."""
    return Damage(f"{what} says of no call that it is its result")
