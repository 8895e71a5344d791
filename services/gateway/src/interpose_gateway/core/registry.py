"""One revision of the registry, indexed for planning. A call keeps the revision it started with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from interpose.canonical.identity import Identity
from interpose.canonical.tools import Tools
from interpose.contracts.canonical import Naming
from interpose.contracts.config import Configuration, GatewaySection, ToolSpec
from interpose.contracts.model import JsonObject
from interpose.contracts.names import fold
from interpose.contracts.words import Phase
from interpose.errors import Fault
from interpose.planning.entries import Entry, entries_of
from interpose.planning.plan import Plan, make_plan

SchemaCheck = Callable[[JsonObject], Sequence[Fault]]
"""Checks parameters against a tool's input schema; no faults = good."""

UNDECLARED = ToolSpec()


@dataclass(frozen=True, slots=True)
class Revision:
    """An applied configuration: what it says, its number and its digest."""

    number: int
    digest: str
    entries: tuple[Entry, ...]
    tools: Tools
    schemas: Mapping[str, SchemaCheck] = field(default_factory=dict)
    unknown_tool: str = "allow"
    gateway: GatewaySection = field(default_factory=GatewaySection)
    naming: JsonObject = field(default_factory=dict)
    """What the canonicalizer has to know of the configuration, as it is sent to it."""

    @classmethod
    def of(
        cls, number: int, digest: str, configuration: Configuration, schemas: Mapping[str, SchemaCheck] | None = None
    ) -> "Revision":
        """Index a configuration. `schemas` maps folded tool names to compiled checks."""
        tools = Tools.of(configuration.tools, configuration.tool_aliases)
        return cls(
            number,
            digest,
            entries_of(configuration),
            tools,
            schemas or {},
            configuration.defaults.unknown_tool,
            configuration.gateway,
            Naming.of(configuration).to_wire(),
        )

    def plan(self, phase: Phase, identity: Identity) -> Plan:
        """The hooks that this call meets in one phase."""
        return make_plan(self.entries, phase, identity)

    def tool(self, canonical: str) -> ToolSpec:
        """The tool's specification; an undeclared tool may still be served on the bus."""
        found = self.tools.find(canonical)
        return found[1] if found else UNDECLARED

    def declares(self, canonical: str) -> bool:
        """Whether the configuration names this tool."""
        return self.tools.find(canonical) is not None

    def faults(self, canonical: str, parameters: JsonObject) -> Sequence[Fault]:
        """What the tool's input schema says against these parameters."""
        check = self.schemas.get(fold(canonical))
        return check(parameters) if check else ()
