"""`POST /evaluate`: may this call run? The agent runs it itself; what is decided is on the record before it is told."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from opentelemetry.context import Context
from opentelemetry.trace import Span

from interpose.canonical.native import native_arguments
from interpose.contracts.digest import digest
from interpose.contracts.evaluation import Error, Evaluate, Verb
from interpose.contracts.ids import call_id as new_call_id
from interpose.contracts.model import JsonObject
from interpose.contracts.words import Decision, Outcome, Phase
from interpose.errors import Fault
from interpose.telemetry import logs, names, spans
from interpose_gateway.core.books import Books
from interpose_gateway.core.decide import Decided
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.desk import Desk
from interpose_gateway.core.evaluated.entry import Entrance
from interpose_gateway.core.evaluated.identifier import EvaluationId
from interpose_gateway.core.evaluated.reading import read_evaluate
from interpose_gateway.core.evaluated.told import Told, TurnedAway
from interpose_gateway.core.evaluated.wording import evaluation_of
from interpose_gateway.core.judge import Judged
from interpose_gateway.core.judging import judge_before, look_on
from interpose_gateway.core.ports import RecordImpossible
from interpose_gateway.core.records import AgentPart
from interpose_gateway.core.refusals import refuse, refuse_unknown, withhold
from interpose_gateway.core.toolcall import ToolCall

CANNOT_REWRITE = "cannot-rewrite"
UNSPEAKABLE = (
    "hooks changed the parameters, and what they made of them cannot be said in the argument names of this tool on"
    " this platform; an agent must not run anything but what was judged"
)


async def evaluate(desk: Desk, caller: Caller, body: bytes, parent: Context) -> Told:
    """Judge and record it. Raises TurnedAway."""
    asked, revision = read_evaluate(body), desk.confirmed()
    call_id = new_call_id()
    logs.about(call_id)
    call = Entrance(caller, revision, call_id, desk.stations.clock.monotonic()).evaluated(asked)
    attributes = names.call_attributes(call_id, call.identity.canonical, caller.name, revision.number)
    with spans.start(names.EVALUATE, {**attributes, names.OPERATION: names.EVALUATE}, parent=parent) as span:
        return await Evaluating(desk, call, asked, span).evaluate()


@dataclass(slots=True)
class Evaluating:
    """One evaluation under way."""

    desk: Desk
    call: ToolCall
    asked: Evaluate
    span: Span
    books: Books = field(init=False)

    def __post_init__(self) -> None:
        at, agent = self.desk.stations, AgentPart(open_s=None if self.asked.dry_run else self.desk.open_s)
        self.books = Books(at.recorder, at.records, at.observer, at.clock, self.call, self.span, agent)

    async def evaluate(self) -> Told:
        """From the plan to the answer. Raises TurnedAway."""
        call, is_dry_run = self.call, self.asked.dry_run
        faults = call.revision.faults(call.identity.canonical, call.parameters)
        judged, decided = await self._judge(faults)
        arguments: JsonObject | None = None
        if decided.decision is not Decision.REFUSE:
            arguments = self._spell(judged)
            if arguments is None:
                decided = refuse(CANNOT_REWRITE, UNSPEAKABLE)
        self.desk.stations.observer.decided(Phase.BEFORE, decided.decision)
        identifier = await self._record(judged, decided)
        trace_id = spans.trace_id(self.span)
        look_on(self.desk.stations, call, Phase.BEFORE, judged, decided, trace_id)
        if decided.is_undecided:
            raise TurnedAway(Error.UNAVAILABLE, str(decided.reason))
        if is_dry_run and decided.decision is Decision.RUN:
            await self._close()
        is_rewritten = arguments is not None and digest(arguments) != call.native_digest
        answer = evaluation_of(
            identifier,
            call,
            judged,
            decided,
            faults=faults,
            arguments=arguments if is_rewritten else None,
            question_ms=min(call.revision.approval_timeout_ms, int(self.desk.open_s * 1000)),
            is_dry_run=is_dry_run,
            trace_id=trace_id,
        )
        self._tell(answer.decision, answer.code)
        return Told(HTTPStatus.OK, answer)

    async def _judge(self, faults: Sequence[Fault]) -> tuple[Judged, Decided]:
        call = self.call
        if faults:
            reason = f"the parameters break the input schema of {call.identity.canonical}"
            return Judged((), (), call.parameters), refuse("invalid-call", reason)
        return await judge_before(self.desk.stations, call, refuse_unknown(call.revision, call.identity.canonical))

    def _spell(self, judged: Judged) -> JsonObject | None:
        """The final parameters as the agent's platform spells them; None where nobody can say that exactly."""
        call = self.call
        if not judged.changes:
            return call.native_arguments
        given, platform, tools = call.native_arguments, call.context.platform, call.revision.tools
        return native_arguments(call.identity.native, given, judged.value, platform=platform, tools=tools)

    async def _record(self, judged: Judged, decided: Decided) -> EvaluationId:
        try:
            entry = await self.books.write(Phase.BEFORE, judged, decided)
        except RecordImpossible as error:
            refused = self.books.refuse_unrecorded(judged, decided, error)
            raise TurnedAway(Error.UNAVAILABLE, str(refused.reason)) from error
        return EvaluationId(self.call.call_id, entry.sequence)

    async def _close(self) -> None:
        """Nobody reports what was only asked about."""
        closed = withhold("dry-run", "the caller asked for the decision only")
        try:
            await self.books.write(Phase.AFTER, None, closed, outcome=Outcome.NOT_EXECUTED)
        except RecordImpossible as error:
            told = self.books.withhold_unrecorded(None, None, Outcome.NOT_EXECUTED, False, error)
            raise TurnedAway(Error.UNAVAILABLE, str(told.reason)) from error

    def _tell(self, verb: Verb, code: str | None) -> None:
        self.desk.tally.evaluated(verb.value)
        self.span.set_attribute(names.DECISION, verb.value)
        if code:
            self.span.set_attribute(names.CODE, code)
        if verb is not Verb.ALLOW:
            spans.keep(self.span)
