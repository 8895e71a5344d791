"""One condition: compiled once, asked of each ask. Whatever cannot be told for certain is not told."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson
from cel_expr_python import cel

from interpose.conditions.environment import VARIABLES, environment
from interpose.conditions.objection import objection

MOST_CHARACTERS = 1_000
"""The longest condition."""
MOST_BYTES = 64 * 1024
"""The most JSON that a condition is evaluated on; only the fields that it names count."""

_FAULTS = (RuntimeError, TypeError, ValueError, OverflowError)
"""What the library raises for an expression or a value that it cannot take."""


class BadCondition(ValueError):
    """A condition that says nothing: it does not compile, is too long, or is neither true nor false."""


@dataclass(frozen=True, slots=True)
class Untold:
    """Neither true nor false: a field is missing, it failed, or there is too much to look at. `why` for people."""

    why: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A compiled condition and the fields that it names."""

    expression: cel.Expression
    fields: tuple[str, ...]

    def holds(self, ask: Mapping[str, Any]) -> bool | Untold:
        """Whether the condition is true of this ask, its fields by the names in `VARIABLES`. Never raises."""
        named = {name: ask[name] for name in self.fields if name in ask}
        try:
            if (size := len(orjson.dumps(named))) > MOST_BYTES:
                return Untold(f"what it names has {size} bytes, and conditions look at no more than {MOST_BYTES}")
            value = self.expression.eval(data=named)
            told = value.value()
        except _FAULTS as error:
            return Untold(_first_line(error))
        # An error is a value here, and so is anything else that is no boolean.
        return told if isinstance(told, bool) else Untold(f"it gave {value.type().name()}: {_first_line(told)}")


@lru_cache(maxsize=1024)
def compile_condition(source: str) -> Condition:
    """Compile. Raises BadCondition with a sentence that follows the path of the condition."""
    if len(source) > MOST_CHARACTERS:
        raise BadCondition(f"is longer than {MOST_CHARACTERS} characters: a rule that long belongs in a hook")
    if not source.strip():
        raise BadCondition("is empty: leave it out, and the hook is asked about every call")
    try:
        source.encode()
        expression = environment().compile(source)
    except UnicodeEncodeError as error:
        raise BadCondition("holds half of a surrogate pair, which is no character") from error
    except _FAULTS as error:
        raise BadCondition(objection(str(error))) from error
    if not cel.Type.BOOL.is_assignable_from(kind := expression.return_type()) and kind != cel.Type.DYN:
        raise BadCondition(f"must be true or false, and is {kind.name()}: compare it with something")
    words = set(re.findall(r"\w+", source))
    return Condition(expression, tuple(name for name in VARIABLES if name in words))


def _first_line(said: object) -> str:
    return str(said).partition("\n")[0][:200]
