"""The hook events of platforms as pages show them, from the models that read them."""

from pydantic import BaseModel

from interpose.contracts.faults import wire_names
from interpose.platforms.event import Moment
from interpose.platforms.read import READERS
from interpose.platforms.schema import ClosedEvent, EventSpec, field_names
from reference.table import code, table

MOMENTS = {
    Moment.BEFORE: "before a call",
    Moment.AFTER: "after a call",
    Moment.INSTALL: "before an install",
    Moment.OTHER: "of no tool",
}


def events(platform: str) -> str:
    """Each event of one platform: when it speaks, what it must have, what it may have, and whether it may have more."""
    specs = READERS[platform].EVENTS
    return table(
        ["event", "speaks", "required", "optional", "other fields"],
        [[code(name), MOMENTS[spec.moment], *_fields(spec)] for name, spec in specs.items()],
    )


def _fields(spec: EventSpec[BaseModel]) -> list[str]:
    required = [path for name in spec.required for path in _within(spec.model, name)]
    optional = sorted(field_names(spec.model) - set(spec.required))
    rest = "refused" if issubclass(spec.model, ClosedEvent) else "kept, not read"
    return [", ".join(map(code, required)), ", ".join(map(code, optional)), rest]


def _within(model: type[BaseModel], name: str) -> list[str]:
    """The field, and of an object with a model of its own what that requires."""
    inner = wire_names(model).get(name)
    if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
        return [name]
    own = [alias for alias, field in _named(inner) if field]
    return [f"{name}.{path}" for alias in own for path in _within(inner, alias)] or [name]


def _named(model: type[BaseModel]) -> list[tuple[str, bool]]:
    return [(field.alias or name, field.is_required()) for name, field in model.model_fields.items()]
