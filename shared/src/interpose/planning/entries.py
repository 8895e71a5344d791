"""A configuration's hooks one by one, each with its key parsed and its condition compiled: what a plan is made from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interpose.conditions.condition import BadCondition, Condition, compile_condition
from interpose.contracts.config import Configuration, HookSpec
from interpose.contracts.keys import Key
from interpose.contracts.paths import Path, json_path
from interpose.errors import ConfigurationError, Fault
from interpose.planning.needs import need_objections
from interpose.planning.objection import Objection, Placed


@dataclass(frozen=True, slots=True)
class Entry:
    """One hook under one key; entries stand in the file's order. `condition` None: the hook is always asked.

    `origin` says who brought the hook in, in words, where that is known.
    """

    key: Key
    hook: HookSpec
    condition: Condition | None = None
    origin: str | None = None


def entries_of(configuration: Configuration) -> tuple[Entry, ...]:
    """Every hook of a configuration, as often as it has keys. Raises ConfigurationError with every objection."""
    placed = list(_placed(configuration))
    first: dict[str, Path] = {}
    for steps, one in placed:
        first.setdefault(one.hook.name, steps)
    hooks = [one for _, one in placed]
    faults = [Fault(json_path((*first[found.hook], *found.steps)), found.message) for found in objections(hooks)]
    if faults:
        raise ConfigurationError("these hooks cannot be planned", faults)
    return tuple(Entry(one.key, one.hook, _condition(one.hook)) for one in hooks)


def objections(hooks: Sequence[Placed], broken: frozenset[str] = frozenset()) -> Iterator[Objection]:
    """What is wrong with conditions and needs, each hook told of once. `broken`: hooks left out as faulty."""
    for hook in {one.hook.name: one.hook for one in hooks}.values():
        try:
            _condition(hook)
        except BadCondition as error:
            yield Objection(hook.name, ("when",), str(error))
    yield from need_objections(hooks, broken)


def _condition(hook: HookSpec) -> Condition | None:
    return None if hook.when is None else compile_condition(hook.when)


def _placed(configuration: Configuration) -> Iterator[tuple[Path, Placed]]:
    for key, hooks in configuration.hooks.items():
        for index, hook in enumerate(hooks):
            yield ("hooks", key, index), Placed(Key.parse(key), hook)
