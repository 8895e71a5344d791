"""The core's ports of a trial: one revision, no record, no metric, and a tool that answers what the event says."""

from dataclasses import dataclass
from typing import Any

from interpose.contracts.record import RecordedHook, ShadowRecord
from interpose.contracts.words import Outcome, Phase, Status
from interpose_gateway.core.ports import Execution
from interpose_gateway.core.registry import Revision
from interpose_gateway.trial.event import Event

OUTCOMES = {Status.SUCCESS: Outcome.SUCCESS, Status.ERROR: Outcome.ERROR}


@dataclass(frozen=True, slots=True)
class OneRevision:
    """The candidate is in force, for this trial alone."""

    revision: Revision

    def confirmed(self) -> Revision:
        """Always."""
        return self.revision

    def trouble(self) -> str:
        """Never asked for: there is a revision."""
        return ""


class NoRecord:
    """A trial is nobody's call: nothing of it is put on record. What shadows said is kept to be shown."""

    def __init__(self) -> None:
        self.shadows: list[RecordedHook] = []

    async def write(self, record: object, timeout_s: float) -> int:
        """Let it pass, so that the call goes on."""
        return 0

    def owe(self, *records: object) -> None:
        """Nothing is owed."""

    async def note(self, record: ShadowRecord) -> bool:
        """Keep what the shadows of one phase said."""
        self.shadows += record.hooks
        return True


@dataclass(frozen=True, slots=True)
class ToldTool:
    """Runs nothing: the tool's answer stands in the event."""

    event: Event

    async def execute(self, *_order: Any, **_settings: Any) -> Execution:
        """What the tool would have answered."""
        return Execution(OUTCOMES[self.event.status], self.event.response)


class Unobserved:
    """Counts nothing: a trial must not move a dashboard."""

    def ended(self, hook: str, phase: Phase, ending: str, seconds: float, *, is_waived: bool) -> None:
        """An ask ended."""

    def decided(self, phase: Phase, decision: str) -> None:
        """A phase was decided."""

    def alarm(self, kind: str, message: str) -> None:
        """The answer tells it as well."""
