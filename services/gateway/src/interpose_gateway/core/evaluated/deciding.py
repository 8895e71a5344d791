"""What an evaluation and an install have in common: decided, recorded, and only then told."""

from dataclasses import dataclass, field
from http import HTTPStatus

from opentelemetry.trace import Span

from interpose.contracts.evaluation import Evaluation, Verb
from interpose.contracts.protocol_error import Error
from interpose.contracts.words import Outcome, Phase
from interpose.telemetry import names, spans
from interpose_gateway.core.books import Books
from interpose_gateway.core.decide import Decided
from interpose_gateway.core.evaluated.desk import Desk
from interpose_gateway.core.evaluated.identifier import EvaluationId
from interpose_gateway.core.evaluated.told import Told, TurnedAway
from interpose_gateway.core.judge import Judged
from interpose_gateway.core.judging import look_on
from interpose_gateway.core.ports import RecordImpossible
from interpose_gateway.core.records import AgentPart
from interpose_gateway.core.refusals import refuse, withhold
from interpose_gateway.core.toolcall import ToolCall

CANNOT_REWRITE = "cannot-rewrite"
UNSPEAKABLE = (
    "hooks changed the parameters, and what they made of them cannot be said in the argument names of this tool on"
    " this platform; an agent must not run anything but what was judged"
)


@dataclass(slots=True)
class Deciding:
    """One call on its way to its answer. `open_s` None: its decision is final at once."""

    desk: Desk
    call: ToolCall
    span: Span
    open_s: float | None
    books: Books = field(init=False)

    def __post_init__(self) -> None:
        at, agent = self.desk.stations, AgentPart(open_s=self.open_s)
        self.books = Books(at.recorder, at.records, at.observer, at.clock, self.call, self.span, agent)

    @property
    def trace_id(self) -> str | None:
        """Of the call's trace."""
        return spans.trace_id(self.span)

    async def record(self, judged: Judged, decided: Decided) -> EvaluationId:
        """Put it on record. Raises TurnedAway where that cannot be done, and where nothing could be decided."""
        at, call = self.desk.stations, self.call
        at.observer.decided(Phase.BEFORE, decided.decision)
        try:
            entry = await self.books.write(Phase.BEFORE, judged, decided)
        except RecordImpossible as error:
            refused = self.books.refuse_unrecorded(judged, decided, error)
            raise TurnedAway(Error.UNAVAILABLE, str(refused.reason)) from error
        look_on(at, call, Phase.BEFORE, judged, decided, self.trace_id)
        if decided.is_undecided:
            raise TurnedAway(Error.UNAVAILABLE, str(decided.reason))
        return EvaluationId(call.call_id, entry.sequence)

    async def close(self, outcome: Outcome, code: str, reason: str) -> None:
        """The after record of a call that nobody reports. Raises TurnedAway."""
        try:
            await self.books.write(Phase.AFTER, None, withhold(code, reason), outcome=outcome)
        except RecordImpossible as error:
            told = self.books.withhold_unrecorded(None, None, outcome, False, error)
            raise TurnedAway(Error.UNAVAILABLE, str(told.reason)) from error

    def tell(self, answer: Evaluation) -> Told:
        """Count it, mark the span, answer."""
        self.desk.tally.evaluated(answer.decision.value)
        self.span.set_attribute(names.DECISION, answer.decision.value)
        if answer.code:
            self.span.set_attribute(names.CODE, answer.code)
        if answer.decision is not Verb.ALLOW:
            spans.keep(self.span)
        return Told(HTTPStatus.OK, answer)


def unspeakable() -> Decided:
    """A refusal: an agent must not run what nobody judged."""
    return refuse(CANNOT_REWRITE, UNSPEAKABLE)
