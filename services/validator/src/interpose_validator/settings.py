"""What a hook's `with` may say to the validator, read into one of two profiles. Anything else breaks the hook."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from interpose.contracts.model import JsonObject
from interpose.contracts.paths import json_path
from interpose.errors import ConfigurationError, Fault

SLACK_BLOCK_KIT = "slack-block-kit"

_KNOWN = ("schema", "surface", "enforce")


class UnusableSettings(ConfigurationError, ValueError):
    """The hook's settings cannot be judged by: the hook is broken and says neither yes nor no."""


class Surface(StrEnum):
    """Where Slack shows blocks (Slack: "Block Kit", "App surfaces")."""

    MESSAGE = "message"
    MODAL = "modal"
    HOME = "home"


@dataclass(frozen=True, slots=True)
class BlockKit:
    """Slack's blocks on one surface. With `enforce` a message without blocks is refused, otherwise it may be text."""

    surface: Surface = Surface.MESSAGE
    enforce: bool = False


@dataclass(frozen=True, slots=True)
class InlineSchema:
    """A JSON Schema that the whole value has to fit."""

    schema: JsonObject


def read(settings: JsonObject) -> BlockKit | InlineSchema:
    """The profile these settings ask for. Raises UnusableSettings with every fault at once."""
    schema = settings.get("schema")
    if schema == SLACK_BLOCK_KIT:
        return _read_block_kit(settings)
    if isinstance(schema, dict):
        return _read_inline(settings, schema)
    raise _unusable([(("schema",), f'must be "{SLACK_BLOCK_KIT}" or a JSON Schema, an object')])


def _read_block_kit(settings: JsonObject) -> BlockKit:
    surface, enforce = settings.get("surface", Surface.MESSAGE), settings.get("enforce", False)
    faults = _unknown(settings, _KNOWN)
    if not (isinstance(surface, str) and surface in {*Surface}):
        faults.append((("surface",), f"must be one of {', '.join(Surface)}"))
    if not isinstance(enforce, bool):
        faults.append((("enforce",), "must be true or false"))
    if faults:
        raise _unusable(faults)
    return BlockKit(Surface(surface), enforce)


def _read_inline(settings: JsonObject, schema: JsonObject) -> InlineSchema:
    faults = _unknown(settings, _KNOWN[:1])
    if not schema:
        faults.append((("schema",), "is empty and would accept everything: say what the value has to be"))
    if faults:
        raise _unusable(faults)
    return InlineSchema(schema)


_Placed = tuple[tuple[str, ...], str]


def _unknown(settings: dict[str, Any], known: tuple[str, ...]) -> list[_Placed]:
    message = f"unknown setting; known here: {', '.join(known)}"
    return [((name,), message) for name in settings if name not in known]


def _unusable(placed: list[_Placed]) -> UnusableSettings:
    faults = [Fault(json_path(("with", *steps)), message) for steps, message in placed]
    return UnusableSettings("the validator cannot judge by these settings", faults)
