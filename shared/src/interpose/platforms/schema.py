"""What the platforms' modules have in common: how their events are described, checked and taken apart.

A model has the fields that the platform's documents have, by the platform's own names. It is closed where the platform
promises to send nothing else, and open elsewhere: a platform that adds a field must not stop every call.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import AliasChoices, BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from interpose.contracts import strict
from interpose.contracts.faults import faults_of
from interpose.contracts.limits import PARAMETERS_BYTES
from interpose.contracts.model import JsonObject
from interpose.contracts.paths import SHOWN_CHARACTERS, json_path
from interpose.errors import Fault, InvalidInput
from interpose.platforms.event import RAW, Moment

M = TypeVar("M", bound=BaseModel)
M_co = TypeVar("M_co", bound=BaseModel, covariant=True)


class OpenEvent(BaseModel):
    """Frozen; what the documents do not name is no objection, and stays in the event's payload."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class ClosedEvent(BaseModel):
    """Frozen; an unknown field is an error with its place."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


@dataclass(frozen=True, slots=True)
class EventSpec(Generic[M_co]):
    """One event of a platform: when it speaks, and its model."""

    moment: Moment
    model: type[M_co]

    @property
    def required(self) -> list[str]:
        """The names of the fields that it must have, in the platform's spelling."""
        return [name for name, field in _named_fields(self.model) if field.is_required()]


def named(events: Mapping[str, EventSpec[M]], name: Any, place: str, platform: str) -> EventSpec[M]:
    """The event of this name. Raises InvalidInput for every other."""
    found = events.get(name) if isinstance(name, str) else None
    if found is None:
        said = "is required" if name is None else f"{shown(name)} is no event of {platform}"
        message = f"{said}; known here: {', '.join(events)}"
        raise InvalidInput(f"the event of {platform} cannot be read", [Fault(json_path([place]), message)])
    return found


def field_names(model: type[BaseModel]) -> frozenset[str]:
    """Every name that a field of the model may have."""
    told = (field.validation_alias for field in model.model_fields.values())
    choices = (str(name) for alias in told if isinstance(alias, AliasChoices) for name in alias.choices)
    return frozenset([*choices, *(name for name, _ in _named_fields(model))])


def checked(model: type[M], payload: JsonObject, platform: str) -> M:
    """The event by its model. Raises InvalidInput with every fault at once."""
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        raise InvalidInput(f"the event of {platform} cannot be read", faults_of(error, model=model)) from error


def refuse(platform: str, place: str, message: str) -> InvalidInput:
    """An objection to one field of the event."""
    return InvalidInput(f"the event of {platform} cannot be read", [Fault(place, message)])


def objects(value: Any, place: str, platform: str) -> JsonObject:
    """Arguments that are an object, as every tool's are. Raises InvalidInput for anything else."""
    if not isinstance(value, dict):
        raise refuse(platform, place, "must be an object")
    return value


def spelled_out(value: Any, place: str, platform: str) -> JsonObject:
    """Arguments that are an object, or its JSON as a string. Raises InvalidInput for what does not parse strictly.

    The platform may read such text more generously than we do: what we cannot read cannot be judged.
    """
    if not isinstance(value, str):
        return objects(value, place, platform)
    try:
        return strict.parse_object(_encoded(value, place, platform), limit=PARAMETERS_BYTES, what=place)
    except InvalidInput as error:
        faults = [Fault(place, f"is JSON in a string, and in it {fault}") for fault in error.faults]
        message = f"the event of {platform} cannot be read"
        raise InvalidInput(message, faults, too_large=error.too_large) from error


def kept_raw(value: Any) -> JsonObject:
    """Arguments that are no object, in the one place where they are looked for."""
    return {RAW: value}


def shown(value: Any) -> str:
    """A word of the input in few characters."""
    if not isinstance(value, str):
        return "what is no text"
    return repr(value if len(value) <= SHOWN_CHARACTERS else value[:SHOWN_CHARACTERS] + "…")


def _named_fields(model: type[BaseModel]) -> list[tuple[str, FieldInfo]]:
    return [(field.alias or name, field) for name, field in model.model_fields.items()]


def _encoded(text: str, place: str, platform: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise refuse(platform, place, "holds half of a character (a lone surrogate)") from error
