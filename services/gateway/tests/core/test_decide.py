"""Combining the endings of one phase: precedence, the first in plan order, and never the order of answers."""

from itertools import permutations

import pytest

from interpose.contracts.config import HookSpec
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Decision, Effect, FailMode, Failure, Phase, VerdictKind
from interpose.planning.plan import Step
from interpose_gateway.core.decide import Asked, Decided, decide, stop
from interpose_gateway.core.endings import Answered, CutOff, Failed, NotApplicable, Skipped, Unmet
from interpose_gateway.core.failmode import effect_of

PASSING = {
    "allowing": Answered(Verdict(verdict=VerdictKind.ALLOW)),
    "changing": Answered(Verdict(verdict=VerdictKind.TRANSFORM, output={})),
}
REJECTING = Answered(
    Verdict(verdict=VerdictKind.REJECT, reason="too bold", code="bold", annotations={"errors": [{"path": "$"}]})
)
ASKING = Answered(Verdict(verdict=VerdictKind.ASK, reason="sure?", code="their-own", annotations={"a": 1}))
FAILING = Failed(Failure.NO_RESPONDERS, "nobody answers")
CUT = CutOff("no time left")
UNMET = Unmet("scanner", "deadline_exceeded")


@pytest.fixture
def asked(spec, step):
    """`asked(**endings)`: each hook of that name, with failMode reject, ended like this."""

    def make(**endings) -> list[Asked]:
        return [
            Asked(step(spec(name)), ending, effect_of(ending, spec(name).fail_mode, None))
            for name, ending in endings.items()
        ]

    return make


@pytest.mark.parametrize(("phase", "decision"), [(Phase.BEFORE, Decision.RUN), (Phase.AFTER, Decision.DELIVER)])
def test_all_that_pass_let_the_call_go_on(asked, phase, decision):
    """With nobody's name on it."""
    decided = decide(phase, asked(**PASSING))

    assert Decided(decision) == decided
    assert decided.goes_on


@pytest.mark.parametrize(("phase", "decision"), [(Phase.BEFORE, Decision.REFUSE), (Phase.AFTER, Decision.WITHHOLD)])
@pytest.mark.parametrize("ending", [REJECTING, ASKING, FAILING, CUT])
def test_one_that_does_not_pass_stops_the_call(asked, phase, decision, ending):
    """Wherever it stands among others."""
    for order in permutations([*PASSING.items(), ("stopping", ending)]):
        decided = decide(phase, asked(**dict(order)))

        assert (decision, "stopping", False) == (decided.decision, decided.decided_by, decided.goes_on)


def test_a_rejection_gives_its_words(asked):
    """Reason, code and annotations of the verdict."""
    decided = decide(Phase.BEFORE, asked(hook=REJECTING))

    expected = Decided(Decision.REFUSE, "hook", "too bold", "bold", {"errors": [{"path": "$"}]})
    assert expected == decided


def test_a_rejection_without_a_code_has_one(asked):
    """`rejected`."""
    assert (
        "rejected" == decide(Phase.BEFORE, asked(hook=Answered(Verdict(verdict=VerdictKind.REJECT, reason="no")))).code
    )


def test_a_question_is_a_refusal_for_now(asked):
    """With the question as the reason and a code of ours, so that a client knows what would help."""
    decided = decide(Phase.AFTER, asked(hook=ASKING))

    assert Decided(Decision.WITHHOLD, "hook", "sure?", "approval-required", {"a": 1}) == decided


def test_a_failure_names_hook_failure_and_remedy(asked):
    """The sentence is for people, the code for machines; nothing was found against the call."""
    decided = decide(Phase.BEFORE, asked(hook=FAILING))

    assert ("no-responders", None, False) == (decided.code, decided.annotations, decided.is_undecided)
    assert decided.reason.startswith(
        "hook gave no verdict (no_responders): nobody answers. No worker of hook is running"
    )


def test_a_failure_says_who_brought_the_hook_in(spec):
    """Whoever must do without it knows whom to ask."""
    lone = Asked(Step(spec("hook"), "Bash", origin="the worker a-1"), FAILING, Effect.STOPPED)

    assert "It was brought in by the worker a-1. " in decide(Phase.BEFORE, [lone]).reason


@pytest.mark.parametrize(("ending", "undecided"), [(CUT, True), (CutOff("huge", "too-large"), False)])
def test_the_calls_own_limits_have_their_codes(asked, ending, undecided):
    """A budget may be larger next time, a page will not be smaller."""
    decided = decide(Phase.BEFORE, asked(hook=ending))

    assert Decided(Decision.REFUSE, "hook", ending.detail, ending.code, None, undecided) == decided


def test_a_refusal_comes_before_a_question(asked):
    """Whichever stands first in the plan."""
    for order in permutations([("rejecting", REJECTING), ("asking", ASKING)]):
        assert "rejecting" == decide(Phase.BEFORE, asked(**dict(order))).decided_by


@pytest.mark.parametrize("order", list(permutations([("rejecting", REJECTING), ("failing", FAILING), ("cut", CUT)])))
def test_the_first_in_plan_order_decides(asked, order):
    """Among those that stop the call no kind of ending is stronger than another."""
    assert order[0][0] == decide(Phase.BEFORE, asked(allowing=PASSING["allowing"], **dict(order))).decided_by


def test_the_first_question_is_asked(asked):
    """Several are one."""
    other = Answered(Verdict(verdict=VerdictKind.ASK, reason="really?"))

    assert ["sure?", "really?"] == [
        decide(Phase.BEFORE, asked(**dict(order))).reason
        for order in ([("a", ASKING), ("b", other)], [("a", other), ("b", ASKING)])
    ]


def test_somebody_who_can_be_asked_is_asked(asked):
    """With the question, and with who put it; several questions are one, each with its hook."""
    other = Answered(Verdict(verdict=VerdictKind.ASK, reason="really?"))

    assert Decided(Decision.ASK, "hook", "sure?", "approval-required", {"a": 1}) == decide(
        Phase.BEFORE, asked(allowing=PASSING["allowing"], hook=ASKING), has_person=True
    )
    assert ("a", "a: sure?; b: really?") == (
        (both := decide(Phase.BEFORE, asked(a=ASKING, b=other), has_person=True)).decided_by,
        both.reason,
    )


@pytest.mark.parametrize("stronger", [REJECTING, FAILING, CUT, UNMET, Skipped()])
def test_nobody_is_asked_about_what_a_yes_would_not_let_through(asked, stronger):
    """A refusal stands, and so does a hook that was not asked, wherever the question stands."""
    for order in permutations([("asking", ASKING), ("stronger", stronger)]):
        decided = decide(Phase.BEFORE, asked(**dict(order)), has_person=True)

        assert (Decision.REFUSE, "stronger") == (decided.decision, decided.decided_by)


def test_what_only_looks_like_a_question_is_put_to_nobody(spec, step):
    """An effect without the verdict behind it is no question, and a person to ask makes nothing pass."""
    lone = Asked(step(spec("odd")), Skipped(), Effect.APPROVAL)

    assert Decision.REFUSE == decide(Phase.BEFORE, [lone], has_person=True).decision
    assert Decision.RUN == decide(Phase.BEFORE, [], has_person=True).decision


def test_behind_a_refusal_the_rest_may_be_unasked(asked):
    """Who ended the chain decides, not who was left out."""
    assert "rejecting" == decide(Phase.BEFORE, asked(rejecting=REJECTING, skipped=Skipped())).decided_by


def test_without_a_refusal_nobody_may_be_unasked(asked):
    """A hook left out is never a yes."""
    assert Decided(Decision.REFUSE, "skipped", "skipped was not asked", "not-asked") == decide(
        Phase.BEFORE, asked(allowing=PASSING["allowing"], skipped=Skipped())
    )


@pytest.mark.parametrize("ending", [Skipped(), NotApplicable()])
@pytest.mark.parametrize("effect", [Effect.STOPPED, Effect.APPROVAL, Effect.NOT_ASKED])
def test_an_unasked_hook_that_stops_is_told_as_such(spec, step, ending, effect):
    """Should one ever be counted so, it says why."""
    lone = Asked(step(spec("left-out")), ending, effect)

    assert Decided(Decision.REFUSE, "left-out", "left-out was not asked", "not-asked") == decide(Phase.BEFORE, [lone])


def test_a_hook_whose_need_gave_no_yes_stops_the_call(asked):
    """It gave none itself. What ended first is named."""
    reason = "waiting: it was not asked, because scanner, which it needs, gave no yes (deadline_exceeded)"

    for phase, decision in ((Phase.BEFORE, Decision.REFUSE), (Phase.AFTER, Decision.WITHHOLD)):
        assert Decided(decision, "waiting", reason, "not-asked") == decide(
            phase, asked(allowing=PASSING["allowing"], waiting=UNMET, skipped=Skipped())
        )


@pytest.mark.parametrize("stronger", [REJECTING, FAILING, CUT, ASKING])
def test_whoever_said_no_decides_before_those_who_waited(asked, stronger):
    """Also behind them in the plan: its reason is the one that helps."""
    for order in permutations([("waiting", UNMET), ("stronger", stronger)]):
        assert "stronger" == decide(Phase.BEFORE, asked(**dict(order))).decided_by


def test_a_hook_that_does_not_apply_stops_nothing(asked):
    """Alone and among others."""
    assert Decided(Decision.RUN) == decide(Phase.BEFORE, asked(absent=NotApplicable()))
    assert "hook" == decide(Phase.BEFORE, asked(absent=NotApplicable(), hook=REJECTING)).decided_by


def test_an_effect_that_nobody_knows_stops(spec, step):
    """A word that is added stops calls until somebody says that it goes on."""
    surprise = Asked(step(spec("odd")), PASSING["allowing"], "surprise")

    assert Decision.REFUSE == decide(Phase.BEFORE, [surprise]).decision


def test_warnings_stop_nothing(spec, step):
    """What was waived counts as gone on."""
    warn: HookSpec = spec("advisory", failMode="warn")
    waived = [Asked(step(warn), ending, effect_of(ending, warn.fail_mode, None)) for ending in (REJECTING, FAILING)]

    assert [Effect.WARNED] * 2 == [one.effect for one in waived]
    assert Decision.RUN == decide(Phase.BEFORE, waived).decision


def test_the_gateway_stops_in_its_own_name():
    """Refuse before, withhold after; not undecided unless said."""
    assert Decided(Decision.REFUSE, None, "why", "code") == stop(Phase.BEFORE, None, "why", "code")
    assert Decided(Decision.WITHHOLD, "hook", "why", "code", {"a": 1}, True) == stop(
        Phase.AFTER, "hook", "why", "code", {"a": 1}, is_undecided=True
    )


def test_the_kind_of_an_ending(asked):
    """A verdict's kind, and none where there is no verdict."""
    kinds = [one.kind for one in asked(a=REJECTING, b=ASKING, c=FAILING, d=CUT, e=Skipped())]

    assert [VerdictKind.REJECT, VerdictKind.ASK, None, None, None] == kinds


def test_an_ending_that_nobody_knows_is_an_error():
    """Never an effect by accident; what it was is told."""
    with pytest.raises(AssertionError, match="'surprise'"):
        effect_of("surprise", FailMode.WARN, None)


def test_a_verdict_that_nobody_knows_is_an_error():
    """A fifth word would stop here."""
    unheard = Answered(Verdict.model_construct(verdict="maybe"))

    with pytest.raises(AssertionError, match="'maybe'"):
        effect_of(unheard, FailMode.WARN, None)
