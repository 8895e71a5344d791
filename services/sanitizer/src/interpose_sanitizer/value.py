"""Sanitising a JSON value: every string in it, names of fields too. Types, order and structure stay."""

from dataclasses import dataclass, field, replace
from typing import Any

from interpose.contracts.limits import DEPTH
from interpose.contracts.paths import Path
from interpose_sanitizer import across, text
from interpose_sanitizer.blocks import is_binary
from interpose_sanitizer.disclosures import fields
from interpose_sanitizer.disclosures.wanted import Treatment
from interpose_sanitizer.findings import DISCLOSURES, Family, Mode, Placed, Unprocessable
from interpose_sanitizer.looking import Eyes
from interpose_sanitizer.settings import Settings
from interpose_sanitizer.strings import NoJson, found_in


@dataclass(frozen=True, slots=True)
class Sanitized:
    """The value, and everything that was found in it, in its own order. Unchanged, it is the very value that came."""

    value: Any
    findings: tuple[Placed, ...]
    changed: bool


def sanitize(value: Any, settings: Settings) -> Sanitized:
    """The value as `settings` want it. Raises Unprocessable with the place for what is no JSON, or deeper than any."""
    try:
        eyes = Eyes.of(settings)
        found = found_in(value, eyes)
    except NoJson:
        _Walk({}, settings, is_searched=False).take(value, ())
        raise
    pieces = across.pieces(value, eyes, found)
    if not (found or pieces) and settings.secrets is None:
        return Sanitized(value, (), changed=False)
    walk = _Walk(found, settings, pieces)
    made = walk.take(value, ())
    return Sanitized(made if walk.changed else value, tuple(walk.findings), walk.changed)


@dataclass(slots=True)
class _Walk:
    """Puts what was `found` in its places; a string that is not there was clean, but for what its field's name says.

    No path tells a secret: a name that holds one stands masked in it.
    """

    found: dict[str, text.Sanitized]
    settings: Settings
    pieces: across.Pieces = field(default_factory=dict)
    is_searched: bool = True
    findings: list[Placed] = field(default_factory=list)
    changed: bool = False
    count: int = 0

    def take(self, value: Any, path: Path, called: str = "") -> Any:
        """The value at `path`, sanitised. `called` is what its field is called, or the field of the list it is in."""
        if len(path) > DEPTH:
            raise Unprocessable(path, f"is nested deeper than {DEPTH}")
        if isinstance(value, str):
            return self._field(value, path, called)
        if isinstance(value, dict):
            return self._object(value, path, called)
        if isinstance(value, list):
            return [self.take(item, (*path, index), called) for index, item in enumerate(value)]
        if value is None or isinstance(value, bool | int | float):
            return value
        raise Unprocessable(path, f"is of type {type(value).__name__}, which JSON does not have")

    def _field(self, value: str, path: Path, called: str) -> str:
        number, self.count = self.count, self.count + 1
        if number in self.pieces:
            return self._piece(value, path, *self.pieces[number])
        sanitized = self._string(value, path)
        treatment = self.settings.secrets
        if treatment is None or not fields.is_disclosed(called, sanitized):
            return sanitized
        disclosed = text.disclosed((0, len(value)), fields.FIELD, treatment, self.settings.mode)
        self.findings.append(Placed(path, disclosed.finding))
        self.changed = self.changed or disclosed.is_put
        return disclosed.put if disclosed.is_put else sanitized

    def _piece(self, value: str, path: Path, family: Family, rule: str) -> str:
        """What is put in place of a string that is a piece of an attack."""
        put, finding = text.whole(value, family, rule, self.settings.mode)
        self.findings.append(Placed(path, finding))
        self.changed = self.changed or put != value
        return put

    def _string(self, value: str, path: Path, *, in_key: bool = False) -> str:
        sanitized = self.found.get(value)
        if sanitized is None:
            _check(value, path)
            return value
        self.findings.extend(Placed(path, finding, in_key) for finding in sanitized.findings)
        self.changed = self.changed or sanitized.text != value
        return sanitized.text

    def _object(self, value: dict[Any, Any], path: Path, called: str) -> dict[str, Any]:
        names = _Names(value)
        made: dict[str, Any] = {}
        for name, item in value.items():
            if not isinstance(name, str):
                raise Unprocessable(path, f"has a name of type {type(name).__name__}, which JSON does not have")
            below = (*path, self._told(name))
            key = names.free(name, self._string(name, below, in_key=True))
            inside = fields.called(value, name, called)
            made[key] = item if is_binary(value, name) else self.take(item, below, inside)
        return made

    def _told(self, name: str) -> str:
        """How a path may call a field. A name that is no Unicode is not looked through: what it lacks is put in."""
        if self.settings.discloses_nothing or (self.is_searched and name not in self.found):
            return name
        hushed = replace(self.settings, mode=Mode.NEUTRALISE, secrets=Treatment.MASK)
        hushed = replace(hushed, personal=dict.fromkeys(self.settings.personal, Treatment.MASK))
        clean = text.sanitize(name.encode("utf-8", "replace").decode(), hushed)
        return clean.text if any(one.family in DISCLOSURES for one in clean.findings) else name


def _check(value: str, path: Path) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise Unprocessable(path, f"holds half a character at {error.start}: send whole Unicode text") from error


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
