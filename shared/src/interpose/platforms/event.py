"""One shape for what any platform's hook says: which tool, with which arguments, before or after, and where."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from interpose.canonical.mcp import McpName
from interpose.contracts.model import JsonObject

RAW = "_raw"
"""Where arguments stand that are no object: everything that judges or shows arguments sees them."""


class Moment(StrEnum):
    """When a platform's hook speaks."""

    BEFORE = "before"
    AFTER = "after"
    INSTALL = "install"
    OTHER = "other"
    """Of no tool: a session's begin, a prompt."""


@dataclass(frozen=True, slots=True)
class ToolEvent:
    """`tool` and `arguments` are the platform's own words, untouched, and `payload` is all that it sent.

    `call_id` is unique to one call where the platform has such an id; `run_id` is shared by the calls of one turn.
    """

    platform: str
    name: str
    """The platform's own name of the event."""
    moment: Moment
    tool: str
    """Empty where the event names none: those of no tool, and an MCP response, which its `call_id` joins."""
    arguments: JsonObject
    payload: JsonObject
    call_id: str | None = None
    run_id: str | None = None
    session: str | None = None
    agent: str | None = None
    cwd: str | None = None
    mcp: McpName | None = None
    servers: tuple[str, ...] = ()
    """MCP servers that the event itself tells of."""
    response: "Response | None" = None
    """What came back, of an event after the call."""
    raw_arguments: Any = field(default=None)
    """The arguments as they came where they were no object; `arguments` is then `{"_raw": …}`."""
    is_script: bool = False
    """Whether a tool that else runs a shell command is given a program in another language (OpenClaw's code mode)."""


@dataclass(frozen=True, slots=True)
class Response:
    """What a tool gave back. `text` is what the model would read of it, where the platform tells."""

    value: Any
    text: str | None
    is_error: bool
    is_replaceable: bool | None
    """Whether the platform lets a hook put something else in its place; None where no document says."""
    duration_ms: float | None = None
