"""For agents that run their own tools: ask the gateway before each call, report what came of it afterwards.

`Gate` is all that an adapter needs. Nothing here loads pydantic, the bus or telemetry, because a command shim starts a
process for every tool call: what is sent and read is plain JSON, and tests hold it to `interpose.contracts.evaluation`.
"""

from interpose.report.decision import Approval, Decision, Verb
from interpose.report.gate import Gate
from interpose.report.receipt import Outcome, Receipt

__all__ = ["Approval", "Decision", "Gate", "Outcome", "Receipt", "Verb"]
