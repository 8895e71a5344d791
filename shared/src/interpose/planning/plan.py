"""The plan: which hooks are asked, in which order, from one revision. Pure.

Before: `*`, prefixes (shorter first), `tool`, `tool.action`; inside a key the file's order. After: the groups
mirrored, `*` last, so that a global sanitizer sees the final text. Transforming hooks form the chain; all others
judge its end in parallel. A hook stands behind those that it needs, and else where its key puts it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from interpose.canonical.identity import Identity
from interpose.conditions.condition import Condition
from interpose.contracts.config import HookSpec
from interpose.contracts.keys import Key, Names, Rank
from interpose.contracts.words import Mode, Phase
from interpose.planning.entries import Entry


@dataclass(frozen=True, slots=True)
class Step:
    """One hook of a plan, and the name of the tool as the key that planned it spells the tool."""

    hook: HookSpec
    tool: str
    condition: Condition | None = None
    origin: str | None = None

    @property
    def is_shadow(self) -> bool:
        """Whether it only looks on: it stands at its place and takes no time of the call."""
        return self.hook.mode is Mode.SHADOW


@dataclass(frozen=True)
class Plan:
    """The chain runs one after another; judging hooks run in parallel on what the chain left.

    Without slots, so that its worst case is reckoned once: a revision uses a plan for all calls of the same names.
    """

    phase: Phase
    chain: tuple[Step, ...]
    judging: tuple[Step, ...]

    @cached_property
    def worst_case_ms(self) -> int:
        """The longest this plan may take: the chain's timeouts, then the longest way through judges that wait."""
        chain = sum(step.hook.timeout for step in self.chain if not step.is_shadow)
        ends: dict[str, int] = {}
        for step in self.judging:
            if not step.is_shadow:
                start = max((ends.get(need, 0) for need in step.hook.needs), default=0)
                ends[step.hook.name] = start + step.hook.timeout
        return chain + max(ends.values(), default=0)


def make_plan(entries: Sequence[Entry], phase: Phase, identity: Identity) -> Plan:
    """Every hook whose key matches, each once, in order. The entries' needs go in no circle (`entries_of`)."""
    names = identity.names
    steps: dict[str, Step] = {}
    for entry in _matching(entries, phase, names):
        step = Step(entry.hook, _spelled(entry.key, identity), entry.condition, entry.origin)
        steps.setdefault(entry.hook.name, step)
    chain = [step for step in steps.values() if step.hook.transforming]
    judging = [step for step in steps.values() if not step.hook.transforming]
    return Plan(phase, _behind_needs(chain), _behind_needs(judging))


def _behind_needs(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Each time the first that waits for nobody: the same file gives the same order, however its needs are written."""
    if not any(step.hook.needs for step in steps):
        return tuple(steps)
    waiting = {step.hook.name: step for step in steps}
    ordered: list[Step] = []
    while waiting:
        name = next(name for name, step in waiting.items() if waiting.keys().isdisjoint(step.hook.needs))
        ordered.append(waiting.pop(name))
    return tuple(ordered)


def _matching(entries: Sequence[Entry], phase: Phase, names: Names) -> list[Entry]:
    found: list[tuple[tuple[int, int], Entry]] = []
    for entry in entries:
        rank = entry.key.match(names) if entry.key.phase is phase else None
        if rank is not None:
            found.append((_group(entry.key, rank, phase), entry))
    # Sorting is stable: inside a group the file's order stands.
    found.sort(key=lambda item: item[0])
    return [entry for _, entry in found]


def _group(key: Key, rank: Rank, phase: Phase) -> tuple[int, int]:
    length = len(key.pattern) if rank is Rank.PREFIX else 0
    return (rank, length) if phase is Phase.BEFORE else (-rank, -length)


def _spelled(key: Key, identity: Identity) -> str:
    """The canonical name where the key meets it, else the view that it meets, else the caller's own spelling."""
    # A key that meets the call meets it by one of its names.
    return next(name for name in identity.spellings if key.match(Names.of({name}, identity.action)) is not None)
