"""The normal form of an event: one set of words for people and for history, whatever platform it comes from."""

from dataclasses import dataclass, field
from typing import Any

from interpose.canonical.mcp import McpName
from interpose.contracts.canonical import Intent, Target
from interpose.contracts.model import JsonObject


@dataclass(frozen=True, slots=True)
class NormalForm:
    """`None` of a field: there is nothing to tell, and it is left out where the form is shown.

    `affected_paths` are whole paths: they are told only where each is known whole.
    """

    platform: str
    event: str
    """`pre`, `post`, or `other` of no tool."""
    native_tool_name: str | None
    canonical_tool_name: str | None
    domain_kind: str
    canonical_arguments: JsonObject
    extra_arguments: JsonObject
    native_event: str | None = None
    """The platform's own name of the event, where the platform has two spellings that mean two payloads."""
    mcp: McpName | None = None
    known_servers: tuple[str, ...] | None = None
    """The servers that the MCP name was told by, where they were needed."""
    request_id: str | int | None = None
    affected_paths: tuple[str, ...] | None = None
    is_error: bool | None = None
    output_text: str | None = None
    output_replaceable: bool | None = None

    call_id: str | None = field(default=None, kw_only=True)
    is_mapped: bool = field(default=False, kw_only=True)
    matches_model: bool | None = field(default=None, kw_only=True)
    """Whether the arguments fit the platform's own model of its tool; None where it has none."""
    targets: tuple[Target, ...] = field(default=(), kw_only=True)
    intents: tuple[Intent, ...] = field(default=(), kw_only=True)

    def to_wire(self) -> JsonObject:
        """As `interpose canonicalize` shows it: what is known of the event, in one order."""
        always = ("platform", "event", "native_tool_name", "canonical_tool_name", "domain_kind")
        told: dict[str, Any] = {name: getattr(self, name) for name in always}
        told |= {"canonical_arguments": self.canonical_arguments, "extra_arguments": self.extra_arguments}
        if self.mcp is not None:
            told["mcp"] = {"server": self.mcp.server, "tool": self.mcp.tool}
        rest = ("native_event", "known_servers", "request_id", "affected_paths", "is_error", "output_text")
        for name in (*rest, "output_replaceable"):
            value = getattr(self, name)
            if value is not None:
                told[name] = list(value) if isinstance(value, tuple) else value
        return told
