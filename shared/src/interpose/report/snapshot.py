"""Any Python object as JSON, taken once: what is judged, kept and sent is this copy, never the object again.

No code of the object's class runs (`fields`), so taking one ends in bounded time and cannot fail in somebody else's
words. What JSON cannot say is replaced by text that says what stood there, and `changed` names the places.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any, NamedTuple

from interpose.contracts.limits import DEPTH, NODES
from interpose.contracts.paths import json_path
from interpose.report.fields import fields_of, name_of
from interpose.report.scalars import enum_value, integer, is_enum, octets, plain_text, real, size_of, standard_text

DEEPEST = DEPTH - 4
"""Room for what stands around a value: the report, its list of evidence, the entry, and one to spare."""
MOST_CHANGED = 8
"""How many changed places are named."""
CYCLE, TOO_DEEP = "<cycle>", "<too deep>"
_SETS = (set, frozenset)
_SEQUENCES: tuple[Any, ...] = (list, tuple, *_SETS, deque)


class Snapshot(NamedTuple):
    """`value` is plain JSON with `values` values in it. `changed` is empty when it is exactly what was given."""

    value: Any
    values: int
    changed: tuple[str, ...] = ()


class TooLarge(Exception):
    """More characters or values than the taker may have."""


def take(value: object, most_characters: int, most_values: int = NODES) -> Snapshot | None:
    """The snapshot; None when it would be larger than that, or this thread has no stack or memory left for it."""
    taker = _Taker(most_characters, most_values)
    try:
        taken = taker.take(value)
    except (TooLarge, RecursionError, MemoryError):
        return None
    return Snapshot(taken, taker.values, tuple(taker.changed))


class _Taker:
    """One walk. `_open` holds the containers around the value at hand, `_path` the way to it."""

    def __init__(self, most_characters: int, most_values: int) -> None:
        self._characters_left = most_characters
        self._most_values = most_values
        self._open: list[int] = []
        self._path: list[str | int] = []
        self.values = 0
        self.changed: list[str] = []

    def take(self, value: Any) -> Any:
        """The value as JSON. Raises TooLarge."""
        self.values += 1
        if self.values > self._most_values:
            raise TooLarge
        if value is None or value is True or value is False:
            return value
        depth, place = len(self._open), len(self._path)
        try:
            return self._take(type(value), value)
        except (TooLarge, RecursionError, MemoryError):
            raise
        except Exception:  # noqa: BLE001 - another thread may change what is read here; then the copy says so
            del self._open[depth:], self._path[place:]
            return self._said_instead(f"<unreadable {name_of(type(value))}>")

    def _take(self, kind: type, value: Any) -> Any:
        if is_enum(kind):
            return self._altered(self._within(value, self._meaning, value))
        if issubclass(kind, str):
            return self._scalar(kind, value, self._text(value))
        if issubclass(kind, (int, float)):
            return self._scalar(kind, value, integer(value) if issubclass(kind, int) else real(value))
        if issubclass(kind, dict):
            taken = self._within(value, self._members, value)
            return taken if kind is dict else self._altered(taken)
        for own in _SEQUENCES:
            if issubclass(kind, own):
                taken = self._within(value, self._items, own.__iter__(value))
                return taken if kind in (list, tuple) else self._altered(_ordered(taken, own))
        return self._foreign(kind, value)

    def _scalar(self, kind: type, value: Any, taken: Any) -> Any:
        if type(taken) is not str:
            self._spend(1)
        is_same = kind in (str, int, float) and type(taken) is kind and taken == value
        return taken if is_same else self._altered(taken)

    def _foreign(self, kind: type, value: object) -> Any:
        """What is no JSON: bytes, well-known values, then whatever fields an object has."""
        size = size_of(value)
        if size is not None:
            self._spend(size)
            said = octets(value)
            self.values += len(said) if isinstance(said, dict) else 0
            return self._altered(said)
        text = standard_text(value)
        if text is not None:
            return self._said_instead(text)
        fields = fields_of(value)
        if not fields:
            return self._said_instead(f"<{name_of(kind)}>")
        return self._altered(self._within(value, self._members, fields))

    def _within(self, container: object, taking: Any, held: Any) -> Any:
        """Take what a container holds, unless that would never end."""
        if id(container) in self._open:
            return self._said_instead(CYCLE)
        if len(self._open) >= DEEPEST:
            return self._said_instead(TOO_DEEP)
        self._open.append(id(container))
        taken = taking(held)
        self._open.pop()
        return taken

    def _meaning(self, member: object) -> Any:
        self.values -= 1  # a member and what it stands for are one value
        return self.take(enum_value(member))

    def _members(self, held: dict[object, object]) -> dict[str, Any]:
        if dict.__len__(held) > self._most_values:
            raise TooLarge
        taken: dict[str, Any] = {}
        for key, value in list(dict.items(held)):
            name = _free(self._name(key), taken)
            self._path.append(name)
            taken[name] = self.take(value)
            self._path.pop()
        return taken

    def _items(self, held: Iterable[object]) -> list[Any]:
        taken = []
        for index, value in enumerate(held):
            self._path.append(index)
            taken.append(self.take(value))
            self._path.pop()
        return taken

    def _name(self, key: Any) -> str:
        """A member's name, as `json` would write it."""
        kind = type(key)
        if issubclass(kind, str):
            name = self._text(key)
            return name if kind is str and name == key else self._altered(name)
        if key is None or kind is bool:
            said = {None: "null", True: "true", False: "false"}[key]
        elif issubclass(kind, (int, float)):
            said = str(integer(key) if issubclass(kind, int) else real(key))
        else:
            said = f"<{name_of(kind)}>"
        self._spend(len(said))
        self._altered(said)
        return said

    def _text(self, value: str) -> str:
        # Paid for before it is copied: one text may be larger than all that may be sent.
        self._spend(str.__len__(value))
        return plain_text(value)

    def _said_instead(self, said: str) -> Any:
        self._spend(len(said))
        return self._altered(said)

    def _altered(self, taken: Any) -> Any:
        place = json_path(self._path)
        if len(self.changed) < MOST_CHANGED and place not in self.changed:
            self.changed.append(place)
        return taken

    def _spend(self, characters: int) -> None:
        self._characters_left -= characters
        if self._characters_left < 0:
            raise TooLarge


def _free(name: str, taken: dict[str, Any]) -> str:
    """A name that is not taken: two keys of a dictionary may have the same text."""
    number, free = len(taken), name
    while free in taken:
        number, free = number + 1, f"{name} ({number})"
    return free


def _ordered(taken: Any, own: type) -> Any:
    """A set has no order of its own; this one is the same in every process."""
    return sorted(taken, key=repr) if own in _SETS and type(taken) is list else taken
