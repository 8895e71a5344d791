"""The call an agent makes of the gateway, and the answer it gets."""

from typing import Any, Literal

from pydantic import Field

from interpose.contracts.limits import NAME_CHARACTERS
from interpose.contracts.model import Closed, JsonObject, encode_fields
from interpose.contracts.words import Decision, Effect, Failure, Phase, VerdictKind


class CallContext(Closed):
    """What a caller may say beside the call: its session, a user its credential may speak for, an id of its own."""

    session: str | None = Field(default=None, max_length=NAME_CHARACTERS)
    user: str | None = Field(default=None, max_length=NAME_CHARACTERS)
    request_id: str | None = Field(default=None, max_length=NAME_CHARACTERS)


class Call(Closed):
    """`POST /v1/calls` and `gateway.call.<client>`. `timeout_ms` is the whole call's budget."""

    tool: str = Field(min_length=1, max_length=NAME_CHARACTERS)
    action: str | None = Field(default=None, min_length=1, max_length=NAME_CHARACTERS)
    parameters: JsonObject
    context: CallContext = Field(default_factory=CallContext)
    timeout_ms: int | None = Field(default=None, ge=100, le=3_600_000)
    wait: bool = False
    dry_run: bool = False


class AnswerError(Closed):
    """One fault of a refused call, with its place."""

    path: str
    message: str
    limit: int | None = None
    given: int | None = None


class HookReport(Closed):
    """What one hook did: its verdict or its failure, and what that did to the call. `ms` is the gateway's clock."""

    name: str
    phase: Phase
    verdict: VerdictKind | None = None
    failure: Failure | None = None
    effect: Effect
    ms: float
    worker: str | None = None
    reason: str | None = None


class Answer(Closed):
    """What the agent gets. `ran` tells whether the tool ran, so that nobody retries a call that did."""

    call_id: str | None
    trace_id: str | None
    revision: int | None
    decision: Decision
    ran: bool | Literal["unknown"]
    withheld: bool = False
    reason: str | None = None
    code: str | None = None
    decided_by: str | None = None
    warnings: list[str] = Field(default_factory=list)
    errors: list[AnswerError] = Field(default_factory=list)
    parameters: JsonObject | None = None
    response: Any = None
    hooks: list[HookReport] = Field(default_factory=list)

    def to_wire(self) -> dict[str, Any]:
        """The answer as JSON; optional parts of hooks and errors are absent, not null; no response, no key."""
        wire = self.model_dump(mode="json", exclude={"hooks", "errors", "response"})
        wire["errors"] = [error.model_dump(mode="json", exclude_none=True) for error in self.errors]
        wire["hooks"] = [hook.model_dump(mode="json", exclude_none=True) for hook in self.hooks]
        if "response" in self.model_fields_set:
            wire["response"] = self.response
        return wire

    def to_bytes(self) -> bytes:
        """What `to_wire` says, encoded."""
        fields = dict(vars(self))
        fields["errors"] = [_present(error) for error in self.errors]
        fields["hooks"] = [_present(hook) for hook in self.hooks]
        if "response" not in self.model_fields_set:
            del fields["response"]
        return encode_fields(fields)


def _present(part: AnswerError | HookReport) -> dict[str, Any]:
    return {name: value for name, value in vars(part).items() if value is not None}
