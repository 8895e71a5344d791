"""Which records somebody wants: the one meaning of each filter, as SQL over the store."""

from dataclasses import dataclass
from datetime import datetime

from interpose.contracts.words import Decision, Outcome, Phase
from interpose.records.columns import microseconds
from interpose.records.kinds import Kind

_EQUAL = ("call_id", "trace_id", "client", "user", "session", "decision", "code", "outcome", "phase", "kind")


@dataclass(frozen=True, slots=True)
class Wanted:
    """All that is named must hold. `tool` is a tool or `tool.action`; `since` is included, `until` is not."""

    call_id: str | None = None
    trace_id: str | None = None
    tool: str | None = None
    client: str | None = None
    user: str | None = None
    session: str | None = None
    decision: Decision | None = None
    code: str | None = None
    hook: str | None = None
    outcome: Outcome | None = None
    phase: Phase | None = None
    kind: Kind | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return self == Wanted()

    def where(self) -> tuple[str, list[str | int]]:
        """A condition on the table `records`, and its parameters in order."""
        parts: list[str] = []
        given: list[str | int] = []
        for name in _EQUAL:
            value = getattr(self, name)
            if value is not None:
                parts.append(f"records.{name} = ?")
                given.append(str(value))
        if self.tool is not None:
            parts.append(
                "(records.tool = ? OR (records.action IS NOT NULL AND records.tool || '.' || records.action = ?))"
            )
            given += [self.tool, self.tool]
        if self.hook is not None:
            parts.append("records.id IN (SELECT record_id FROM hooks WHERE name = ?)")
            given.append(self.hook)
        for moment, compared in ((self.since, ">="), (self.until, "<")):
            if moment is not None:
                parts.append(f"records.at_us {compared} ?")
                given.append(microseconds(moment))
        return " AND ".join(parts) or "TRUE", given
