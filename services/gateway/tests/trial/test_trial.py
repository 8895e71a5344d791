"""Trying rules: events are read strictly, the core decides as for a real call, and what differs is told."""

from typing import Any

import orjson
import pytest

from interpose.contracts.call import Answer, HookReport
from interpose.contracts.words import Decision, Effect, Failure, Phase, VerdictKind
from interpose.errors import InvalidInput
from interpose_gateway.trial.compare import differences
from interpose_gateway.trial.event import Event, Expected, read_event

ANSWER = Answer(
    call_id="c",
    trace_id=None,
    revision=0,
    decision=Decision.REFUSE,
    ran=False,
    code="invalid",
    decided_by="shape",
    parameters={"a": 1},
    hooks=[
        HookReport(name="shape", phase=Phase.BEFORE, verdict=VerdictKind.REJECT, effect=Effect.STOPPED, ms=1),
        HookReport(name="gone", phase=Phase.BEFORE, failure=Failure.NO_RESPONDERS, effect=Effect.STOPPED, ms=1),
        HookReport(name="late", phase=Phase.BEFORE, effect=Effect.NOT_ASKED, ms=0),
    ],
)


@pytest.mark.parametrize(
    "expected",
    [
        {},
        {"decision": "refuse"},
        {"code": "invalid", "decided_by": "shape", "parameters": {"a": 1}},
        {"hooks": {"shape": "reject", "gone": "no_responders", "late": "not_asked"}},
    ],
)
def test_what_is_as_expected_does_not_differ(expected: dict[str, Any]) -> None:
    """Only what is named is looked at."""
    assert [] == differences(Expected.model_validate(expected), ANSWER)


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ({"decision": "run"}, "decision: expected 'run', got 'refuse'"),
        ({"code": None}, "code: expected None, got 'invalid'"),
        ({"parameters": {"a": 2}}, "parameters: expected {'a': 2}, got {'a': 1}"),
        ({"response": {}}, "response: expected {}, got None"),
        ({"hooks": {"shape": "allow"}}, "hook shape: expected 'allow', got 'reject'"),
        ({"hooks": {"other": "allow"}}, "hook other: expected 'allow', got 'no part of the plan'"),
    ],
)
def test_each_difference_says_both_sides(expected: dict[str, Any], said: str) -> None:
    """A field that is named as null must be null."""
    assert [said] == [str(one) for one in differences(Expected.model_validate(expected), ANSWER)]


def test_an_event_without_response_is_a_dry_run() -> None:
    """The before hooks alone are asked."""
    sent = orjson.loads(Event(tool="Bash", parameters={"command": "ls"}).body())

    assert {"tool": "Bash", "parameters": {"command": "ls"}, "context": {}, "dry_run": True} == sent


def test_an_event_with_a_response_of_null_has_one() -> None:
    """Null is what some tools answer."""
    event = read_event(b'{"tool": "x", "response": null}', "event")

    assert (True, False) == (event.has_response, orjson.loads(event.body())["dry_run"])


def test_the_client_of_an_event_is_the_callers_credential() -> None:
    """Its platform counts; whom it speaks for is not tried."""
    event = read_event(b'{"tool": "x", "client": {"platform": "codex"}, "context": {"user": "ann"}}', "event")

    assert ("codex", True) == (event.caller.entry.platform, event.caller.entry.may_speak_for("ann"))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"tool": "x", "expected": {}}', "$.expected"),
        ('{"tool": "x", "expect": {"decisions": "run"}}', "$.expect.decisions"),
        ('{"tool": "x", "expect": {"decision": "allow"}}', "$.expect.decision"),
        ('{"parameters": {}}', "$.tool"),
    ],
)
def test_an_event_that_is_none_is_refused_with_the_place(text: str, path: str) -> None:
    """A misspelled expectation must not pass as one that holds."""
    with pytest.raises(InvalidInput) as refused:
        read_event(text.encode(), "event.json")

    assert [path] == [fault.path for fault in refused.value.faults]
