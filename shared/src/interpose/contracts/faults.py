"""From what a model objects to, to faults that a person can act on: a JSON path, a sentence, never the input itself."""

import difflib
import re
from types import NoneType
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from interpose.contracts.paths import SHOWN_CHARACTERS, Path, json_path
from interpose.errors import Fault

MAX_FAULTS = 50
"""More faults than this are counted, not listed."""

_SHOULD = re.compile(r"^(Input|Value|String|List|Dictionary) should ")


def faults_of(error: ValidationError, root: str = "$", *, model: type[BaseModel] | None = None) -> tuple[Fault, ...]:
    """One fault for each objection. With `model`, an unknown field is told which ones are known at its place."""
    details = error.errors()
    faults = [Fault(json_path(place_of(detail), root), message_of(detail, model)) for detail in details[:MAX_FAULTS]]
    if len(details) > MAX_FAULTS:
        faults.append(Fault(root, f"and {len(details) - MAX_FAULTS} more faults"))
    return tuple(faults)


def place_of(detail: ErrorDetails) -> Path:
    """Where the objection stands. One to a key of a dictionary stands at that key."""
    steps = detail["loc"]
    return steps[:-1] if steps[-1:] == ("[key]",) else steps


def message_of(detail: ErrorDetails, model: type[BaseModel] | None = None) -> str:
    """The objection as a sentence that follows the path."""
    kind = detail["type"]
    if kind == "missing":
        return "is required"
    if kind == "extra_forbidden":
        return _unknown_field(detail["loc"], model)
    if kind == "value_error":
        return str(detail["ctx"]["error"])
    if kind in ("model_type", "dict_type"):
        return "must be an object"
    if kind == "bool_type":
        return "must be true or false"
    return _SHOULD.sub("must ", detail["msg"])


def _unknown_field(steps: Path, model: type[BaseModel] | None) -> str:
    owner = model and model_at(model, steps[:-1])
    if owner is None:
        return "unknown field"
    known = sorted(wire_names(owner))
    close = difflib.get_close_matches(str(steps[-1])[:SHOWN_CHARACTERS], known, n=1)
    return "".join(
        ["unknown field; ", *(f"did you mean {name}? " for name in close), f"known here: {', '.join(known)}"]
    )


def wire_names(model: type[BaseModel]) -> dict[str, Any]:
    """The annotation of each field by the name that it has in JSON."""
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def model_at(model: type[BaseModel], steps: Path) -> type[BaseModel] | None:
    """The model that stands at this place below `model`, if one does."""
    here: Any = model
    for step in steps:
        inner = (None, *get_args(here))[-1]
        here = _present(wire_names(here).get(str(step)) if _is_model(here) else inner)
    return here if _is_model(here) else None


def _present(annotation: Any) -> Any:
    """`X | None` as X. A wider union stays what it is: nobody can tell which part was meant."""
    options = get_args(annotation)
    return options[0] if options[1:] == (NoneType,) else annotation


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
