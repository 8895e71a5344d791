"""Tools served on the bus. An order is sent once and never again, whatever happens to it."""

from dataclasses import dataclass

from interpose.bus import headers, subjects
from interpose.bus.asker import Asker
from interpose.contracts.config import ToolSpec
from interpose.contracts.limits import FIELD_BYTES, RESPONSE_BYTES
from interpose.contracts.model import encode
from interpose.contracts.reply import NoReply, Replied
from interpose.contracts.run import Run, RunReply
from interpose.contracts.strict import read_model
from interpose.contracts.words import Failure, Outcome, Status
from interpose.errors import InvalidInput
from interpose_gateway.core.ports import Execution

REFUSED_UNSTARTED = frozenset({headers.MALFORMED, headers.NO_HANDLER, headers.TIMED_OUT, headers.BUSY})
"""Service errors by which a tool worker says that it did not start."""


@dataclass(frozen=True, slots=True)
class BusExecutor:
    """Orders tools over `tool.exec.<tool>`."""

    asker: Asker

    async def execute(self, run: Run, tool: ToolSpec, timeout_s: float) -> Execution:
        """Send the order and wait for the tool's answer. Never raises, never retries; `tool` has no say here."""
        reply = await self.asker.ask(subjects.execute(run.tool), encode(run), timeout_s)
        return _read(run.tool, reply) if isinstance(reply, Replied) else _without_answer(run.tool, reply)


def _read(tool: str, reply: Replied) -> Execution:
    try:
        told = read_model(RunReply, reply.body, limit=RESPONSE_BYTES + FIELD_BYTES, what=f"the answer of {tool}")
    except InvalidInput as error:
        return Execution(Outcome.ERROR, {"error": f"the tool ran and its answer cannot be read: {error.message}"})
    return Execution(Outcome.SUCCESS if told.status is Status.SUCCESS else Outcome.ERROR, told.response)


def _without_answer(tool: str, reply: NoReply) -> Execution:
    if reply.failure is Failure.NO_RESPONDERS:
        return Execution(
            Outcome.NOT_STARTED,
            detail=f"no worker serves tool {tool}: start one with interpose run, then interpose status shows it",
            nobody_serves=True,
        )
    if not reply.was_sent or reply.error_code in REFUSED_UNSTARTED:
        return Execution(Outcome.NOT_STARTED, detail=f"tool {tool} was not started: {reply.detail}")
    return Execution(
        Outcome.UNKNOWN, detail=f"nobody knows whether tool {tool} ran: {reply.detail}; do not retry blindly"
    )
