"""The two base models: closed for everything we must understand whole, open for what we send to others."""

from typing import Annotated, Any

import orjson
from pydantic import BaseModel, ConfigDict, StringConstraints

JsonObject = dict[str, Any]
"""A JSON object that the strict parser produced: depth, nodes, numbers and text are already checked."""

HookName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Pointer = Annotated[str, StringConstraints(pattern=r"^(/([^~/]|~[01])*)+$")]
"""A JSON pointer (RFC 6901) to something inside a value, never to the whole."""
Code = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]


class Closed(BaseModel):
    """Frozen; an unknown field is an error with its place."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, strict=True)


class Open(BaseModel):
    """Frozen; unknown fields are ignored, so that a newer sender still reaches an older worker."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True, strict=True)


def encode(model: BaseModel) -> bytes:
    """The model as JSON by field names, what is absent as null: what `model_dump(mode="json")` says, much faster.

    For models that were validated and hold JSON, enums, times and further such models. Raises TypeError for others.
    """
    return encode_fields(vars(model))


def encode_fields(fields: JsonObject) -> bytes:
    """An object whose values are as in `encode`."""
    return orjson.dumps(fields, default=_fields, option=orjson.OPT_UTC_Z)


def _fields(value: object) -> JsonObject:
    if isinstance(value, BaseModel):
        return vars(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def encode_present(model: BaseModel, always: tuple[str, ...] = ()) -> bytes:
    """The model as JSON without the fields that say nothing, but for those of `always`.

    What stands inside a JSON value is nobody's to leave out.
    """
    return encode_fields(_told(model, always))


def _told(model: BaseModel, always: tuple[str, ...] = ()) -> JsonObject:
    said = {name: value for name, value in vars(model).items() if name in always or (value is not None and value != [])}
    return {name: _plain(value) for name, value in said.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return _told(value)
    return [_plain(item) for item in value] if isinstance(value, list) else value
