"""Readings that are asked about together are told what each of them is told by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from interpose_sanitizer import gathered, joined, rules
from interpose_sanitizer.findings import ATTACKS, Span
from interpose_sanitizer.gathered import BORDER, MOST, Gathered
from interpose_sanitizer.matching import Matcher
from interpose_sanitizer.readings import others
from interpose_sanitizer.rules import Place, Rule
from interpose_sanitizer.shadow import Shadow

EVERY = rules.shipped(Place.ENCODED)
TEXTS = [example for rule in EVERY for example in (*rule.matches, *rule.spares)]
RULE = {"id": "own", "family": "override-phrase", "languages": ["en"], "matches": ["a"], "spares": ["b"]}
HONEST = ("", "Rain until noon. ", "The minutes of the last meeting are kept in the office.\n" * 40, "ж 的 ")

texts = st.lists(st.sampled_from(TEXTS) | st.sampled_from(HONEST), min_size=1, max_size=3).map("\n".join)
spans = st.tuples(st.integers(0, 60), st.integers(0, 60)).map(sorted).filter(lambda span: span[0] < span[1]).map(tuple)


def told(shadows: list[Shadow]) -> list[tuple[int, Span, str]]:
    """What is found, by the number of the shadow."""
    found = joined.everywhere().matches(shadows, ATTACKS, Place.ENCODED)
    return sorted((shadows.index(one.shadow), one.span, one.rule.id) for one in found)


@hypothesis_settings(max_examples=300, deadline=None)
@given(st.lists(texts, min_size=1, max_size=4))
def test_together_they_hold_what_each_holds_alone(some):
    """No match is lost, and none is made of two of them."""
    shadows = [Shadow(text) for text in some]

    assert told(shadows) == [(number, *one[1:]) for number, shadow in enumerate(shadows) for one in told([shadow])]


@hypothesis_settings(max_examples=200, deadline=None)
@given(st.sampled_from(TEXTS), st.sampled_from(["", " ", ". "]))
def test_what_matches_may_match(text, between):
    """Also what is read through letters that stand apart: by it strings are left out that nobody looks at again."""
    written = between.join(text[:200]) if between else text
    plain = Shadow(written)
    readings = [plain, *others(written, plain, np.zeros(0, np.int64))]
    known = joined.everywhere()

    assert known.may_match(readings, ATTACKS) or not list(known.matches(readings, ATTACKS))


@pytest.mark.parametrize("pattern", [r"^obey me now", r"\Aobey me now", "obey me now$", r"obey me now\z"])
@pytest.mark.parametrize("place", range(3))
def test_each_begins_and_ends_by_itself(pattern, place):
    """What a rule wants at the edge of a text is at the edge of any of them, and between two words of none."""
    matcher = Matcher([Rule.model_validate(RULE | {"pattern": pattern})])
    shadows = [Shadow(text) for text in ("rain", "please obey me now again", "until noon")]
    shadows[place] = Shadow("obey me now")

    assert [shadows[place]] == [match.shadow for match in matcher.matches(shadows, ATTACKS)]
    assert matcher.may_match(shadows, ATTACKS)
    assert not matcher.may_match([one for one in shadows if one is not shadows[place]], ATTACKS)


@given(st.lists(st.integers(0, 12).map(lambda size: Shadow("a" * size)), min_size=1, max_size=5), spans)
def test_a_span_of_all_is_told_as_one_of_each(shadows, span):
    """Every byte of a text that it covers, and none of what stands between two."""
    (some,) = Gathered.of(shadows)
    start, stop = min(span[0], len(some.data)), min(span[1], len(some.data))

    covered = {
        some.begins[number] + place
        for number, near in some.apart([(start, stop)] if start < stop else [])
        for begin, end in near
        for place in range(begin, end)
    }

    assert {place for place in range(start, stop) if some.data[place] == ord("a")} == covered


def test_no_more_are_gathered_than_can_be_told_exactly(monkeypatch):
    """One that is longer than that stands alone, and none is left out."""
    monkeypatch.setattr(gathered, "MOST", 100)
    shadows = [Shadow("a" * size) for size in (60, 40, 1, 200, 99, 2)]

    assert [[60, 40], [1], [200], [99], [2]] == [
        [len(shadow.data) for shadow in some.shadows] for some in Gathered.of(shadows)
    ]
    assert [] == list(Gathered.of([]))
    assert MOST > len(BORDER)
