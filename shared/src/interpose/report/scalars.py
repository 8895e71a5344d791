"""Single values as JSON has them. What JSON has no word for becomes text, and is no longer the value that was given.

Only code of the interpreter and of the standard library runs here, also for subclasses of its types.
"""

import binascii
import enum
import sys
from typing import Any

from interpose.contracts.limits import SAFE_INTEGER
from interpose.report.fields import instance_dict

_LONGEST_INTEGER_BITS = 4096
"""Longer ones are named by their size: writing a number in decimal takes quadratic time."""
_STANDARD: dict[str, tuple[str, ...]] = {
    "datetime": ("datetime", "date", "time", "timedelta"),
    "decimal": ("Decimal",),
    "fractions": ("Fraction",),
    "ipaddress": ("IPv4Address", "IPv6Address"),
    "pathlib": ("PosixPath", "WindowsPath", "PurePosixPath", "PureWindowsPath"),
    "uuid": ("UUID",),
}
"""Types whose text says all of them, by the module that has them. Who was never imported has no values here."""
_ZONES: dict[str, tuple[str, ...]] = {"datetime": ("timezone",), "zoneinfo": ("ZoneInfo",)}


def plain_text(value: str) -> str:
    """The text as UTF-8 can carry it: halves of a surrogate pair are joined, lone ones replaced."""
    text = str.__str__(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def integer(value: int) -> int | str:
    """The number, or its text where a JavaScript tool would read another one (RFC 7493, section 2.2)."""
    exact = int.__int__(value)
    if -SAFE_INTEGER <= exact <= SAFE_INTEGER:
        return exact
    bits = exact.bit_length()
    return str(exact) if bits <= _LONGEST_INTEGER_BITS else f"<integer of {bits} bits>"


def real(value: float) -> float | str:
    """The number, or the name of what is none."""
    exact = float.__float__(value)
    if exact in (float("inf"), float("-inf")):
        return "Infinity" if exact > 0 else "-Infinity"
    return "NaN" if exact != exact else exact  # noqa: PLR0124 - only what is no number differs from itself


def size_of(value: object) -> int | None:
    """How many bytes a bytes-like value has; None for what is none."""
    kind = type(value)
    own: Any = next((base for base in (bytes, bytearray) if issubclass(kind, base)), None)
    if own is not None:
        return int(own.__len__(value))
    return value.nbytes if kind is memoryview else None  # type: ignore[attr-defined]


def octets(value: Any) -> str | dict[str, str]:
    """A bytes-like value as text where it is UTF-8, else in base64."""
    own = next((base for base in (bytes, bytearray) if issubclass(type(value), base)), None)
    data = memoryview.tobytes(value) if own is None else bytes(own.__getitem__(value, slice(None)))
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": binascii.b2a_base64(data, newline=False).decode()}


def standard_text(value: object) -> str | None:
    """The text of a date, a path, a decimal number and the like; None for everything else."""
    kind = type(value)
    if not _is_one_of(kind, _STANDARD) or not _has_own_zone(value):
        return None
    return str(value)


def is_enum(kind: type) -> bool:
    """Whether values of this class are members of an enumeration."""
    return issubclass(kind, enum.Enum)


def enum_value(member: object) -> object:
    """What a member of an enumeration stands for."""
    held = instance_dict(member)
    return dict.get(held, "_value_") if issubclass(type(held), dict) else None  # type: ignore[call-overload]


def _is_one_of(kind: type, table: dict[str, tuple[str, ...]]) -> bool:
    loaded = ((sys.modules.get(module), names) for module, names in table.items())
    return any(getattr(module, name, None) is kind for module, names in loaded for name in names)


def _has_own_zone(value: Any) -> bool:
    """Whether no code of somebody else's time zone would run."""
    zone = getattr(type(value), "tzinfo", None)
    held = None if zone is None else zone.__get__(value)
    return held is None or _is_one_of(type(held), _ZONES)
