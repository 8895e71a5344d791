"""What a hook's `with` may say to the sanitizer. Anything else breaks the hook: it says neither yes nor no."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from interpose.contracts.model import JsonObject
from interpose.contracts.paths import json_path
from interpose.errors import ConfigurationError, Fault
from interpose_sanitizer.findings import Family, Mode


class UnusableSettings(ConfigurationError, ValueError):
    """The hook's settings cannot be followed, with every fault at once."""


class Quoted(StrEnum):
    """What becomes of an attack that a text only mentions, in quotation marks (`mentions`)."""

    SPARE = "spare"
    TREAT = "treat"


@dataclass(frozen=True, slots=True)
class Settings:
    """What to look for and what to do with it."""

    mode: Mode = Mode.NEUTRALISE
    families: frozenset[Family] = frozenset(Family)
    quoted: Quoted = Quoted.SPARE


def read(settings: JsonObject) -> Settings:
    """The settings, with the defaults for what is silent. Raises UnusableSettings."""
    known = {"mode": _mode, "families": _families, "quoted": _quoted}
    faults: dict[str, str] = {}
    values: dict[str, Any] = {}
    for name, given in settings.items():
        try:
            values[name] = known[name](given)
        except KeyError:
            faults[name] = f"unknown setting; known here: {', '.join(known)}"
        except _Wrong as wrong:
            faults[name] = str(wrong)
    if faults:
        placed = [Fault(json_path(("with", name)), message) for name, message in faults.items()]
        raise UnusableSettings("the sanitizer cannot work by these settings", placed)
    return Settings(**values)


class _Wrong(Exception):
    """One setting's value is not what it may be."""


def _mode(given: object) -> Mode:
    if not (isinstance(given, str) and given in {*Mode}):
        raise _Wrong(f"must be one of {', '.join(Mode)}")
    return Mode(given)


def _quoted(given: object) -> Quoted:
    if not (isinstance(given, str) and given in {*Quoted}):
        raise _Wrong(f"must be one of {', '.join(Quoted)}")
    return Quoted(given)


def _families(given: object) -> frozenset[Family]:
    if not (isinstance(given, list) and all(isinstance(name, str) and name in {*Family} for name in given)):
        raise _Wrong(f"must be a list of {', '.join(Family)}")
    if not given:
        raise _Wrong("is empty, so nothing would be looked for: name a family, or leave the setting out")
    return frozenset(map(Family, given))
