"""What the planning reads of a hook, and what it may have against it."""

from dataclasses import dataclass

from interpose.contracts.config import HookSpec
from interpose.contracts.keys import Key
from interpose.contracts.paths import Path


@dataclass(frozen=True, slots=True)
class Placed:
    """A hook under one of its keys."""

    key: Key
    hook: HookSpec


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a hook refuses the configuration: its name, the path below it, and a sentence with the remedy."""

    hook: str
    steps: Path
    message: str
