"""A reason: short enough for a verdict, one path and one clause for each fault."""

import re

import pytest

from interpose.contracts.limits import REASON_CHARACTERS
from interpose.errors import Fault
from interpose_validator.judge import judge
from interpose_validator.sentence import sentence


def test_one_fault_is_one_clause():
    """A single fault is its path and what is wrong."""
    assert "$.a: is required" == sentence([Fault("$.a", "is required")])


def test_several_faults_are_counted_and_listed():
    """Each fault follows with its path, limit and given."""
    block = {"type": "header", "text": {"type": "mrkdwn", "text": "x" * 151}}

    assert (
        '2 faults: $.blocks[0].text.type: must be "plain_text"; '
        "$.blocks[0].text.text: 151 characters; at most 150 are allowed"
    ) == sentence(judge({"schema": "slack-block-kit"}, {"blocks": [block]}))


def test_what_does_not_fit_is_counted():
    """The list ends with how many faults are left out, and every listed one is whole."""
    reason = sentence([Fault(f"$.field_{number}", "is required") for number in range(500)])
    shown = reason.removeprefix("500 faults: ").split("; ")

    assert REASON_CHARACTERS >= len(reason) > REASON_CHARACTERS - 40
    assert f"… and {500 - len(shown[:-1])} more" == shown[-1]
    assert f"$.field_{len(shown) - 2}: is required" == shown[-2]


def test_a_fault_too_long_for_a_reason_is_cut():
    """One fault of any length still gives a reason."""
    reason = sentence([Fault("$.a", "x" * 5000)])

    assert REASON_CHARACTERS == len(reason)
    assert reason.startswith("$.a: xxx")
    assert reason.endswith("…")


def test_without_faults_there_is_no_reason():
    """Nobody is refused for nothing."""
    with pytest.raises(ValueError, match="at least one fault"):
        sentence([])


@pytest.mark.parametrize("count", [1, 2, 3, 9, 10, 11, 99, 201])
def test_a_reason_always_fits_a_verdict(count):
    """Whatever the faults: at most 2000 characters, each told whole, cut if it is the first, or counted."""
    for length in [*range(150), *range(150, 2100, 41)]:
        faults = [Fault(f"$[{number}]", "m" * length) for number in range(count)]
        reason = sentence(faults)
        told, counted = reason.count("$["), re.search(r"… and (\d+) more$", reason)

        assert len(reason) <= REASON_CHARACTERS
        assert count == told + (int(counted[1]) if counted else 0)
        assert f"$[0]: {'m' * min(length, 1900)}" in reason
