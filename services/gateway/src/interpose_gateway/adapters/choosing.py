"""Which executor runs a call: what the tool's specification says in the revision that the call started with."""

from dataclasses import dataclass

from interpose.contracts.config import ToolSpec
from interpose.contracts.run import Run
from interpose_gateway.core.ports import Execution, Executor


@dataclass(frozen=True, slots=True)
class ChosenExecutor:
    """`bus` runs everything that does not say `http`."""

    bus: Executor
    http: Executor

    async def execute(self, run: Run, tool: ToolSpec, timeout_s: float) -> Execution:
        """Run it there. Never raises, never retries, never tries the other one."""
        is_http = tool.executor is not None and tool.executor.http is not None
        return await (self.http if is_http else self.bus).execute(run, tool, timeout_s)
