"""What a tool served on the bus is sent, and what it answers."""

from typing import Any

from pydantic import Field

from interpose.contracts.ask import Context
from interpose.contracts.model import Closed, JsonObject, Open
from interpose.contracts.words import Status


class Run(Open):
    """One order to run a tool. Never sent twice: a worker refuses a `call_id` that it has seen."""

    tool: str
    action: str | None = None
    parameters: JsonObject
    call_id: str
    context: Context = Field(default_factory=Context)


class RunReply(Closed):
    """The tool's own answer. One that broke answers `error`; one that never started uses the service error headers."""

    status: Status = Field(strict=False)
    response: Any = None
