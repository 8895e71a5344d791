"""The action of a call, from its name, its own field and its parameters; two that disagree are an error."""

from collections.abc import Mapping
from typing import Any

from interpose.canonical.pointer import resolve
from interpose.canonical.tools import Tools
from interpose.contracts.model import JsonObject
from interpose.contracts.names import fold
from interpose.contracts.paths import SHOWN_CHARACTERS
from interpose.errors import Fault, InvalidInput


def action_of(canonical: str, parameters: JsonObject, tools: Tools) -> str | None:
    """What the parameters alone tell: a transform must not change it. None where nothing stands, empty for no word."""
    pointer = tools.action_pointer(canonical)
    value = None if pointer is None else resolve(parameters, pointer)
    return value if isinstance(value, str) or value is None else ""


def agreed(told: Mapping[str, Any]) -> str | None:
    """The one action of all that stands somewhere. What is no word tells none, and differs from every word."""
    said = {path: value for path, value in told.items() if value is not None}
    if len({_word(value) for value in said.values()}) > 1:
        words = ", ".join(f"{path} says {_shown(value)}" for path, value in said.items())
        faults = [Fault(path, f"says {_shown(value)}") for path, value in said.items()]
        raise InvalidInput(f"the call's action is told twice and differs: {words}; send it once", faults)
    return next((value for value in said.values() if _word(value)), None)


def _word(value: Any) -> str:
    return fold(value) if isinstance(value, str) else ""


def _shown(value: Any) -> str:
    return repr(value[:SHOWN_CHARACTERS]) if isinstance(value, str) else "what is no text"
