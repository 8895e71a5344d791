"""One event to try: a call, who makes it, what its tool would answer, and what is expected of the hooks."""

from typing import Any

import orjson
from pydantic import Field

from interpose.contracts import limits
from interpose.contracts.call import CallContext
from interpose.contracts.clients import EVERYONE, ClientEntry
from interpose.contracts.model import Closed, JsonObject
from interpose.contracts.strict import read_model
from interpose.contracts.words import Decision, Status
from interpose_gateway.core.entry import Caller

CLIENT = "trial"
EVENT_BYTES = limits.CALL_BYTES + limits.RESPONSE_BYTES


class Client(Closed):
    """What the caller's credential would say of it."""

    tenant: str = "default"
    agent: str | None = None
    platform: str | None = None


class Expected(Closed):
    """What must hold; a field that is left out is not looked at. `hooks` maps names to endings, as in the answer."""

    decision: Decision | None = Field(default=None, strict=False)
    code: str | None = None
    decided_by: str | None = None
    parameters: JsonObject | None = None
    response: Any = None
    hooks: dict[str, str] = Field(default_factory=dict)


class Event(Closed):
    """The fields of a call, and beside them `client`, `response` with `status`, and `expect`.

    With a `response` the after hooks are asked too, as if the tool had answered so.
    """

    tool: str
    action: str | None = None
    parameters: JsonObject = Field(default_factory=dict)
    context: CallContext = Field(default_factory=CallContext)
    timeout_ms: int | None = None
    client: Client = Field(default_factory=Client)
    response: Any = None
    status: Status = Field(default=Status.SUCCESS, strict=False)
    expect: Expected | None = None

    @property
    def has_response(self) -> bool:
        """Whether the event says what the tool answered; null is an answer."""
        return "response" in self.model_fields_set

    @property
    def caller(self) -> Caller:
        """Who makes the call: a client that may speak for everybody, since nobody's rights are tried here."""
        entry = ClientEntry(token_sha256="0" * 64, users=[EVERYONE], **self.client.model_dump())
        return Caller(CLIENT, entry)

    def body(self) -> bytes:
        """The call as a client would send it."""
        sent = {"tool": self.tool, "action": self.action, "parameters": self.parameters, "timeout_ms": self.timeout_ms}
        context = self.context.model_dump(mode="json", exclude_none=True)
        call = {name: value for name, value in sent.items() if value is not None}
        return orjson.dumps({**call, "context": context, "dry_run": not self.has_response})


def read_event(data: bytes, what: str) -> Event:
    """Parse strictly. Raises InvalidInput with every fault and its place."""
    return read_model(Event, data, limit=EVENT_BYTES, what=what)
