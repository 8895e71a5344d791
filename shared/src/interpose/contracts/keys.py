"""Hook keys: `before:` or `after:`, then `*`, a prefix ending in `*`, `tool`, or `tool.action`.

A key is compared whole with every name of the tool first and split at its last dot only then. Where an action
cannot be told, every `tool.<action>` key of the tool matches: the reading that asks one hook more.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from interpose.contracts.names import fold
from interpose.contracts.words import Phase


class Rank(IntEnum):
    """How specific a match is; before hooks run from the least to the most specific."""

    EVERYTHING = 0
    PREFIX = 1
    TOOL = 2
    TOOL_ACTION = 3


@dataclass(frozen=True, slots=True)
class Names:
    """What a key is compared with: every name of the tool (canonical, native, views), folded, and its action."""

    tools: frozenset[str]
    action: str | None

    @classmethod
    def of(cls, tools: Collection[str], action: str | None) -> Self:
        """Fold the names once, so that matching many keys stays cheap."""
        return cls(frozenset(fold(tool) for tool in tools), None if action is None else fold(action))

    @property
    def dotted(self) -> frozenset[str]:
        """The names with their action behind a dot; empty when the action cannot be told."""
        return frozenset() if self.action is None else frozenset(f"{tool}.{self.action}" for tool in self.tools)


@dataclass(frozen=True, slots=True)
class Key:
    """A parsed key. `pattern` is folded; `text` is what the file says."""

    text: str
    phase: Phase
    pattern: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `before:message.send`. Raises ValueError with the remedy."""
        phase, colon, pattern = text.partition(":")
        if not colon or phase not in set(Phase):
            raise ValueError("a key begins with before: or after:, as in before:message.send")
        folded = fold(pattern)
        if not folded:
            raise ValueError(f"a key names a tool behind the colon; {phase}:* means every tool")
        if "*" in folded[:-1]:
            raise ValueError("a star stands alone or at the end, as in before:mcp__github__*")
        return cls(text, Phase(phase), folded)

    @property
    def is_prefix(self) -> bool:
        """Whether the key ends in a star."""
        return self.pattern.endswith("*")

    def match(self, names: Names) -> Rank | None:
        """How specifically this key matches, or None."""
        if self.pattern == "*":
            return Rank.EVERYTHING
        if self.is_prefix:
            return Rank.PREFIX if self._begins(names) else None
        if self.pattern in names.tools:
            return Rank.TOOL
        return Rank.TOOL_ACTION if self._matches_action(names) else None

    def _begins(self, names: Names) -> bool:
        prefix = self.pattern[:-1]
        if any(name.startswith(prefix) for name in names.tools | names.dotted):
            return True
        return names.action is None and any(prefix.startswith(f"{tool}.") for tool in names.tools)

    def _matches_action(self, names: Names) -> bool:
        if self.pattern in names.dotted:
            return True
        tool, dot, _ = self.pattern.rpartition(".")
        return bool(dot) and names.action is None and tool in names.tools
