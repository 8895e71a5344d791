"""Shedding: every report fits, says its core, and loses the rest in one order."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from interpose.contracts.evaluation import BODY_BYTES, Report
from interpose.contracts.limits import NODES
from interpose.contracts.strict import parse, read_model
from interpose.report.shedding import CUT, MOST_BYTES, MOST_VALUES, Draft, Part, Payload, encode, fit

CORE = {"evaluation_id": "e-1", "status": "success"}
SMALL = 1_100


def part(value: Any, values: int = 1) -> Part:
    """A piece of a report."""
    return Part(encode(value), values)


def entry(key: str, size: int) -> Part:
    """One of evidence."""
    return part({"evidence_key": key, "evidence_data": "x" * size})


def body(payload: Payload) -> dict[str, Any]:
    """What is sent."""
    return dict(json.loads(payload.body))


def test_a_report_that_fits_is_sent_whole() -> None:
    """Nothing is shed, and no mark says so."""
    payload = fit(Draft(CORE, part({"a": 1}), [entry("k", 3)], "wrong"))

    evidence = [{"evidence_key": "k", "evidence_data": "xxx"}]
    assert CORE | {"error": "wrong", "result": {"a": 1}, "evidence": evidence} == body(payload)
    assert ((), True) == (payload.shed, payload.is_whole)


def test_the_bound_is_below_what_the_gateway_takes() -> None:
    """1 MiB - 16 KiB, and fewer values than its parser counts."""
    assert (1024 - 16) * 1024 == MOST_BYTES < BODY_BYTES
    assert MOST_VALUES < NODES


def test_the_result_goes_first() -> None:
    """Evidence and error stay whole where dropping the result is enough."""
    payload = fit(Draft(CORE, part("r" * 1_000), [entry("k", 50)], "wrong"), SMALL)

    assert ("result",) == payload.shed
    assert {"error", "evidence", "shed"} == body(payload).keys() - CORE.keys()


def test_evidence_goes_from_its_end() -> None:
    """The first entries stay, as many as go in, also where a later one is small."""
    payload = fit(Draft(CORE, part("r" * 1_000), [entry("a", 100), entry("b", 450), entry("c", 1)], "wrong"), SMALL)

    assert ("result", "evidence[1]", "evidence[2]") == payload.shed
    assert ["a"] == [kept["evidence_key"] for kept in body(payload)["evidence"]]
    assert "wrong" == body(payload)["error"]


def test_marks_are_as_many_as_the_gateway_reads() -> None:
    """Of many lost entries the last mark says how many more there are."""
    payload = fit(Draft(CORE, part("r"), [entry("k", 100)] * 300, "x" * MOST_BYTES))

    assert 32 > len(payload.shed)
    assert ("evidence[0]", "evidence[22]", "evidence: 277 more") == (
        payload.shed[1],
        payload.shed[23],
        payload.shed[24],
    )
    read_model(Report, payload.body, limit=BODY_BYTES)


def test_the_error_is_cut_last() -> None:
    """It keeps its beginning and says that it was cut; a result that is gone cannot be delivered as judged."""
    payload = fit(Draft(CORE, part("r" * 1_000), [entry("a", 1)], "0123456789" * 200), SMALL)

    assert ("result", "evidence[0]", "error: cut") == payload.shed
    assert body(payload)["error"].startswith("0123456789")
    assert body(payload)["error"].endswith(CUT)
    assert payload.is_whole is False


@pytest.mark.parametrize("character", ["é", "€", "😀", "\n", "\x01", '"'])
def test_no_character_is_divided(character: str) -> None:
    """Whatever a character takes in UTF-8 or as an escape, the cut is between two of them."""
    error = character * SMALL

    kept = body(fit(Draft(CORE, error=error), SMALL))["error"].removesuffix(CUT)

    assert kept
    assert error.startswith(kept)


def test_an_error_that_cannot_be_cut_is_omitted() -> None:
    """Where there is no room for one character of it."""
    payload = fit(Draft(CORE, error="x" * SMALL), len(encode(CORE)))

    assert CORE | {"shed": ["error"]} == body(payload)


def test_the_core_goes_whatever_it_takes() -> None:
    """No bound is small enough to lose it."""
    payload = fit(Draft(CORE, part(1), [entry("a", 1)], "e"), 0)

    assert CORE.items() <= body(payload).items()


def test_too_many_values_are_shed_like_too_many_bytes() -> None:
    """The gateway would refuse the whole report for them."""
    payload = fit(Draft(CORE, part([0], MOST_VALUES), [part({}, 2)], "wrong"))

    assert ("result",) == payload.shed


def test_what_was_dropped_before_is_marked_too() -> None:
    """A result that could not even be copied."""
    payload = fit(Draft(CORE, shed=("result",)))

    assert CORE | {"shed": ["result"]} == body(payload)
    assert payload.is_whole is False


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=400)
ORDER = ["result", "evidence", "error"]


@given(st.none() | TEXT, st.lists(TEXT, max_size=6), st.none() | TEXT, st.integers(0, 3_000), st.integers(0, 12))
@example(result="", evidence=[], error=None, most_bytes=0, most_values=0)
def test_every_report_fits(
    result: str | None, evidence: list[str], error: str | None, most_bytes: int, most_values: int
) -> None:
    """Strict JSON that the contract takes; below the bound as soon as the core and its marks are; in the one order."""
    entries = [part({"evidence_key": "k", "evidence_data": text}) for text in evidence]
    draft = Draft(CORE, None if result is None else part(result), entries, error)

    payload = fit(draft, most_bytes, most_values)

    sent = parse(payload.body, limit=BODY_BYTES)
    read_model(Report, payload.body, limit=BODY_BYTES)
    least = len(encode(CORE | {"shed": list(payload.shed)}))
    assert len(payload.body) <= max(most_bytes, least)
    assert CORE.items() <= sent.items()
    assert list(payload.shed) == sent.get("shed", [])
    lost = [word.partition("[")[0].partition(":")[0] for word in payload.shed]
    assert sorted(lost, key=ORDER.index) == lost
    if "evidence" in lost:
        assert result is None or lost[0] == "result"
    kept = [kept["evidence_data"] for kept in sent.get("evidence", [])]
    assert evidence[: len(kept)] == kept
    assert sent.get("error", "").removesuffix(CUT) == (error or "")[: len(sent.get("error", "").removesuffix(CUT))]
    if not payload.shed:
        assert (result, evidence, error) == (sent.get("result"), kept, sent.get("error"))
