"""Strict JSON: what was parsed is what is judged, recorded and executed, so nothing here has two readings.

Refused, each with its place: duplicate keys, NaN and infinities, numbers that a double or a JavaScript tool would
change, lone surrogates, invalid UTF-8, a byte order mark, trailing data, and anything beyond `limits`. Text that is
its own compact encoding has one reading by that alone; other valid input takes the careful path; only a refusal pays
for the walk that finds the place (`strict_place`). All are linear in the input and none recurses on it further than
`limits.DEPTH`. Sources: RFC 8259, RFC 7493 (I-JSON).
"""

import json
import math
import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, NoReturn, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from interpose.contracts import digest
from interpose.contracts.faults import faults_of
from interpose.contracts.limits import DEPTH, NODES, SAFE_INTEGER
from interpose.contracts.paths import json_path
from interpose.contracts.strict_place import find_faults, line_and_column
from interpose.errors import Fault, InvalidInput

M = TypeVar("M", bound=BaseModel)

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NOT_COMPACT: Any = object()
_OPENING = frozenset("[{")
_CLOSING = frozenset("]}")
_MOST_MARKS = 4 * NODES
"""Each value has at most a key, a comma, an opening or a string, and a closing."""
_WHITE = " \t\n\r"
_STRUCTURE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{][ \t\n\r]*+[\]}]?|[\]},]', re.DOTALL)
"""What depth and the number of values depend on: a string (also one that never ends), an opening with what closes it
at once, a closing, a comma. A match never fails once begun, so that the whole scan is linear."""


def parse(data: bytes, *, limit: int, what: str = "input") -> Any:
    """The JSON value of these bytes. Raises InvalidInput; `too_large` is set when there are more than `limit` bytes."""
    if len(data) > limit:
        fault = Fault("$", f"{len(data)} bytes; at most {limit} are allowed", limit=limit, given=len(data))
        raise InvalidInput(f"{what} is too large", [fault], too_large=True)
    value = _read_compact(data)
    if value is not _NOT_COMPACT:
        return value
    text = decode(data, what)
    try:
        return _read(text)
    except ValueError as error:
        raise InvalidInput(f"{what} is not acceptable JSON", find_faults(text)) from error


def parse_object(data: bytes, *, limit: int, what: str = "input") -> dict[str, Any]:
    """Like `parse`, for input that must be an object."""
    value = parse(data, limit=limit, what=what)
    if not isinstance(value, dict):
        raise InvalidInput(f"{what} is not acceptable", [_not_an_object(data.decode(), value)])
    return value


def read_model(model: type[M], data: bytes, *, limit: int, what: str = "input") -> M:
    """Parse strictly, then validate by the names that JSON uses. Raises InvalidInput with every fault at once."""
    value = parse_object(data, limit=limit, what=what)
    try:
        return model.model_validate(value, by_name=False)
    except ValidationError as error:
        raise InvalidInput(f"{what} is not acceptable", faults_of(error, model=model)) from error


def decode(data: bytes, what: str) -> str:
    """Plain UTF-8 text. Raises InvalidInput with the byte, line and column."""
    if data.startswith(_BYTE_ORDER_MARK):
        fault = Fault("$", "begins with a byte order mark: send plain UTF-8 without it", 1, 1)
        raise InvalidInput(f"{what} is not acceptable JSON", [fault])
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        readable = data[: error.start].decode()
        message = f"byte {error.start} is not valid UTF-8 ({error.reason}): send UTF-8 only"
        fault = Fault("$", message, *line_and_column(readable))
        raise InvalidInput(f"{what} is not acceptable JSON", [fault]) from error


def fits(data: bytes, *, limit: int) -> bool:
    """Whether a strict reader takes the size, the depth and the number of values of these bytes, which are JSON."""
    return len(data) <= limit and not (_may_exceed(data) and _measures_beyond(data.decode()))


def check_fields(value: Mapping[str, Any], limits: Mapping[str, int], default: int) -> list[Fault]:
    """The fields of a parsed object that are larger than `limits` allows them, or `default` where it is silent.

    Sizes are bytes of compact JSON. Raises TypeError for what is no JSON.
    """
    sizes = ((name, digest.size(field), limits.get(name, default)) for name, field in value.items())
    return [
        Fault(json_path([name]), f"{size} bytes; at most {limit} are allowed", limit=limit, given=size)
        for name, size, limit in sizes
        if size > limit
    ]


def _read_compact(data: bytes) -> Any:
    """The value where writing it out gives these very bytes; `_NOT_COMPACT` for all other input, good or bad.

    Nothing of such text was dropped, joined or rounded: no key stands twice, no number and no character changed. It is
    what every part of Interpose sends, and takes an eighth of the careful path's time.
    """
    if _may_exceed(data):
        return _NOT_COMPACT
    try:
        value = orjson.loads(data)
        again = orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return _NOT_COMPACT
    return value if again == data else _NOT_COMPACT


def _may_exceed(data: bytes) -> bool:
    """Counted as if no mark stood in a string: who measures what may be too much only spends time."""
    opened = data.count(b"[") + data.count(b"{")
    return opened > DEPTH or opened + data.count(b",") >= NODES  # pragma: no mutate


def _read(text: str) -> Any:
    """The value, or ValueError without a place."""
    if _exceeds(text):
        raise _Refused
    value = _DECODER.decode(text)
    if "\\ud" in text or "\\uD" in text:
        _refuse_lone_surrogates(value)
    return value


def _exceeds(text: str) -> bool:
    """Whether there is too much depth or are too many values."""
    opened = text.count("[") + text.count("{")
    # First counting every mark as if none stood in a string: measuring more often than needed only costs time.
    may_exceed = opened > DEPTH or opened + text.count(",") >= NODES  # pragma: no mutate
    return may_exceed and _measures_beyond(text)


def _measures_beyond(text: str) -> bool:
    """Exact as far as the text is valid, which is as far as it is read."""
    depth, values = 0, 1
    # Valid text within the limits has fewer marks; reading more of them would only take longer.
    marks = islice(_STRUCTURE.finditer(text), _MOST_MARKS)  # pragma: no mutate
    for match in marks:
        mark = match[0]
        if mark[0] in _OPENING:
            if depth >= DEPTH:
                return True
            if mark[-1] not in _CLOSING:
                depth += 1
                values += 1
        elif mark in _CLOSING:
            depth -= 1
        elif mark == ",":
            values += 1
        if values > NODES:
            return True
    return False


def _refuse_lone_surrogates(value: Any) -> None:
    try:
        digest.encode(value)
    except TypeError as error:
        raise _Refused from error


class _Refused(ValueError):
    """The fast path's no; the walk says what and where."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _Refused
    return value


def _integer(text: str) -> int:
    # float() reads a million digits in linear time, int() does not; it is exact wherever the answer is no.
    if abs(float(text)) > SAFE_INTEGER:
        raise _Refused
    return int(text)


def _real(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _Refused
    return value


def _constant(_name: str) -> NoReturn:
    raise _Refused


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_real, parse_int=_integer, parse_constant=_constant)


def _not_an_object(text: str, value: Any) -> Fault:
    kinds = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    before = text[: len(text) - len(text.lstrip(_WHITE))]
    message = f"must be an object, not {kinds.get(type(value), 'null')}"
    return Fault("$", message, *line_and_column(before))
