"""Tools' input schemas, compiled once a revision. Patterns run in linear time and nothing is ever fetched."""

from collections.abc import Mapping, Sequence
from typing import Any

import jsonschema_rs

from interpose.contracts.config import ToolSpec
from interpose.contracts.model import JsonObject
from interpose.contracts.names import fold
from interpose.contracts.paths import json_path
from interpose.errors import ConfigurationError, Fault
from interpose_gateway.core.registry import SchemaCheck

MOST_FAULTS = 100


def compile_schemas(tools: Mapping[str, ToolSpec]) -> dict[str, SchemaCheck]:
    """Folded tool name → check. Raises ConfigurationError naming every schema that cannot be used."""
    checks: dict[str, SchemaCheck] = {}
    faults: list[Fault] = []
    for name, spec in tools.items():
        if spec.input_schema is None:
            continue
        try:
            checks[fold(name)] = _compile(spec.input_schema)
        except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
            faults.append(
                Fault(json_path(["tools", name, "inputSchema"]), f"is no usable JSON Schema: {_first(error)}")
            )
    if faults:
        raise ConfigurationError("an input schema cannot be used", faults)
    return checks


def _compile(schema: JsonObject) -> SchemaCheck:
    validator = jsonschema_rs.validator_for(
        schema, pattern_options=jsonschema_rs.RegexOptions(), retriever=_refuse_to_fetch
    )

    def check(value: JsonObject) -> Sequence[Fault]:
        faults: list[Fault] = []
        for error in validator.iter_errors(value):
            faults.append(Fault(json_path(["parameters", *error.instance_path]), error.message[:300]))
            if len(faults) == MOST_FAULTS:
                break
        return faults

    return check


def _refuse_to_fetch(uri: str) -> Any:
    raise ValueError(f"a reference to {uri[:200]} is not local; only #/… references are followed")


def _first(error: Exception) -> str:
    return str(error).splitlines()[0][:300] if str(error) else type(error).__name__
