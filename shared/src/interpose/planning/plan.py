"""The plan: which hooks are asked, in which order, from one revision. Pure.

Before: `*`, prefixes (shorter first), `tool`, `tool.action`; inside a key the file's order. After: the groups
mirrored, `*` last, so that a global sanitizer sees the final text. Transforming hooks form the chain; all others
judge its end in parallel.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from interpose.canonical.identity import Identity
from interpose.contracts.config import HookSpec
from interpose.contracts.keys import Key, Names, Rank
from interpose.contracts.words import Phase
from interpose.planning.entries import Entry


@dataclass(frozen=True, slots=True)
class Step:
    """One hook of a plan, and the name of the tool as the key that planned it spells the tool."""

    hook: HookSpec
    tool: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The chain runs one after another; judging hooks run in parallel on what the chain left."""

    phase: Phase
    chain: tuple[Step, ...]
    judging: tuple[Step, ...]

    @property
    def worst_case_ms(self) -> int:
        """The longest this plan may take: the chain's timeouts, then the slowest judge."""
        chain = sum(step.hook.timeout for step in self.chain)
        return chain + max((step.hook.timeout for step in self.judging), default=0)


def make_plan(entries: Sequence[Entry], phase: Phase, identity: Identity) -> Plan:
    """Every hook whose key matches, each once, in order."""
    names = identity.names
    steps: dict[str, Step] = {}
    for key, hook in _matching(entries, phase, names):
        steps.setdefault(hook.name, Step(hook, _spelled(key, identity)))
    chain = tuple(step for step in steps.values() if step.hook.transforming)
    judging = tuple(step for step in steps.values() if not step.hook.transforming)
    return Plan(phase, chain, judging)


def _matching(entries: Sequence[Entry], phase: Phase, names: Names) -> list[tuple[Key, HookSpec]]:
    found: list[tuple[tuple[int, int], Entry]] = []
    for entry in entries:
        rank = entry.key.match(names) if entry.key.phase is phase else None
        if rank is not None:
            found.append((_group(entry.key, rank, phase), entry))
    # Sorting is stable: inside a group the file's order stands.
    found.sort(key=lambda item: item[0])
    return [(entry.key, entry.hook) for _, entry in found]


def _group(key: Key, rank: Rank, phase: Phase) -> tuple[int, int]:
    length = len(key.pattern) if rank is Rank.PREFIX else 0
    return (rank, length) if phase is Phase.BEFORE else (-rank, -length)


def _spelled(key: Key, identity: Identity) -> str:
    """The canonical name where the key meets it, else the view that it meets, else the caller's own spelling."""
    met = (name for name in identity.spellings if key.match(Names.of({name}, identity.action)) is not None)
    return next(met, identity.native)
