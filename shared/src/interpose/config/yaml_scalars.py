"""What a plain YAML scalar means: the core schema of YAML 1.2, where `no` is text and a date is text."""

import math
import re

from interpose.contracts.limits import SAFE_INTEGER

Scalar = str | int | float | bool | None

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"]),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
}
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def resolve(text: str) -> Scalar:
    """The value of an unquoted scalar. Raises ValueError, with the remedy, for a number that JSON cannot carry."""
    if text in _WORDS:
        return _WORDS[text]
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(f"{text} is no JSON number: leave it out, or put it in quotes")
    if _DECIMAL.fullmatch(text):
        return _safe(text, 10)
    if _OCTAL.fullmatch(text):
        return _safe(text[2:], 8)
    if _HEXADECIMAL.fullmatch(text):
        return _safe(text[2:], 16)
    return _finite(text) if _FLOAT.fullmatch(text) else text


def _safe(digits: str, base: int) -> int:
    # No safe integer has so many digits, not even with zeros that somebody would write on purpose.
    value = int(digits, base) if len(digits) <= 64 else SAFE_INTEGER + 1
    if abs(value) > SAFE_INTEGER:
        raise ValueError(f"integer beyond ±{SAFE_INTEGER}: put it in quotes")
    return value


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("number too large for a double: put it in quotes")
    return value
