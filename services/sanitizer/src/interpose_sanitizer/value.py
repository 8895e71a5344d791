"""Sanitising a JSON value: every string in it, names of fields too. Types, order and structure stay."""

from dataclasses import dataclass, field
from typing import Any

from interpose.contracts.limits import DEPTH
from interpose.contracts.paths import Path
from interpose_sanitizer import text
from interpose_sanitizer.findings import Placed, Unprocessable
from interpose_sanitizer.settings import Settings


@dataclass(frozen=True, slots=True)
class Sanitized:
    """The value, and everything that was found in it, in its own order. Unchanged, it is the very value that came."""

    value: Any
    findings: tuple[Placed, ...]
    changed: bool


def sanitize(value: Any, settings: Settings) -> Sanitized:
    """The value as `settings` want it. Raises Unprocessable with the place for what is no JSON, or deeper than any."""
    walk = _Walk(settings)
    made = walk.take(value, ())
    return Sanitized(made if walk.changed else value, tuple(walk.findings), walk.changed)


@dataclass(slots=True)
class _Walk:
    settings: Settings
    findings: list[Placed] = field(default_factory=list)
    changed: bool = False

    def take(self, value: Any, path: Path) -> Any:
        """The value at `path`, sanitised."""
        if len(path) > DEPTH:
            raise Unprocessable(path, f"is nested deeper than {DEPTH}")
        if isinstance(value, str):
            return self._string(value, path)
        if isinstance(value, dict):
            return self._object(value, path)
        if isinstance(value, list):
            return [self.take(item, (*path, index)) for index, item in enumerate(value)]
        if value is None or isinstance(value, bool | int | float):
            return value
        raise Unprocessable(path, f"is of type {type(value).__name__}, which JSON does not have")

    def _string(self, value: str, path: Path, *, in_key: bool = False) -> str:
        try:
            sanitized = text.sanitize(value, self.settings)
        except UnicodeEncodeError as error:
            raise Unprocessable(path, f"holds half a character at {error.start}: send whole Unicode text") from error
        self.findings.extend(Placed(path, finding, in_key) for finding in sanitized.findings)
        self.changed = self.changed or sanitized.text != value
        return sanitized.text

    def _object(self, value: dict[Any, Any], path: Path) -> dict[str, Any]:
        names = _Names(value)
        made: dict[str, Any] = {}
        for name, item in value.items():
            if not isinstance(name, str):
                raise Unprocessable(path, f"has a name of type {type(name).__name__}, which JSON does not have")
            below = (*path, name)
            key = names.free(name, self._string(name, below, in_key=True))
            made[key] = self.take(item, below)
        return made


class _Names:
    """The names of one object's fields. Two that come out the same are told apart by a number: no field is lost."""

    def __init__(self, original: dict[Any, Any]) -> None:
        self._taken = set(original)
        self._count: dict[str, int] = {}

    def free(self, name: str, wanted: str) -> str:
        """What to call the field `name` instead; `wanted` itself where nobody else has it."""
        if wanted == name:
            return name
        given = wanted
        while given in self._taken:
            self._count[wanted] = self._count.get(wanted, 1) + 1
            given = f"{wanted} ({self._count[wanted]})"
        self._taken.add(given)
        return given
