"""Moments as logs write them."""

from datetime import datetime
from typing import Any

from interpose.records.columns import microseconds

_MS = 1_000
_MOST_S = 100_000_000_000
"""A number beyond it counts milliseconds: seconds would be the year 5138."""


def microseconds_of(said: Any) -> int | None:
    """µs since 1970; None for what tells no moment. One without a time zone is taken as UTC: logs of machines are."""
    if isinstance(said, str):
        try:
            read = datetime.fromisoformat(said)
        except ValueError:
            return None
        return microseconds(read if read.tzinfo is not None else datetime.fromisoformat(f"{said}+00:00"))
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 < said < _MOST_S * _MS:
        return None
    return round(said * (_MS if said > _MOST_S else _MS * _MS))
