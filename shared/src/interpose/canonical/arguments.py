"""Arguments by their canonical names. Values are never touched, and what has no canonical name stays as it came."""

from collections.abc import Mapping

from interpose.contracts.digest import digest
from interpose.contracts.model import JsonObject
from interpose.contracts.paths import json_path
from interpose.errors import Fault, InvalidInput


def rename(parameters: JsonObject, renames: Mapping[str, str]) -> JsonObject:
    """The parameters in their own order. Raises InvalidInput where two names of one argument say different things."""
    if renames.keys().isdisjoint(parameters.keys()):
        return parameters
    given: dict[str, str] = {}
    renamed: JsonObject = {}
    for name, value in parameters.items():
        canonical = renames.get(name, name)
        if canonical in renamed:
            _agree(canonical, (given[canonical], renamed[canonical]), (name, value))
        else:
            given[canonical], renamed[canonical] = name, value
    return renamed


def _agree(canonical: str, first: tuple[str, object], second: tuple[str, object]) -> None:
    if digest(first[1]) == digest(second[1]):
        return
    names = [first[0], second[0]]
    faults = [
        Fault(json_path(["parameters", name]), f"is the argument {canonical}, which is told twice") for name in names
    ]
    raise InvalidInput(f"{names[0]} and {names[1]} are one argument and differ; send it once", faults)
