"""Moments as people write them: `2026-01-31`, `2026-01-31T12:00:00Z`, or `90s`, `10m`, `2h`, `7d` before now."""

import re
from datetime import datetime, timedelta

from interpose.errors import ConfigurationError

_AGO = re.compile(r"(\d{1,9})([smhd])")
_UNIT = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def period(said: str) -> timedelta:
    """How long was meant: `90s`, `10m`, `2h`, `7d`, or `0`. Raises ConfigurationError."""
    meant = _AGO.fullmatch(said)
    try:
        if meant is not None:
            return timedelta(**{_UNIT[meant[2]]: int(meant[1])})
        if said == "0":
            return timedelta()
    except OverflowError as error:
        raise ConfigurationError(f"{said} is longer than anything lasts") from error
    raise ConfigurationError(f"{said!r} is no length of time: write it as 90s, 10m, 2h or 7d")


def moment(said: str, now: datetime) -> datetime:
    """The moment that was meant; one without a time zone is in that of `now`. Raises ConfigurationError."""
    ago = _AGO.fullmatch(said)
    try:
        if ago is not None:
            return now - timedelta(**{_UNIT[ago[2]]: int(ago[1])})
        read = datetime.fromisoformat(said)
    except (ValueError, OverflowError) as error:
        raise ConfigurationError(
            f"{said!r} is no moment: write it as 2026-01-31T12:00:00Z, or as 90s, 10m, 2h or 7d before now"
        ) from error
    return read if read.tzinfo is not None else read.replace(tzinfo=now.tzinfo)
