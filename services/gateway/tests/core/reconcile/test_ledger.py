"""What is open: which records open a call, until when, and how little of it is kept."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.contracts.record import Runner
from interpose.contracts.words import Decision, Phase
from interpose_gateway.core.reconcile.ledger import SLACK_ENTRIES, Ledger
from interpose_gateway.core.reconcile.opening import Kind, Open, Terms, opened_by
from interpose_gateway.core.reconcile.ports import Seen

TERMS = Terms(slack_s=5, orphan_after_s=3600)
OPENS = {
    (Runner.AGENT, Decision.RUN, True): (Kind.EVALUATION, 605.0),
    (Runner.AGENT, Decision.ASK, True): (Kind.QUESTION, 605.0),
    (Runner.AGENT, Decision.RUN, False): (Kind.ORPHAN, 3600.0),
    (Runner.GATEWAY, Decision.RUN, True): (Kind.ORPHAN, 3600.0),
    (Runner.GATEWAY, Decision.RUN, False): (Kind.ORPHAN, 3600.0),
}
"""By who runs it, what was decided, and whether it may be reported; all others leave nothing open."""


def before(call_id: str, sequence: int, until_s: float | None = 600.0, decision: Decision = Decision.RUN) -> Seen:
    """The before record of an agent's call."""
    return Seen(sequence, call_id, Phase.BEFORE, decision, Runner.AGENT, 0.0, until_s)


def after(call_id: str, sequence: int) -> Seen:
    """An after record."""
    return Seen(sequence, call_id, Phase.AFTER, Decision.DELIVER, Runner.AGENT, 0.0)


@pytest.mark.parametrize("key", list(itertools.product(Runner, Decision, (True, False))), ids=str)
def test_what_leaves_a_call_open(key: tuple[Runner, Decision, bool]) -> None:
    """The whole table: a run that nobody closed, and a question, as long as its answer may be reported."""
    runner, decision, may_be_reported = key
    record = Seen(7, "c", Phase.BEFORE, decision, runner, 0.0, 600.0 if may_be_reported else None)

    opened = opened_by(record, TERMS)

    assert (Open("c", 7, *OPENS[key]) if key in OPENS else None) == opened


def test_an_after_record_opens_nothing() -> None:
    """Whatever else it says."""
    assert opened_by(after("c", 1), TERMS) is None


def test_a_call_is_held_from_its_before_record_to_its_after_record() -> None:
    """The mark stands at the first that is held, and behind everything when none is."""
    ledger = Ledger(TERMS)
    marks = []
    for record in (before("a", 1), before("b", 2), after("a", 3), after("b", 4)):
        ledger.take_in(record)
        ledger.go_on(record.sequence + 1)
        marks.append((len(ledger), ledger.mark))

    assert [(1, 1), (2, 1), (1, 2), (0, 5)] == marks


def test_what_is_due_comes_in_its_order_and_once() -> None:
    """Not before its time, not when it was closed meanwhile, and again when it was postponed."""
    ledger = Ledger(TERMS)
    for record in (before("late", 1, 700), before("early", 2, 100), before("closed", 3, 50), after("closed", 4)):
        ledger.take_in(record)

    assert [] == ledger.due(104.9, 10)
    [early] = ledger.due(105, 10)
    again = ledger.due(105, 10)
    ledger.postpone(early, 200)

    assert ("early", []) == (early.call_id, again)
    assert (200, ["early", "late"]) == (ledger.next_due_s(), [each.call_id for each in ledger.due(705, 10)])
    assert ledger.next_due_s() is None


def test_no_more_is_due_at_once_than_asked_for() -> None:
    """The others are due the next time."""
    ledger = Ledger(TERMS)
    for number in range(10):
        ledger.take_in(before(str(number), number + 1))

    assert [4, 4, 2, 0] == [len(ledger.due(605, 4)) for _ in range(4)]


def test_without_room_it_goes_on_reading_and_comes_back() -> None:
    """Those that are held are closed by what is read beyond; the one that was left out is read again."""
    ledger = Ledger(TERMS, most=2)
    records = [before("a", 1), before("b", 2), before("c", 3), after("a", 4), after("b", 5)]

    def read() -> None:
        for record in records[ledger.ahead - 1 :]:
            ledger.take_in(record)
            ledger.go_on(record.sequence + 1)

    read()
    full = ledger.is_full, ledger.mark, len(ledger), ledger.ahead
    ledger.go_back()
    read()

    assert (True, 3, 0, 6) == full
    assert (False, 3, 1) == (ledger.is_full, ledger.mark, len(ledger))
    assert "c" in ledger


def test_a_full_one_does_not_go_back_for_each_single_call() -> None:
    """It would read the same again and again."""
    ledger = Ledger(TERMS, most=20)
    for number in range(30):
        ledger.take_in(before(str(number), number + 1))
    ledger.go_on(31)
    ledger.forget("0")

    ledger.go_back()

    assert (31, True) == (ledger.ahead, ledger.is_full)


def test_closed_calls_leave_the_queue_long_before_they_are_due() -> None:
    """Most calls are closed within a second, and due after ten minutes."""
    ledger = Ledger(TERMS)
    for number in range(50_000):
        ledger.take_in(before(str(number), 2 * number + 1))
        ledger.take_in(after(str(number), 2 * number + 2))

    assert len(ledger._due) <= SLACK_ENTRIES + 1


@given(
    st.lists(st.tuples(st.integers(0, 7), st.booleans()), max_size=40),
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_in_however_little_room_the_same_calls_come_to_be_held(
    steps: list[tuple[int, bool]], most: int, at_once: int
) -> None:
    """Read in any pieces, with room for a few at a time: what is open at the end is found, and no mark is too late."""
    stream, opened, closed = [], set(), set()
    for number, is_before in steps:
        call_id = str(number)
        if is_before and call_id not in opened:
            opened.add(call_id)
            stream.append(before(call_id, len(stream) + 1))
        elif not is_before and call_id in opened - closed:
            closed.add(call_id)
            stream.append(after(call_id, len(stream) + 1))
    places = {each.call_id: each.sequence for each in stream if each.phase is Phase.BEFORE}

    ledger, found = Ledger(TERMS, most=most), set()
    while found != opened - closed:
        ledger.go_back()
        for record in stream[ledger.ahead - 1 : ledger.ahead - 1 + at_once]:
            ledger.take_in(record)
            ledger.go_on(record.sequence + 1)
        assert ledger.mark <= min((places[each] for each in opened - closed - found), default=ledger.mark)
        assert len(ledger) <= most
        if ledger.ahead > len(stream):
            held = [each.call_id for each in ledger.due(605, most)]
            found |= set(held)
            for call_id in held:
                ledger.forget(call_id)

    assert found == opened - closed
