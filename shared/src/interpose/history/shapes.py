"""Which tools and arguments occur in logs, and what of them the models of the platform's tools do not cover.

The way to see that a platform changed: a tool that no model knows, an argument more, one that is missing, a value of
another type. A call that does not fit is still a call, and is judged by its normal form.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ValidationError

from interpose.contracts.model import JsonObject
from interpose.history.entries import Call
from interpose.history.form import formed
from interpose.platforms.tools.arguments import Undocumented
from interpose.platforms.tools.registry import model_of

MCP = "Mcp"
MOST_NAMES = 2_000
"""Tools, and arguments of a tool, that are told apart; logs are written by others, and may hold any number."""
REST = "(others)"


class Cover(StrEnum):
    """How much of a tool its platform's documents tell us."""

    MODEL = "model"
    NAME = "name"
    """Its name and nothing of its arguments: whatever they are fits."""
    MCP = "mcp"
    """Its server's tool: no platform documents it."""
    UNKNOWN = "unknown"


class Misfit(StrEnum):
    """What does not fit a model."""

    UNKNOWN = "unknown argument"
    MISSING = "missing argument"
    OTHER = "other value"


@dataclass(slots=True)
class Shape:
    """One tool: how often it occurs, the types of its arguments, and what does not fit, each with its count."""

    tool: str
    cover: Cover
    calls: int = 0
    canonical: str | None = None
    arguments: dict[str, Counter[str]] = field(default_factory=dict)
    misfits: Counter[tuple[Misfit, str, str]] = field(default_factory=Counter)

    @property
    def is_covered(self) -> bool:
        """Whether everything that occurs is as the documents have it."""
        return self.cover is not Cover.UNKNOWN and not self.misfits

    def to_wire(self) -> JsonObject:
        """As JSON."""
        return {
            "tool": self.tool,
            "canonical": self.canonical,
            "calls": self.calls,
            "cover": str(self.cover),
            "arguments": {name: dict(types) for name, types in sorted(self.arguments.items())},
            "misfits": [
                {"what": str(what), "path": path, "message": message, "calls": count}
                for (what, path, message), count in self.misfits.most_common()
            ],
        }


class Shapes:
    """The tools of one platform, as they occur."""

    def __init__(self, platform: str, servers: Collection[str] = ()) -> None:
        self._platform = platform
        self._servers = servers
        self._found: dict[str, Shape] = {}

    def add(self, call: Call) -> None:
        """Count a call."""
        shape = self._shape(call)
        shape.calls += 1
        for name, value in call.arguments.items():
            types = shape.arguments.setdefault(_bounded(name, shape.arguments), Counter())
            types[_type(value)] += 1
        for misfit in _misfits(model_of(self._platform, call.tool), call.arguments):
            if misfit in shape.misfits or len(shape.misfits) < MOST_NAMES:
                shape.misfits[misfit] += 1

    def all(self) -> list[Shape]:
        """Those that are not covered first, then by how often they occur."""
        return sorted(self._found.values(), key=lambda shape: (shape.is_covered, -shape.calls, shape.tool))

    def _shape(self, call: Call) -> Shape:
        name = _bounded(call.tool, self._found)
        if name not in self._found:
            form = formed(self._platform, call, self._servers)
            cover = Cover.MCP if form.kind == MCP else _cover(model_of(self._platform, call.tool))
            self._found[name] = Shape(name, cover, canonical=form.canonical)
        return self._found[name]


def _bounded(name: str, known: Collection[str]) -> str:
    return name if name in known or len(known) < MOST_NAMES else REST


def _cover(model: type[BaseModel] | None) -> Cover:
    if model is None:
        return Cover.UNKNOWN
    return Cover.NAME if issubclass(model, Undocumented) else Cover.MODEL


def _misfits(model: type[BaseModel] | None, arguments: JsonObject) -> Iterator[tuple[Misfit, str, str]]:
    if model is None:
        return
    try:
        model.model_validate(arguments)
    except ValidationError as error:
        yield from dict.fromkeys(_misfit(dict(each)) for each in error.errors(include_url=False, include_input=False))


def _misfit(error: dict[str, Any]) -> tuple[Misfit, str, str]:
    """Items of a list are told as one: `todos[].status`."""
    path = "".join("[]" if isinstance(step, int) else f".{step}" for step in error["loc"]).lstrip(".")
    kinds = {"extra_forbidden": Misfit.UNKNOWN, "missing": Misfit.MISSING}
    what = kinds.get(error["type"], Misfit.OTHER)
    return what, path, error["msg"] if what is Misfit.OTHER else ""


def _type(value: Any) -> str:
    if isinstance(value, list):
        inner = sorted({_type(each) if not isinstance(each, list) else "array" for each in value})
        return f"array of {' or '.join(inner)}" if inner else "array"
    names: Iterable[tuple[type, str]] = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"))
    return next((name for kind, name in names if isinstance(value, kind)), "null" if value is None else "object")
