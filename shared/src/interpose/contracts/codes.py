"""The error catalogue's shape: every code that Interpose itself puts into an answer, a record or an alarm.

The entries stand in `codes.json` beside this file, so that pages and commands read the same words. Hooks choose codes
of their own; those of the services that ship are listed too.
"""

from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from importlib.resources import files

import orjson
from pydantic import Field, TypeAdapter

from interpose.contracts.model import Closed

FILE = "codes.json"


class Where(StrEnum):
    """Where a code is met."""

    ANSWER = "answer"
    """`code` of an answer and of the record behind it."""
    FAILURE = "failure"
    """The same, and it is why a hook gave no verdict: `failure` of that hook, there with underscores."""
    HOOK = "hook"
    """Given by a hook service that ships, with its no."""
    ALARM = "alarm"
    """`kind` of the metric `interpose_alarms_total` and of the log line behind it."""


class Code(Closed):
    """One code. `statuses` are those of HTTP that may stand beside it; none for what is only an alarm."""

    code: str
    where: list[Where]
    statuses: list[int] = Field(default_factory=list)
    means: str
    cause: str
    remedy: str


@cache
def catalogue() -> tuple[Code, ...]:
    """Every code, by its name."""
    data = (files("interpose.contracts") / FILE).read_bytes()
    return tuple(TypeAdapter(tuple[Code, ...]).validate_python(orjson.loads(data), strict=False))


def find(word: str) -> Code | None:
    """The entry of a code, however it is spelled: `no_responders` is `no-responders`."""
    wanted = _plain(word)
    return next((entry for entry in catalogue() if entry.code == wanted), None)


def similar(word: str) -> list[str]:
    """Up to three codes that somebody may have meant."""
    return get_close_matches(_plain(word), [entry.code for entry in catalogue()], n=3, cutoff=0.7)


def _plain(word: str) -> str:
    return word.strip().lower().replace("_", "-")
