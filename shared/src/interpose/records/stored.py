"""One record as the stream holds it: its bytes, unchanged, and what the broker says of them."""

from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import ValidationError

from interpose.contracts.approval import ApprovalRecord
from interpose.contracts.record import Record, ShadowRecord
from interpose.contracts.words import Phase

CALL = "call"
"""The kind of the records of calls; every other kind is named by its subject: `registry`, `shadow`, what may come."""


@dataclass(frozen=True, slots=True)
class Stored:
    """`sequence` is its number in the stream, `stored_ns` when it was stored there (ns since 1970)."""

    sequence: int
    subject: str
    message_id: str | None
    stored_ns: int
    data: bytes

    @property
    def kind(self) -> str:
        """What it records: `call`, `registry`, `shadow`… as its subject says."""
        _, _, rest = self.subject.partition("tool.record.")
        first = rest.partition(".")[0]
        return CALL if first in {*Phase} else first or self.subject

    @property
    def body(self) -> Any:
        """Its JSON; text with replaced characters where it is none."""
        try:
            return orjson.loads(self.data)
        except orjson.JSONDecodeError:
            return self.data.decode(errors="replace")

    @property
    def record(self) -> Record | None:
        """Its model, where it is the record of a call in a form that this version knows."""
        try:
            return Record.model_validate_json(self.data)
        except ValidationError:
            return None

    @property
    def shadow(self) -> ShadowRecord | None:
        """Its model, where it is what shadow hooks said of a call."""
        try:
            return ShadowRecord.model_validate_json(self.data)
        except ValidationError:
            return None

    @property
    def approval(self) -> ApprovalRecord | None:
        """Its model, where it is a person's answer about a call."""
        try:
            return ApprovalRecord.model_validate_json(self.data)
        except ValidationError:
            return None

    @property
    def call_id(self) -> str | None:
        """The call it belongs to."""
        body = self.body
        found = body.get("call_id") if isinstance(body, dict) else None
        return found if isinstance(found, str) else None
