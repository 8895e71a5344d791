"""The judge on forged evidence: an honest scenario passes, and each broken promise is found and named."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interpose.contracts.digest import digest

from .judge import Evidence, Outage, Rules, breaches, orphans
from .lag import Lag
from .load import Call, Ending, Kind, Told

WAY = frozenset({"gateway-1"})
ASKED = {"number": "m-1"}
STAMPED = ASKED | {"stamp": "c1"}
RESPONSE = {"echo": STAMPED}


def record(phase: str, decision: str, final: Any, outcome: str | None = None) -> dict[str, Any]:
    """A record of the one call, as far as the judge reads it."""
    native = {"arguments": ASKED}
    told = {"call_id": "c1", "phase": phase, "decision": decision, "outcome": outcome, "revision": 7, "code": None}
    return told | {"native": native, "final_digest": digest(final)}


def yes(phase: str, hook: str, value: Any, verdict: str = "allow") -> dict[str, Any]:
    """What a hook wrote down."""
    return {"call_id": "c1", "phase": phase, "hook": hook, "verdict": verdict, "digest": digest(value)}


ANSWER = {"call_id": "c1", "decision": "deliver", "ran": True, "revision": 7, "code": None, "response": RESPONSE}
TOLD = Told(Call("m-1", Kind.FINE, 2.0, {}), "http gateway-1", WAY, 10.0, 10.5, Ending.ANSWERED, 200, ANSWER)
LOST = replace(TOLD, ending=Ending.LOST, answer={})
REFUSED = replace(TOLD, answer=ANSWER | {"decision": "refuse", "ran": False})
BEFORE, AFTER = record("before", "run", STAMPED), record("after", "deliver", RESPONSE, "success")
RUN = {"call_id": "c1", "digest": digest(STAMPED)}
HONEST = Evidence(
    told=[TOLD],
    records=[BEFORE, AFTER],
    runs=[RUN],
    said=[yes("before", "stamp", STAMPED, "transform"), yes("before", "gate", STAMPED), yes("after", "gate", RESPONSE)],
    rules={7: Rules(frozenset({"stamp", "gate"}), frozenset({"gate"}))},
    lag=Lag(Path("nowhere")),
)


def changed(**parts: Any) -> Evidence:
    """The honest evidence with other parts."""
    return replace(HONEST, **parts)


FORGED: dict[str, tuple[Evidence, str]] = {
    "ran twice": (changed(runs=[RUN, RUN]), "ran 2 times"),
    "ran other bytes": (changed(runs=[RUN | {"digest": digest(ASKED)}]), "ran without a before record of what ran"),
    "ran unrecorded": (changed(records=[AFTER]), "ran without a before record"),
    "ran without a yes": (changed(said=HONEST.said[1:]), "ran without the yes of stamp to what ran"),
    "ran on a no": (
        changed(said=[HONEST.said[0], yes("before", "gate", STAMPED, "reject"), HONEST.said[2]]),
        "ran without the yes of gate to what ran",
    ),
    "ran on a yes to other bytes": (
        changed(said=[HONEST.said[0], yes("before", "gate", ASKED), HONEST.said[2]]),
        "ran without the yes of gate to what ran",
    ),
    "delivered without a yes": (changed(said=HONEST.said[:2]), "delivered without the yes of gate"),
    "delivered unrecorded": (changed(records=[BEFORE]), "delivered without an after record"),
    "delivered other bytes": (
        changed(told=[replace(TOLD, answer=ANSWER | {"response": {}})]),
        "delivered without an after record of what was delivered",
    ),
    "denied that it ran": (changed(told=[REFUSED]), "was told that it did not run, and it did"),
    "claimed that it ran": (changed(runs=[]), "was told that it ran, and it did not"),
    "too late": (changed(told=[replace(TOLD, ended=12.3)]), "300 ms after its deadline"),
    "late for another's outage": (
        changed(told=[replace(TOLD, ended=12.3)], outages=[Outage("gateway-2", 0, 99)]),
        "300 ms after its deadline",
    ),
    "never answered": (changed(told=[replace(LOST, ending=Ending.SILENT)]), "no answer, though its gateway was there"),
    "two before records": (changed(records=[BEFORE, BEFORE, AFTER]), "has {'before': 2, 'after': 1} records"),
    "two after records": (changed(records=[BEFORE, AFTER, AFTER]), "has {'before': 1, 'after': 2} records"),
    "an after record of a refusal": (
        changed(records=[record("before", "refuse", STAMPED), AFTER], runs=[]),
        "has {'before': 1, 'after': 1} records",
    ),
    "a close alone": (
        changed(
            told=[
                replace(
                    TOLD, status=503, answer=ANSWER | {"decision": "refuse", "ran": False, "code": "record-impossible"}
                )
            ],
            records=[record("after", "withhold", STAMPED, "not_executed") | {"code": "record-impossible"}],
            runs=[],
        ),
        "has {'before': 0, 'after': 1} records",
    ),
    "never reported back": (changed(records=[BEFORE], kills=[(1, 2)]), "never reported back, and no kill explains it"),
    "changed its rules": (changed(records=[BEFORE, AFTER | {"revision": 8}]), "changed its revision under way"),
    "not on record": (changed(records=[], runs=[], told=[REFUSED]), "was let in and is not on record"),
    "recorded otherwise": (changed(records=[BEFORE, AFTER | {"decision": "withhold"}]), "its records say"),
    "refused and run": (
        changed(told=[replace(REFUSED, answer=REFUSED.answer | {"ran": "unknown"})]),
        "was told that it is refused, and its outcome is ['success']",
    ),
}


def test_an_honest_scenario_breaks_nothing() -> None:
    """Every promise kept."""

    assert [] == breaches(HONEST)


@pytest.mark.parametrize(("evidence", "sentence"), FORGED.values(), ids=FORGED.keys())
def test_each_broken_promise_is_named(evidence: Evidence, sentence: str) -> None:
    """One of the judge's sentences says what was forged."""
    found = breaches(evidence)

    assert any(sentence in each for each in found), found


EXCUSED: dict[str, Callable[[], Evidence]] = {
    "the machine was busy": lambda: changed(told=[replace(TOLD, ended=12.3)], lag=Lag(Path("nowhere"), [(12.1, 12.2)])),
    "its gateway was away": lambda: changed(told=[LOST], outages=[Outage("gateway-1", 9.0, 11.0)]),
    "its gateway was killed behind the record": lambda: changed(
        told=[LOST], records=[BEFORE], kills=[(10.1, 10.2)], outages=[Outage("gateway-1", 10.1, 11.0)]
    ),
}


@pytest.mark.parametrize("evidence", EXCUSED.values(), ids=EXCUSED.keys())
def test_what_a_fault_explains_is_no_breach(evidence: Callable[[], Evidence]) -> None:
    """Time that the machine took, a way that was away, a killed gateway's open record."""

    assert [] == breaches(evidence())


def test_an_open_record_is_counted() -> None:
    """A before record that says `run` and stands alone, whoever is to blame."""

    assert [["c1"], []] == [orphans(changed(records=[BEFORE])), orphans(HONEST)]
