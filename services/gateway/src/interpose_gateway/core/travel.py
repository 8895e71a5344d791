"""One call under way: before hooks, record, run, after hooks, record, answer (DESIGN.md, section 1, steps 3 to 8).

The before record is durable before anything runs or is answered, the after record before the agent gets the answer.
"""

import logging
from dataclasses import dataclass, replace

from opentelemetry.trace import Span

from interpose.contracts import limits
from interpose.contracts.digest import size
from interpose.contracts.record import Record
from interpose.contracts.run import Run
from interpose.contracts.words import Decision, Outcome, Phase
from interpose.telemetry import names, spans
from interpose_gateway.core.answers import Draft, Reply
from interpose_gateway.core.decide import Decided, decide, stop
from interpose_gateway.core.judge import Judge, Judged
from interpose_gateway.core.plan import make_plan
from interpose_gateway.core.ports import Clock, Execution, Executor, Observer, Recorder, RecordImpossible
from interpose_gateway.core.records import RecordMaker
from interpose_gateway.core.response import to_response, unwrapped
from interpose_gateway.core.toolcall import ToolCall, ToolResponse

RECORD_ROOM_S = 1.0
"""Kept free of the budget behind the tool, for the after record."""
UNRECORDED = "no durable record of this call could be made ({why}), so {so}. Look at the broker: interpose status"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stations:
    """Where a call passes."""

    judge: Judge
    recorder: Recorder
    records: RecordMaker
    executor: Executor
    clock: Clock
    observer: Observer


def refuse(code: str, reason: str) -> Decided:
    """A refusal by the gateway itself."""
    return stop(Phase.BEFORE, None, reason, code)


def withhold(code: str, reason: str) -> Decided:
    """The gateway itself keeps the response back."""
    return stop(Phase.AFTER, None, reason, code)


@dataclass(slots=True)
class Travel:
    """The state of one call; `draft` grows with it and becomes the answer."""

    at: Stations
    call: ToolCall
    span: Span
    draft: Draft
    is_dry_run: bool

    async def travel(self) -> Reply:
        """From the plan to the answer."""
        before, decided = await self._judge_call()
        try:
            await self._record(Phase.BEFORE, before, decided)
        except RecordImpossible as error:
            return self._unrecorded(decided, error)
        if decided.decision is Decision.REFUSE:
            return self.draft.reply(503 if decided.code == "budget-used-up" else 403, decided)
        if self.is_dry_run:
            closed = withhold("dry-run", "the caller asked for the decision only")
            return await self._close(Outcome.NOT_EXECUTED, closed, 200, answered=decided)
        return await self._run(before)

    async def _judge_call(self) -> tuple[Judged, Decided]:
        call, name = self.call, self.call.identity.canonical
        if call.revision.unknown_tool == "reject" and not call.revision.declares(name):
            judged = Judged((), (), call.parameters)
            decided = refuse(
                "unknown-tool", f"the configuration declares no tool {name}, and its unknownTool is reject"
            )
        else:
            judged = await self.at.judge.judge(call, make_plan(call.revision, Phase.BEFORE, call.identity))
            decided = self._within_limits(judged, decide(Phase.BEFORE, judged.asked))
        self.draft = self.draft.with_phase(Phase.BEFORE, judged)
        self.at.observer.decided(Phase.BEFORE, decided.decision)
        return judged, decided

    def _within_limits(self, judged: Judged, decided: Decided) -> Decided:
        if decided.decision is not Decision.RUN:
            return decided
        if size(judged.value) > limits.PARAMETERS_BYTES:
            return refuse("too-large", f"its hooks made the parameters larger than {limits.PARAMETERS_BYTES} bytes")
        if self._tool_time_s() <= 0:
            reason = "the call's budget leaves the tool no time before its after hooks and record; raise timeout_ms"
            return refuse("budget-used-up", reason)
        return decided

    def _tool_time_s(self) -> float:
        call = self.call
        after_s = make_plan(call.revision, Phase.AFTER, call.identity).worst_case_ms / 1000
        left_s = call.deadline - self.at.clock.monotonic() - after_s - RECORD_ROOM_S
        return min(call.revision.tool(call.identity.canonical).timeout / 1000, left_s)

    async def _run(self, before: Judged) -> Reply:
        call, started = self.call, self.at.clock.monotonic()
        run = Run(
            tool=call.identity.canonical,
            action=call.identity.action,
            parameters=before.value,
            call_id=call.call_id,
            context=call.context,
        )
        with spans.start(names.EXECUTE, {names.TOOL: call.identity.canonical}) as span:
            ended = await self.at.executor.execute(run, self._tool_time_s())
            span.set_attribute(names.OUTCOME, ended.outcome.value)
        duration_ms = round((self.at.clock.monotonic() - started) * 1000, 3)
        if ended.outcome in (Outcome.SUCCESS, Outcome.ERROR):
            self.draft = replace(self.draft, ran=True)
            return await self._judge_response(ended, to_response(ended, duration_ms))
        return await self._without_response(ended)

    async def _without_response(self, ended: Execution) -> Reply:
        name = self.call.identity.canonical
        if ended.outcome is Outcome.UNKNOWN:
            self.draft = replace(self.draft, ran="unknown")
            self.at.observer.alarm("outcome-unknown", f"call {self.call.call_id} of {name}: {ended.detail}")
            return await self._close(ended.outcome, withhold("outcome-unknown", ended.detail), 504)
        status, code, reason = 502, "not-started", ended.detail
        if ended.nobody_serves and not self.call.revision.declares(name):
            status, code = 404, "no-such-tool"
            reason = f"no such tool: the configuration does not declare {name} and no worker serves it"
        return await self._close(ended.outcome, withhold(code, reason), status, answered=refuse(code, reason))

    async def _judge_response(self, ended: Execution, response: ToolResponse) -> Reply:
        call = self.call
        try:
            plan = make_plan(call.revision, Phase.AFTER, call.identity)
            judged = await self.at.judge.judge(call, plan, response)
            decided = decide(Phase.AFTER, judged.asked)
        except Exception as error:
            # The tool has run: whatever breaks here withholds, and the record still says that it ran.
            log.exception("the gateway broke in the after phase of call %s", call.call_id)
            self.at.observer.alarm("gateway-error", f"call {call.call_id}: {type(error).__name__}")
            judged = Judged((), (), response.value)
            decided = withhold("internal-error", "the gateway broke while judging the response")
        if decided.decision is Decision.DELIVER and size(judged.value) > limits.RESPONSE_BYTES:
            decided = withhold("too-large", f"the response is larger than {limits.RESPONSE_BYTES} bytes")
        if decided.decision is not Decision.DELIVER:
            decided = replace(decided, reason=f"{decided.reason} (the tool HAS run; do not call it again for this)")
        self.draft = self.draft.with_phase(Phase.AFTER, judged)
        self.at.observer.decided(Phase.AFTER, decided.decision)
        try:
            await self._record(Phase.AFTER, judged, decided, response, ended.outcome)
        except RecordImpossible as error:
            return self._owe(judged, response, ended.outcome, error)
        if decided.decision is not Decision.DELIVER:
            return self.draft.reply(403, decided)
        status = 200 if ended.outcome is Outcome.SUCCESS else 502
        return self.draft.reply(status, decided, response=unwrapped(judged.value, response))

    async def _close(
        self, outcome: Outcome, decided: Decided, status: int, *, answered: Decided | None = None
    ) -> Reply:
        """The after record of a call that has no response to judge."""
        try:
            await self._record(Phase.AFTER, None, decided, outcome=outcome)
        except RecordImpossible as error:
            return self._owe(None, None, outcome, error)
        return self.draft.reply(status, answered or decided)

    def _unrecorded(self, decided: Decided, error: RecordImpossible) -> Reply:
        """The before record is not confirmed: nothing runs, and a record that may say `run` gets its close."""
        self.at.observer.alarm("record-impossible", f"call {self.call.call_id}: {error}")
        if error.maybe_stored and decided.decision is Decision.RUN:
            closed = withhold("record-impossible", "the before record was not confirmed, so the tool did not run")
            self.at.recorder.owe(self._make(Phase.AFTER, None, closed, None, Outcome.NOT_EXECUTED))
        reason = UNRECORDED.format(why=error, so="the tool did not run")
        return self.draft.reply(503, refuse("record-impossible", reason))

    def _owe(
        self, judged: Judged | None, response: ToolResponse | None, outcome: Outcome, error: RecordImpossible
    ) -> Reply:
        """The after record is not confirmed: the answer is withheld, and the record follows as soon as it can."""
        self.at.observer.alarm("record-impossible", f"call {self.call.call_id} has no after record: {error}")
        ran = {"True": "the tool HAS run; its response is withheld", "False": "the tool did not run"}
        so = ran.get(str(self.draft.ran), "nobody knows whether the tool ran")
        decided = withhold("record-impossible", UNRECORDED.format(why=error, so=so))
        self.at.recorder.owe(self._make(Phase.AFTER, judged, decided, response, outcome))
        return self.draft.reply(503, decided)

    async def _record(
        self,
        phase: Phase,
        judged: Judged | None,
        decided: Decided,
        response: ToolResponse | None = None,
        outcome: Outcome | None = None,
    ) -> None:
        with spans.start(names.RECORD, {names.PHASE_NAME: phase.value}) as span:
            try:
                await self.at.recorder.write(self._make(phase, judged, decided, response, outcome))
            except RecordImpossible as error:
                spans.fail(span, str(error))
                raise

    def _make(
        self,
        phase: Phase,
        judged: Judged | None,
        decided: Decided,
        response: ToolResponse | None,
        outcome: Outcome | None,
    ) -> Record:
        after = response.value if response else None
        original = self.call.parameters if phase is Phase.BEFORE else after
        return self.at.records.make(
            self.call, phase, judged, decided, original, outcome, spans.trace_id(self.span), spans.span_id(self.span)
        )
