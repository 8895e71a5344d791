"""Tools' input schemas, compiled once a revision."""

from collections.abc import Mapping, Sequence

import jsonschema_rs

from interpose.config.input_schemas import BadSchema, compile_schema
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
            checks[fold(name)] = _check_with(compile_schema(spec.input_schema))
        except BadSchema as error:
            faults.append(Fault(json_path(["tools", name, "inputSchema", *error.steps]), str(error)))
    if faults:
        raise ConfigurationError("an input schema cannot be used", faults)
    return checks


def _check_with(validator: jsonschema_rs.Validator) -> SchemaCheck:
    def check(value: JsonObject) -> Sequence[Fault]:
        faults: list[Fault] = []
        for error in validator.iter_errors(value):
            faults.append(Fault(json_path(["parameters", *error.instance_path]), error.message[:300]))
            if len(faults) == MOST_FAULTS:
                break
        return faults

    return check
