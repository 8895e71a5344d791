"""A call that is about to run, and an install: what its platform is told, and that it is known when it comes back.

An allow is told only when the call is known: else what it gives back could not be judged. Whatever the platform cannot
be told is a no, and ends the evaluation.
"""

from opentelemetry.context import Context

from interpose.contracts.evaluation import Evaluation, Report, Reported, Resolution, Resolve
from interpose.contracts.limits import REASON_CHARACTERS
from interpose.contracts.model import encode
from interpose.platforms.abilities import PERMISSION, UNREPORTED, objection
from interpose.platforms.event import ToolEvent
from interpose.platforms.ruling import Kind, Ruling
from interpose_gateway.core.entry import Caller
from interpose_gateway.core.evaluated.native import asking, ruled
from interpose_gateway.core.evaluated.native.correlating import key_of
from interpose_gateway.core.evaluated.native.means import Means
from interpose_gateway.core.evaluated.native.ports import Waiting
from interpose_gateway.core.evaluated.ports import Unavailable

AMBIGUOUS = "cannot correlate ambiguous concurrent tool calls: too many calls like this one have not come back yet"
UNKEPT = "the call could not be kept in mind until it comes back ({why}), so it must not run"


async def rule_before(means: Means, caller: Caller, event: ToolEvent, parent: Context) -> Ruling:
    """May it run? Raises InvalidInput for what cannot be asked."""
    comes_back = event.name not in UNREPORTED | PERMISSION
    told = await means.calls.evaluate_asked(caller, asking.evaluate_of(event), parent, is_reported=comes_back)
    ruling, answer = ruled.before(told.body), told.body
    if not isinstance(answer, Evaluation) or (ruling.kind is Kind.REFUSE and answer.approval is None):
        return ruling
    why = ruling.reason if ruling.kind is Kind.REFUSE else objection(event, ruling)
    if why is None and comes_back:
        why = await _keep(means, caller, event, answer)
    if why is None:
        return ruling
    if comes_back:
        await _give_up(means, caller, answer, why, parent)
    return Ruling(Kind.REFUSE, why)


async def rule_install(means: Means, caller: Caller, event: ToolEvent, parent: Context) -> Ruling:
    """May it be installed? Final at once. Raises InvalidInput."""
    told = await means.calls.install(caller, asking.install_of(event).model_dump_json().encode(), parent)
    return ruled.before(told.body)


async def _keep(means: Means, caller: Caller, event: ToolEvent, answer: Evaluation) -> str | None:
    """Why the call may not run because nobody would know it again; None where it will be known.

    Without an id a changed call may come back with its old arguments or with the new ones: it waits under both.
    """
    key, now_s = key_of(caller.name, event), means.clock.wall_time()
    also = key if answer.arguments is None else key_of(caller.name, event, answer.arguments)
    keys = dict.fromkeys((key, also))
    try:
        for each in keys:
            other = next((one for one in keys if one != each), None)
            waiting = Waiting(
                evaluation_id=answer.evaluation_id,
                until=now_s + means.open_s,
                asked=answer.approval is not None,
                also=other,
            )
            if not await means.waitings.add(each, waiting, now_s, means.open_s):
                return AMBIGUOUS
    except Unavailable as error:
        return UNKEPT.format(why=error)
    return None


async def _give_up(means: Means, caller: Caller, answer: Evaluation, why: str, parent: Context) -> None:
    """End what was decided and never told. What that comes to changes nothing: the call is refused."""
    if answer.approval is not None:
        said = Resolve(resolution=Resolution.CANCELLED, reason=why[:REASON_CHARACTERS])
        await means.calls.resolve(caller, answer.evaluation_id, encode(said), parent)
        return
    report = Report(evaluation_id=answer.evaluation_id, status=Reported.NOT_EXECUTED, error=why)
    await means.calls.take_report(caller, report, parent)
