"""The corpora themselves: large, mixed, readable, and the held half out of sight."""

import json
import unicodedata
from collections import Counter

import pytest

from interpose_sanitizer.findings import ATTACKS, Family

from .corpora import corpus
from .corpora.corpus import CORPORA, Half

WRITTEN = {"attacks": 600, "honest": 750}
LANGUAGES = 80
LANGUAGES_OF_OVERRIDES = 70
EVERY_ATTACK = [attack for of in Half for attack in corpus.attacks(of)]
EVERY_HONEST = [text for of in Half for text in corpus.honest(of)]


@pytest.mark.parametrize("texts", [EVERY_ATTACK, EVERY_HONEST], ids=["attacks", "honest"])
def test_they_are_of_many_languages_none_twice(texts):
    """There are texts in many languages, each with its own id and words."""
    assert len({text.language for text in texts}) >= LANGUAGES
    assert len(texts) == len({text.id for text in texts}) == len({text.text for text in texts})


def test_many_were_written_by_hand():
    """Hundreds of each stand in files, before any variant."""
    written = {"attacks": sum(len(corpus.written(of)) for of in Half), "honest": len(EVERY_HONEST)}

    assert {} == {name: number for name, number in written.items() if number < WRITTEN[name]}


def test_what_goes_and_what_stays_are_told_part_by_part():
    """As lists: of a text every single letter would be looked for."""
    lines = [line for of in Half for _, line in corpus._lines(of, "attacks")]

    assert [] == [line["id"] for line in lines if isinstance(line["gone"], str) or isinstance(line["kept"], str)]


def test_overrides_come_in_many_languages():
    """That instructions should be forgotten is said in most languages that models read."""
    languages = {attack.language for attack in EVERY_ATTACK if attack.family == Family.OVERRIDE}

    assert len(languages) >= LANGUAGES_OF_OVERRIDES


def test_every_family_of_attacks_is_there():
    """Each family of attacks has attacks in both halves."""
    assert [ATTACKS, ATTACKS] == [{attack.family for attack in corpus.attacks(of)} for of in Half]


def test_what_must_be_gone_is_there_before():
    """What an attack may not leave behind stands in it, or in what it encodes; no fragment is empty."""
    assert [] == [attack.id for attack in EVERY_ATTACK if not any(part in attack.text for part in attack.gone)]
    assert [] == [attack.id for attack in EVERY_ATTACK if not all(attack.gone) or not all(attack.kept)]


@pytest.mark.parametrize("of", Half)
def test_each_text_lies_in_its_half(of):
    """The hash of its id tells where a text belongs, and there it is."""
    texts = [*corpus.attacks(of), *corpus.honest(of)]

    assert {of} == {corpus.half(text.id) for text in texts}


def test_a_line_shows_what_is_in_it():
    """What nobody can see is written as an escape, so that a diff tells everything."""
    unseen = Counter(
        path.name
        for path in CORPORA.glob("*/*/*.jsonl")
        for character in path.read_text("utf-8").replace("\n", "")
        if unicodedata.category(character) in {"Cc", "Cf", "Co", "Cn", "Zl", "Zp"}
    )

    assert Counter() == unseen


def test_no_text_of_a_case_is_printed_with_it():
    """What pytest prints of a case that fails is its name, never its words."""
    assert [] == [case.id for case in (*EVERY_ATTACK, *EVERY_HONEST) if len(case.text) > 40 and case.text in repr(case)]
    assert [] == [path.name for path in CORPORA.glob("*.jsonl")]


def test_a_line_is_one_object():
    """Each line of a file is a JSON object with an id without control characters."""
    lines = [line for path in CORPORA.glob("*/*/*.jsonl") for line in path.read_text("utf-8").rstrip("\n").split("\n")]

    assert all(json.loads(line)["id"].isascii() for line in lines)
