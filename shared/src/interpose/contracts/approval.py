"""The record of a person's answer about one call, and of what the call's second plan made of a yes."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from interpose.contracts.evaluation import ApprovalScope, Resolution
from interpose.contracts.model import Closed
from interpose.contracts.record import Producer, RecordedHook
from interpose.contracts.words import Decision

SCHEMA: Literal["interpose.approval/1"] = "interpose.approval/1"


class ApprovalRecord(Closed):
    """Stands in the stream before the answer has any effect. The call's records bear the same `call_id`.

    `what` and `by` are for people. `decision` is `run` where the call may run now; else `code` and `reason` say why
    not. `hooks` are those that were asked again.
    """

    model_config = Closed.model_config | {"serialize_by_alias": True}

    record_schema: Literal["interpose.approval/1"] = Field(default=SCHEMA, alias="schema")
    record_id: str
    call_id: str
    evaluation_id: str
    at: datetime = Field(strict=False)
    what: str
    by: str
    resolution: Resolution = Field(strict=False)
    resolved_by: str | None
    said: str | None
    """The person's own words."""
    scope: ApprovalScope | None = Field(strict=False)
    resolver: str
    """The client that told the answer."""
    client: str
    """The client that evaluated the call."""
    tool: str
    action: str | None
    revision: int | None
    registry_digest: str | None
    decision: Decision = Field(strict=False)
    decided_by: str | None
    code: str | None
    reason: str | None
    final_digest: str | None
    """Of the parameters that the person was asked about: a yes is for these and no others."""
    hooks: list[RecordedHook] = Field(default_factory=list)
    trace_id: str | None
    span_id: str | None
    producer: Producer

    def to_wire(self) -> dict[str, Any]:
        """The record as a JSON object, absent parts as null."""
        return self.model_dump(mode="json", by_alias=True)
