"""One tool call as the gateway holds it while it travels: what was asked, by whom, under which revision."""

from dataclasses import dataclass

from interpose.canonical.identity import Identity
from interpose.contracts.ask import Context
from interpose.contracts.model import JsonObject
from interpose.contracts.words import Status
from interpose_gateway.core.registry import Revision


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A parsed and identified call. `deadline` is on the gateway's monotonic clock, in seconds."""

    call_id: str
    client: str
    context: Context
    identity: Identity
    parameters: JsonObject
    native_arguments: JsonObject
    native_digest: str
    revision: Revision
    deadline: float
    warnings: tuple[str, ...] = ()
    """What the gateway itself has to say about the call before any hook does."""


@dataclass(frozen=True, slots=True)
class ToolResponse:
    """What the tool answered, as after hooks see it. `wrapped`: the tool gave no object, so it stands in `content`."""

    value: JsonObject
    status: Status
    wrapped: bool
    duration_ms: float
