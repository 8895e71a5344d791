"""What a hook's `with` may say to the audit logger."""

from enum import StrEnum

from interpose.contracts.model import JsonObject
from interpose.contracts.paths import json_path
from interpose.errors import ConfigurationError, Fault


class Require(StrEnum):
    """When the hook says yes: always, or only while records can be stored."""

    NOTHING = "nothing"
    STORED = "stored"


class UnusableSettings(ConfigurationError, ValueError):
    """The hook's settings mean nothing: the hook is broken and says neither yes nor no."""


def read(settings: JsonObject) -> Require:
    """What the hook requires. Raises UnusableSettings."""
    faults = [
        Fault(json_path(("with", name)), "unknown setting; known here: require")
        for name in settings.keys() - {"require"}
    ]
    required = settings.get("require", Require.NOTHING)
    if not (isinstance(required, str) and required in {*Require}):
        faults.append(Fault(json_path(("with", "require")), f"must be one of {', '.join(Require)}"))
    if faults:
        raise UnusableSettings("the audit logger cannot answer by these settings", faults)
    return Require(required)
