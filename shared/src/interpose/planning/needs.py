"""`needs`: which hooks wait for which, and what nobody can wait for (docs/adr/0010-order-conditions-shadows.md)."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from interpose.contracts.config import HookSpec
from interpose.contracts.words import Mode, Phase
from interpose.planning.objection import Objection, Placed


def need_objections(hooks: Sequence[Placed], broken: Collection[str] = ()) -> Iterator[Objection]:
    """Needs that cannot be met, in the file's order. A hook in `broken` is known, and nothing else about it is."""
    named = {one.hook.name: one.hook for one in hooks}
    phases: defaultdict[str, set[Phase]] = defaultdict(set)
    for one in hooks:
        phases[one.hook.name].add(one.key.phase)
    for name, hook in named.items():
        for index, need in enumerate(hook.needs):
            if need in named:
                message = _objection(hook, named[need], is_met=bool(phases[name] & phases[need]))
            else:
                message = None if need in broken else f"there is no hook {need}: correct the name, or add the hook"
            if message:
                yield Objection(name, ("needs", index), message)
    for ring in _rings({name: hook.needs for name, hook in named.items()}):
        way = " needs ".join([*ring, ring[0]])
        yield Objection(ring[0], ("needs",), f"nobody could be asked first: {way}; take one of these needs out")


def _objection(hook: HookSpec, needed: HookSpec, *, is_met: bool) -> str | None:
    if hook.transforming and not needed.transforming:
        return (
            f"{hook.name} transforms and is asked before {needed.name} judges what comes of it: it cannot wait for it"
        )
    if hook.mode is Mode.ENFORCE and needed.mode is Mode.SHADOW:
        return f"{needed.name} is in shadow and feeds nobody: enforce it too, or put {hook.name} in shadow"
    if not is_met:
        return f"{needed.name} has no key in a phase of {hook.name}, so they never meet: give it one, or drop the need"
    return None


def _rings(needs: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Every ring of hooks that wait for each other, until none is left."""
    left = _stuck(needs)
    while left:
        way = [next(iter(left))]
        while (following := next(need for need in left[way[-1]] if need in left)) not in way:
            way.append(following)
        ring = way[way.index(following) :]
        yield ring
        left = _stuck({name: needed for name, needed in left.items() if name not in ring})


def _stuck(needs: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Without all hooks that could be asked, one after another."""
    left = dict(needs)
    while free := [name for name, needed in left.items() if not any(need in left for need in needed)]:
        for name in free:
            del left[name]
    return left
