"""What every event of an agent's hook needs: the core's calls, what has not come back yet, and the clock."""

from dataclasses import dataclass

from interpose_gateway.core.evaluated.calls import AgentCalls
from interpose_gateway.core.evaluated.native.ports import HookTally, Waitings
from interpose_gateway.core.ports import Clock, Observer


@dataclass(frozen=True, slots=True)
class Means:
    """Shared by all events."""

    calls: AgentCalls
    waitings: Waitings
    tally: HookTally

    @property
    def clock(self) -> Clock:
        """The desk's."""
        return self.calls.desk.stations.clock

    @property
    def observer(self) -> Observer:
        """Hears alarms."""
        return self.calls.desk.stations.observer

    @property
    def open_s(self) -> float:
        """How long a call may take to come back."""
        return self.calls.desk.open_s
