"""From bytes to an ending: a verdict that keeps its contract, or `malformed_verdict` with a sentence."""

import json
import re

import pytest

from interpose.contracts.limits import DEPTH, REASON_CHARACTERS, VERDICT_BYTES
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Failure, VerdictKind
from interpose.errors import Fault
from interpose_gateway.core.endings import Answered, Failed
from interpose_gateway.core.settle import settle

ID = "ask-1"


def good(_output) -> list[Fault]:
    """Any output may replace the value."""
    return []


def said(**fields) -> bytes:
    """A verdict's bytes on our ask."""
    return json.dumps({"ask_id": ID} | fields).encode()


@pytest.fixture
def settled(spec):
    """`settled(body, **hook)`: the ending; the hook declares transform unless told otherwise."""
    return lambda body, check=good, **fields: settle(body, spec("hook", **({"transform": True} | fields)), ID, check)


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({"verdict": "allow"}, {"verdict": VerdictKind.ALLOW}),
        (
            {"verdict": "allow", "warnings": ["w"], "annotations": {"a": 1}, "reason": "fine", "code": "all-good"},
            {
                "verdict": VerdictKind.ALLOW,
                "warnings": ["w"],
                "annotations": {"a": 1},
                "reason": "fine",
                "code": "all-good",
            },
        ),
        (
            {"verdict": "reject", "reason": "r" * REASON_CHARACTERS},
            {"verdict": VerdictKind.REJECT, "reason": "r" * REASON_CHARACTERS},
        ),
        ({"verdict": "ask", "reason": "sure?"}, {"verdict": VerdictKind.ASK, "reason": "sure?"}),
        ({"verdict": "transform", "output": {}}, {"verdict": VerdictKind.TRANSFORM, "output": {}}),
    ],
)
def test_a_verdict_that_keeps_its_contract_counts(settled, fields, verdict):
    """As it was said."""
    assert Answered(Verdict(ask_id=ID, **verdict)) == settled(said(**fields))


@pytest.mark.parametrize("kind", ["reject", "ask"])
def test_output_of_a_no_is_dropped(settled, kind):
    """It replaces nothing, and nobody sees it later."""
    ending = settled(said(verdict=kind, reason="no", output={"a": 1}))

    assert Answered(Verdict(verdict=VerdictKind(kind), reason="no", ask_id=ID)) == ending


MALFORMED = {
    "wrong ask_id": (b'{"verdict":"allow","ask_id":"ask-2"}', "answers another ask"),
    "missing ask_id": (b'{"verdict":"allow"}', "answers another ask"),
    "null ask_id": (b'{"verdict":"allow","ask_id":null}', "answers another ask"),
    "ask_id that is no text": (b'{"verdict":"allow","ask_id":1}', r"\$\.ask_id"),
    "unknown field": (said(verdict="allow", maybe=1), r"\$\.maybe: unknown field"),
    "unknown verdict": (said(verdict="Allow"), r"\$\.verdict"),
    "no verdict": (said(), r"\$\.verdict: is required"),
    "verdict that is no text": (said(verdict=True), r"\$\.verdict"),
    "reject without a reason": (said(verdict="reject"), "needs a reason"),
    "ask without a reason": (said(verdict="ask"), "needs a reason"),
    "empty reason": (said(verdict="reject", reason=""), r"\$\.reason"),
    "long reason": (said(verdict="reject", reason="r" * (REASON_CHARACTERS + 1)), r"\$\.reason"),
    "reason that is no text": (said(verdict="reject", reason=["no"]), r"\$\.reason"),
    "code in capitals": (said(verdict="reject", reason="no", code="Bad"), r"\$\.code"),
    "code with underscores": (said(verdict="reject", reason="no", code="a_b"), r"\$\.code"),
    "empty code": (said(verdict="reject", reason="no", code=""), r"\$\.code"),
    "code behind a line feed": (said(verdict="reject", reason="no", code="a\n"), r"\$\.code"),
    "long code": (said(verdict="reject", reason="no", code="c" * 65), r"\$\.code"),
    "output that is a list": (said(verdict="transform", output=[]), r"\$\.output"),
    "output that is text": (said(verdict="transform", output="{}"), r"\$\.output"),
    "transform without output": (said(verdict="transform"), "needs output"),
    "transform with null output": (said(verdict="transform", output=None), "needs output"),
    "allow with output": (said(verdict="allow", output={}), "carries no output"),
    "reject with output that is none": (said(verdict="reject", reason="no", output=1), r"\$\.output"),
    "annotations that are no object": (said(verdict="allow", annotations=[]), r"\$\.annotations"),
    "warnings that are no list": (said(verdict="allow", warnings="w"), r"\$\.warnings"),
    "warnings that are no text": (said(verdict="allow", warnings=[1]), r"\$\.warnings\[0\]"),
    "too many warnings": (said(verdict="allow", warnings=["w"] * 101), r"\$\.warnings"),
    "duplicate key": (b'{"verdict":"reject","verdict":"allow","ask_id":"ask-1"}', r"\$\.verdict: duplicate key"),
    "a number that is none": (b'{"verdict":"allow","annotations":{"n":NaN},"ask_id":"ask-1"}', "NaN is no JSON"),
    "empty": (b"", "expected a value, found the end"),
    "no JSON": (b"allow", "expected a value"),
    "no UTF-8": (b'{"verdict":"allow\xff"}', "not valid UTF-8"),
    "no object": (b'["allow"]', "must be an object, not an array"),
    "two values": (b'{"verdict":"allow","ask_id":"ask-1"}{}', "expected nothing behind the value"),
    "too deep": (b'{"verdict":"allow","annotations":' + b"[" * DEPTH + b"]" * DEPTH + b"}", "nested deeper"),
    "too large": (said(verdict="allow") + b" " * VERDICT_BYTES, f"at most {VERDICT_BYTES} are allowed"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_everything_else_is_malformed(settled, case):
    """Each way a verdict can break its contract, with what is wrong in words."""
    body, words = MALFORMED[case]

    ending = settled(body)

    assert isinstance(ending, Failed)
    assert Failure.MALFORMED_VERDICT is ending.failure
    assert re.search(words, ending.detail), ending.detail


def test_a_malformed_verdict_names_its_places(settled):
    """Three at most: the author mends the first ones first."""
    ending = settled(said(verdict="allow", a=1, b=2, c=3, d=4))

    assert ending.detail.startswith("the verdict is malformed: $.a: unknown field; ")
    assert ["$.a", "$.b", "$.c"] == re.findall(r"\$\.[a-d]", ending.detail)


@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ({"ask_id": "other"}, "the verdict answers another ask: ask_id is missing or differs"),
        ({"verdict": "transform", "output": {}}, 'it answered transform without declaring "transform": true'),
    ],
)
def test_a_verdict_that_is_none_of_its_business_says_so(settled, fields, detail):
    """Another's ask, and a power that the hook does not have."""
    ending = settled(said(**({"verdict": "allow"} | fields)), transform=False)

    assert Failed(Failure.MALFORMED_VERDICT, detail) == ending


@pytest.mark.parametrize("declared", [{"transform": True}, {"transform": False, "failMode": "transform"}])
def test_both_ways_to_declare_a_transform(settled, declared):
    """The field, or a failMode that implies it."""
    assert isinstance(settled(said(verdict="transform", output={"a": 1}), **declared), Answered)


def test_an_output_that_cannot_be_used_is_malformed(settled):
    """With the faults of the check, three at most."""
    faults = [Fault(f"$.parameters.{name}", "must be text") for name in "abcd"]
    heard = []

    def check(output):
        heard.append(output)
        return faults

    ending = settled(said(verdict="transform", output={"a": 1}), check)

    told = "; ".join(f"$.parameters.{name}: must be text" for name in "abc")
    assert Failed(Failure.MALFORMED_VERDICT, f"the output of its transform cannot be used: {told}") == ending
    assert [{"a": 1}] == heard


@pytest.mark.parametrize("fields", [{"verdict": "allow"}, {"verdict": "reject", "reason": "no", "output": {"a": 1}}])
def test_only_a_transforms_output_is_checked(settled, fields):
    """What is dropped is not looked at."""

    def never(_output):
        raise AssertionError

    assert isinstance(settled(said(**fields), never), Answered)
