"""`POST /install-scan`: may this package be installed? Judged as the tool `install`, and final: nobody reports it.

An install needs a yes: from a hook that enforces, and whose key names installs, not only `*`. An audit logger's `allow`
judges nothing.
"""

from opentelemetry.context import Context

from interpose.contracts.digest import digest
from interpose.contracts.ids import call_id as new_call_id
from interpose.contracts.words import Decision, Effect, Outcome, Phase
from interpose.telemetry import logs, names, spans
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.deciding import Deciding, unspeakable
from interpose_gateway.core.evaluated.desk import Desk
from interpose_gateway.core.evaluated.entry import Entrance
from interpose_gateway.core.evaluated.reading import read_install
from interpose_gateway.core.evaluated.told import Told
from interpose_gateway.core.evaluated.wording import evaluation_of
from interpose_gateway.core.judge import Judged
from interpose_gateway.core.judging import judge_before
from interpose_gateway.core.refusals import refuse
from interpose_gateway.core.toolcall import ToolCall

EVERYTHING = "*"
YES = frozenset({Effect.PASSED, Effect.TRANSFORMED})
UNJUDGED = (
    "no hook that enforces said yes to this install: add a before:install hook that judges packages (a hook of"
    " before:*, an advisory one or a shadow does not count)"
)


async def install(desk: Desk, caller: Caller, body: bytes, parent: Context) -> Told:
    """Judge and record it. Raises TurnedAway."""
    asked, revision = read_install(body), desk.confirmed()
    call_id = new_call_id()
    logs.about(call_id)
    call = Entrance(caller, revision, call_id, desk.stations.clock.monotonic()).installed(asked)
    attributes = names.call_attributes(call_id, call.identity.canonical, caller.name, revision.number)
    with spans.start(names.INSTALL, {**attributes, names.OPERATION: names.INSTALL}, parent=parent) as span:
        return await _install(Deciding(desk, call, span, None))


async def _install(deciding: Deciding) -> Told:
    call = deciding.call
    # What `unknownTool` says is about tools; an install that nobody judges is refused in any case.
    judged, decided = await judge_before(deciding.desk.stations, call, None)
    if decided.decision is Decision.RUN and digest(judged.value) != digest(call.parameters):
        decided = unspeakable()
    if decided.decision is Decision.RUN and not _has_a_yes(call, judged):
        decided = refuse("install-unjudged", UNJUDGED)
    identifier = await deciding.record(judged, decided)
    if decided.decision is Decision.RUN:
        await deciding.close(Outcome.UNKNOWN, "outcome-unknown", "nobody reports what becomes of an install")
    return deciding.tell(evaluation_of(identifier, call, judged, decided, trace_id=deciding.trace_id))


def _has_a_yes(call: ToolCall, judged: Judged) -> bool:
    names_of_call = call.identity.names
    named = {
        entry.hook.name
        for entry in call.revision.entries
        if entry.key.phase is Phase.BEFORE
        and entry.key.pattern != EVERYTHING
        and entry.key.match(names_of_call) is not None
    }
    return any(
        one.effect in YES and one.step.hook.name in named and not one.step.hook.advisory and not one.step.is_shadow
        for one in judged.asked
    )
