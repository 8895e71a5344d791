"""From what a JSON Schema objects to, to findings that a person can act on: the place, a sentence, limit and given.

The sentences follow the path and never repeat text of the input. Where the schema offers alternatives, the first
objection of each of the first three is told.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from jsonschema_rs import ValidationError
from jsonschema_rs import ValidationErrorKind as Kind

from interpose.contracts.model import JsonObject
from interpose.contracts.paths import Path, json_path
from interpose_validator.findings import Finding
from interpose_validator.formats import name_of

_SHOWN_CHARACTERS = 200
_SHOWN_NAMES = 30
_SHOWN_FORMS = 3

_SIZES: Mapping[type[Kind], tuple[str, str]] = {
    Kind.MaxLength: ("most", "character"),
    Kind.MinLength: ("least", "character"),
    Kind.MaxItems: ("most", "item"),
    Kind.MinItems: ("least", "item"),
    Kind.AdditionalItems: ("most", "item"),
    Kind.MaxProperties: ("most", "field"),
    Kind.MinProperties: ("least", "field"),
}
_BOUNDS: Mapping[type[Kind], str] = {
    Kind.Maximum: "at most",
    Kind.Minimum: "at least",
    Kind.ExclusiveMaximum: "less than",
    Kind.ExclusiveMinimum: "more than",
}
_JSON_NAMES: Mapping[str, str] = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
_PYTHON_NAMES: Mapping[type, str] = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}


def findings_of(error: ValidationError, schema: JsonObject, document: Any) -> Iterator[Finding]:
    """What one objection of `schema` to `document` says: one finding, or one for each field it names."""
    kind, path = error.kind, tuple(error.instance_path)
    if isinstance(kind, Kind.PropertyNames):
        yield _property_name(kind, schema, path)
    elif isinstance(kind, Kind.AnyOf | Kind.OneOfNotValid):
        yield Finding(path, kind.name, _fits_no_form(kind.context, schema, document))
    else:
        yield from _findings_at(error, schema, path, _value_at(document, path))


def _findings_at(error: ValidationError, schema: JsonObject, path: Path, value: Any) -> Iterator[Finding]:
    kind = error.kind
    if type(kind) in _SIZES:
        yield _size(kind, path, value)
    elif type(kind) in _BOUNDS:
        yield _bound(kind, path, value)
    elif isinstance(kind, Kind.Required):
        yield Finding((*path, kind.property), kind.name, "is required")
    elif (names := _unknown_names(error, value)) is not None:
        message = _unknown_field(_known_names(error, schema))
        yield from (Finding((*path, name), "additionalProperties", message) for name in names)
    else:
        yield Finding(path, kind.name, _sentence(error, value))


def kind_of(value: Any) -> str:
    """What a JSON value is, with its article."""
    if value is None:
        return "null"
    return _PYTHON_NAMES.get(type(value), "a number")


def one_of(options: Iterable[Any]) -> str:
    """The options as JSON, cut when they are many."""
    texts = [json.dumps(option) for option in options]
    shown = f"one of {', '.join(texts)}" if len(texts) != 1 else texts[0]
    return shown if len(shown) <= _SHOWN_CHARACTERS else shown[:_SHOWN_CHARACTERS] + "…"


def _size(kind: Any, path: Path, value: Any) -> Finding:
    side, unit = _SIZES[type(kind)]
    return Finding(path, kind.name, too_many(len(value), unit, side, kind.limit), kind.limit, len(value))


def too_many(given: int, unit: str, side: str, limit: int) -> str:
    """A size that breaks its limit, in words: `side` is `most` or `least`, `unit` a noun in the singular."""
    allowed = "allowed" if side == "most" else "needed"
    return f"{given} {unit}{'' if given == 1 else 's'}; at {side} {limit} {'is' if limit == 1 else 'are'} {allowed}"


def _bound(kind: Any, path: Path, value: Any) -> Finding:
    message = f"is {value}; must be {_BOUNDS[type(kind)]} {kind.limit}"
    limit, given = (number if isinstance(number, int) else None for number in (kind.limit, value))
    return Finding(path, kind.name, message, limit, given)


def _unknown_names(error: ValidationError, value: Any) -> list[str] | None:
    kind = error.kind
    if isinstance(kind, Kind.AdditionalProperties | Kind.UnevaluatedProperties):
        return kind.unexpected
    # Where a schema names no property at all, the library objects once to the whole object.
    if isinstance(kind, Kind.FalseSchema) and error.schema_path[-1:] == ["additionalProperties"]:
        return list(value) if isinstance(value, dict) else None
    return None


def _known_names(error: ValidationError, schema: JsonObject) -> list[str]:
    owner = _value_at(schema, tuple(error.schema_path[:-1]))
    known = owner.get("properties") if isinstance(owner, dict) else None
    return list(known) if isinstance(known, dict) else []


def _unknown_field(known: list[str]) -> str:
    if not known:
        return "unknown field"
    return f"unknown field; known here: {', '.join(known[:_SHOWN_NAMES])}{', …' if len(known) > _SHOWN_NAMES else ''}"


def _property_name(kind: Kind.PropertyNames, schema: JsonObject, path: Path) -> Finding:
    name = str(kind.error.instance)
    inner = next(_findings_at(kind.error, schema, (), name))
    return Finding((*path, name), kind.name, f"the name of this field: {inner.message}", inner.limit, inner.given)


def _fits_no_form(context: list[list[ValidationError]], schema: JsonObject, document: Any) -> str:
    firsts = (_first(errors, schema, document) for errors in islice(context, _SHOWN_FORMS))
    told = "; ".join(f"({number}) {first}" for number, first in enumerate(firsts, 1))
    more = f"; and {len(context) - _SHOWN_FORMS} more" if len(context) > _SHOWN_FORMS else ""
    return f"fits none of the {len(context)} forms allowed here: {told}{more}"


def _first(errors: list[ValidationError], schema: JsonObject, document: Any) -> str:
    error = errors[0]
    # Alternatives inside alternatives are only named: telling each would grow with every level.
    if isinstance(error.kind, Kind.AnyOf | Kind.OneOfNotValid):
        return f"{json_path(error.instance_path)} fits none of the {len(error.kind.context)} forms allowed there"
    found = next(findings_of(error, schema, document))
    return f"{json_path(found.path)} {found.message}"


def _value_at(document: Any, path: Path) -> Any:
    for step in path:
        try:
            document = document[step]
        except (KeyError, IndexError, TypeError):
            return None
    return document


def _sentence(error: ValidationError, value: Any) -> str:
    described = _SENTENCES.get(type(error.kind))
    return described(error.kind, value) if described else error.message[:_SHOWN_CHARACTERS]


_SENTENCES: Mapping[type[Kind], Callable[[Any, Any], str]] = {
    Kind.Type: lambda kind, value: (
        f"must be {' or '.join(_JSON_NAMES[name] for name in kind.types)}, not {kind_of(value)}"
    ),
    Kind.Enum: lambda kind, _: f"must be {one_of(kind.options)}",
    Kind.Constant: lambda kind, _: f"must be {one_of([kind.expected_value])}",
    Kind.Format: lambda kind, _: f"must be {name_of(kind.format)}",
    Kind.Pattern: lambda kind, _: f"must match the pattern {one_of([kind.pattern])}",
    Kind.MultipleOf: lambda kind, value: f"is {value}; must be a multiple of {kind.multiple_of}",
    Kind.UniqueItems: lambda _, __: "has equal items; each may stand there once",
    Kind.Contains: lambda _, __: "holds too few items, or too many, of the form that it must contain",
    Kind.UnevaluatedItems: lambda _, __: "has items behind those that the schema allows",
    Kind.FalseSchema: lambda _, __: "is not allowed here",
    Kind.Not: lambda _, __: "has a form that the schema forbids",
    Kind.OneOfMultipleValid: lambda _, __: "fits more than one of the forms of which exactly one is allowed",
}
