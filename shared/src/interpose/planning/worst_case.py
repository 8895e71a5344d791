"""The longest that calls may wait for their hooks: told when a configuration is applied, before any call waits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interpose.canonical.identity import Identity
from interpose.canonical.resolve import Resolver
from interpose.canonical.tools import Tools
from interpose.contracts.names import fold
from interpose.contracts.words import Phase
from interpose.errors import InvalidInput
from interpose.planning.entries import Entry
from interpose.planning.plan import Plan, make_plan

ANY = "*"
_REST = "…"
"""Stands for the rest of a name behind a prefix: no key names it."""


@dataclass(frozen=True, slots=True)
class WorstCase:
    """One tool or key and what its calls meet. `subject` is written as in a key; `*` is a tool that nothing names."""

    subject: str
    before: Plan
    after: Plan

    @property
    def before_ms(self) -> int:
        """The longest that its before hooks may take."""
        return self.before.worst_case_ms

    @property
    def after_ms(self) -> int:
        """The longest that its after hooks may take."""
        return self.after.worst_case_ms


def worst_cases(entries: Sequence[Entry], tools: Tools, also: Sequence[str] = ()) -> tuple[WorstCase, ...]:
    """Each declared tool, each key in the file's order, each of `also`, then all others. Conditions are taken as true.

    A call may meet more than its subject tells: where its action cannot be told, or where it goes by two names.
    """
    return tuple(_worst_case(subject, entries, tools) for subject in _subjects(entries, tools, also))


def _subjects(entries: Sequence[Entry], tools: Tools, also: Sequence[str]) -> Iterator[str]:
    patterns = [entry.key.text.partition(":")[2].strip() for entry in entries]
    known: set[str] = {ANY}
    for subject in [*(name for name, _ in tools.specs.values()), *patterns, *also]:
        if fold(subject) not in known:
            known.add(fold(subject))
            yield subject
    yield ANY


def _worst_case(subject: str, entries: Sequence[Entry], tools: Tools) -> WorstCase:
    name = subject.removesuffix(ANY) + _REST if subject.endswith(ANY) else subject
    before, after = (make_plan(entries, phase, _called(name, tools)) for phase in Phase)
    return WorstCase(subject, before, after)


def _called(name: str, tools: Tools) -> Identity:
    """A call by this name. What stands behind the last dot of a name that nothing knows is taken for an action."""
    try:
        found = Resolver(None, tools).resolve(name)
    except InvalidInput:  # a key may hold what no tool's name may
        return Identity(name, name, None, "")
    head, dot, action = name.rpartition(".")
    if not found.mapped and head and dot:
        return Identity(head, head, action, found.kind)
    own = name if found.action is None else name.removesuffix(f".{found.action}")
    return Identity(found.tool, own, found.action, found.kind, (found.view,) if found.view else ())
