"""Every hook of the file, each checked alone and against the others of its name, with its place."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from interpose.config.keys import objection
from interpose.config.source import Source
from interpose.contracts.config import HookSpec
from interpose.contracts.faults import message_of, place_of
from interpose.contracts.keys import Key
from interpose.contracts.paths import Path, json_path
from interpose.errors import Fault
from interpose.planning.entries import objections
from interpose.planning.objection import Placed


def check_hooks(source: Source) -> Iterator[Fault]:
    """What is wrong below `hooks`: keys, lists, each hook, names that stand for two hooks, conditions and needs."""
    hooks = source.value.get("hooks")
    if "hooks" not in source.value:
        yield source.fault((), 'a configuration has hooks: write "hooks": {} to enforce nothing on purpose')
    elif not isinstance(hooks, dict):
        yield source.fault(("hooks",), "must be an object whose keys say what is intercepted, as before:message.send")
    else:
        yield from _check_keys(source, hooks)
        yield from _check_specs(source, hooks)


def _check_keys(source: Source, hooks: dict[str, Any]) -> Iterator[Fault]:
    for key, listed in hooks.items():
        if message := objection(key):
            yield source.fault(("hooks", key), message)
        elif not isinstance(listed, list):
            yield source.fault(("hooks", key), "must be a list of hooks, in [ and ]")


def _check_specs(source: Source, hooks: dict[str, Any]) -> Iterator[Fault]:
    first: dict[str, tuple[Path, HookSpec]] = {}
    placed: list[Placed] = []
    broken: set[str] = set()
    for steps, raw in _listed(hooks):
        try:
            spec = HookSpec.model_validate(raw, by_name=False)
        except ValidationError as error:
            for detail in error.errors():
                yield source.fault((*steps, *place_of(detail)), message_of(detail, HookSpec))
            broken.add(str(raw.get("name")) if isinstance(raw, dict) else "")
            continue
        placed.append(Placed(Key.parse(str(steps[1])), spec))
        elsewhere, same = first.setdefault(spec.name, (steps, spec))
        if same != spec:
            where = f"{json_path(elsewhere)} (line {source.place(elsewhere)[0]})"
            yield source.fault(steps, f"{spec.name} is another hook at {where}: give one of them another name")
    for found in objections(placed, frozenset(broken)):
        yield source.fault((*first[found.hook][0], *found.steps), found.message)


def _listed(hooks: dict[str, Any]) -> Iterator[tuple[Path, Any]]:
    for key, listed in hooks.items():
        if isinstance(listed, list) and not objection(key):
            for index, raw in enumerate(listed):
                yield ("hooks", key, index), raw
