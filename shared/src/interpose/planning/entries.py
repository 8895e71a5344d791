"""A configuration's hooks one by one, each with its key parsed: what a plan is made from."""

from dataclasses import dataclass

from interpose.contracts.config import Configuration, HookSpec
from interpose.contracts.keys import Key


@dataclass(frozen=True, slots=True)
class Entry:
    """One hook under one key; entries stand in the file's order."""

    key: Key
    hook: HookSpec


def entries_of(configuration: Configuration) -> tuple[Entry, ...]:
    """Every hook of a configuration, as often as it has keys."""
    return tuple(Entry(Key.parse(key), hook) for key, hooks in configuration.hooks.items() for hook in hooks)
