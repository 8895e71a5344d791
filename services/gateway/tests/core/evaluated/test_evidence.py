"""Evidence of a report: each entry by itself, kept only for a success in a session, and told the same again."""

from typing import Any

import pytest

BIG = "x" * 65_536


def entries(count: int, **fields: Any) -> list[dict[str, Any]]:
    """So many entries."""
    return [{"evidence_key": f"k{n}", "evidence_data": {"n": n}} | fields for n in range(count)]


def reasons(told: Any) -> dict[str, str | None]:
    """Why each entry is not kept."""
    assert [entry.get("reason") is None for entry in told.evidence] == [entry["stored"] for entry in told.evidence]
    return {entry["evidence_key"]: entry.get("reason") for entry in told.evidence}


async def test_evidence_of_a_success_is_kept_and_on_record(agents):
    """For as long as it says, or a day."""
    sent = [*entries(1), {"evidence_key": "other", "evidence_data": [1], "ttl_seconds": 60}]

    told = await agents.report(await agents.evaluate(session_id="s"), evidence=sent)

    assert {"k0": None, "other": None} == reasons(told)
    kept = {("default", "s", "k0"): ({"n": 0}, 86_400), ("default", "s", "other"): ([1], 60)}
    assert kept == agents.labels.kept
    assert [("k0", {"n": 0}, None), ("other", [1], 60)] == [
        (each.evidence_key, each.evidence_data, each.ttl_seconds) for each in agents.after().evidence
    ]


async def test_a_report_without_evidence_says_nothing_of_it(agents):
    """Absent, not empty."""
    assert "evidence" not in (await agents.report(await agents.evaluate(session_id="s"))).body


async def test_surplus_entries_are_dropped_and_said(agents):
    """Sixteen are looked at."""
    told = await agents.report(await agents.evaluate(session_id="s"), evidence=entries(18))

    assert {f"k{n}": None if n < 16 else "too_many" for n in range(18)} == reasons(told)
    assert 16 == len(agents.labels.kept) == len(agents.after().evidence)


async def test_one_entry_that_is_too_large_drops_no_other(agents):
    """64 KiB is its most."""
    just = "x" * (65_536 - 2)
    sent = [{"evidence_key": name, "evidence_data": data} for name, data in (("a", 1), ("b", BIG), ("c", just))]

    told = await agents.report(await agents.evaluate(session_id="s"), evidence=sent)

    assert {"a": None, "b": "too_large", "c": None} == reasons(told)


@pytest.mark.parametrize("status", ["error", "not_executed"])
async def test_only_a_success_establishes_anything(agents, status):
    """Whatever else is reported, the report itself is taken."""
    told = await agents.report(await agents.evaluate(session_id="s"), status, evidence=entries(1))

    assert (201, {"k0": "not_successful"}, {}) == (told.status, reasons(told), agents.labels.kept)


async def test_without_a_session_there_is_nothing_to_keep_it_with(agents):
    """The report itself is taken."""
    told = await agents.report(await agents.evaluate(), evidence=entries(1))

    assert (201, {"k0": "no_session"}) == (told.status, reasons(told))


async def test_a_store_that_is_away_fails_no_report(agents):
    """What was kept before it went is; it is not asked for each of the others."""
    agents.labels.fails_at = 1
    sent = [*entries(1), {"evidence_key": "big", "evidence_data": BIG}, *entries(5, evidence_data=0)[1:]]

    told = await agents.report(await agents.evaluate(session_id="s"), evidence=sent)

    expected = {"k0": None, "big": "too_large"} | {f"k{n}": "unavailable" for n in range(1, 5)}
    assert (201, expected, 2) == (told.status, reasons(told), agents.labels.asked)
    assert ["k0"] == [each.evidence_key for each in agents.after().evidence]


async def test_the_same_report_is_told_the_same_of_its_evidence(agents):
    """Read from the record; the store is not asked again."""
    agents.labels.fails_at = 1
    evaluation = await agents.evaluate(session_id="s")

    first = await agents.report(evaluation, evidence=entries(3))
    again = await agents.report(evaluation, evidence=entries(3))

    assert first.evidence == again.evidence
    assert 2 == agents.labels.asked
