"""What a call is: its tool's one name beside the caller's own, its action, its kind, what else it meets and touches."""

from dataclasses import dataclass

from interpose.canonical.mcp import McpName
from interpose.contracts.canonical import Intent, Target
from interpose.contracts.keys import Names


@dataclass(frozen=True, slots=True)
class Identity:
    """`canonical` is the tool's one name, `native` the caller's spelling; `action` None when it cannot be told.

    `views` are further tools whose rules the call meets: a patch that adds a file is a `Write` as well. `mapped` tells
    whether a table, the configuration or the form of an MCP name knows the tool.
    """

    canonical: str
    native: str
    action: str | None
    kind: str
    views: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    mapped: bool = True
    mcp: McpName | None = None
    intents: tuple[Intent, ...] = ()

    @property
    def names(self) -> Names:
        """What hook keys are compared with."""
        return Names.of({self.canonical, self.native, *self.views}, self.action)

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every name of the tool, the canonical one first and the caller's own last."""
        return (self.canonical, *self.views, self.native)
