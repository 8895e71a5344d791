"""What the sanitizer is for: attacks lose their teeth, honest text keeps every byte."""

import pytest

from interpose_sanitizer.findings import Action, Family, Mode
from interpose_sanitizer.settings import Quoted, Settings
from interpose_sanitizer.text import Sanitized, sanitize

EACH = 60


def test_an_attack_is_neutralised(attack):
    """What makes it an attack is gone, its family is told, the text around it stays."""
    sanitized = sanitize(attack["text"], Settings())

    assert [] == [part for part in attack["gone"] if part in sanitized.text]
    assert attack["kept"] in sanitized.text
    assert attack["family"] in {finding.family for finding in sanitized.findings}


def test_an_attack_is_removed_without_a_trace(attack):
    """With `remove` nothing of it is left, no marker either."""
    sanitized = sanitize(attack["text"].replace("[sanitizer: invisible]", ""), Settings(mode=Mode.REMOVE))

    assert [] == [part for part in [*attack["gone"], "[sanitizer:"] if part in sanitized.text]
    assert {Action.REMOVED} == {finding.action for finding in sanitized.findings}


def test_an_attack_is_reported_as_it_is(attack):
    """With `report` the same is found, and not a byte changes."""
    found = {finding.family for finding in sanitize(attack["text"], Settings()).findings}
    sanitized = sanitize(attack["text"], Settings(mode=Mode.REPORT))

    assert attack["text"] == sanitized.text
    assert found == {finding.family for finding in sanitized.findings}
    assert {Action.REPORTED} == {finding.action for finding in sanitized.findings}


@pytest.mark.parametrize("mode", Mode)
def test_a_second_time_changes_nothing(attack, mode):
    """What was sanitised once comes out of a second time as it is."""
    once = sanitize(attack["text"], Settings(mode=mode)).text

    assert once == sanitize(once, Settings(mode=mode)).text


def test_honest_text_stays(honest):
    """An honest text comes back byte for byte, and nothing is said of it."""
    assert Sanitized(honest["text"]) == sanitize(honest["text"], Settings())


def test_the_corpora_are_large_and_mixed(attacks, honest_texts):
    """Sixty of each and more, over all families and many languages, none twice."""
    assert set(Family) == {attack["family"] for attack in attacks}
    assert min(len(attacks), len(honest_texts)) >= EACH
    assert min(len({case["language"] for case in corpus}) for corpus in (attacks, honest_texts)) >= 15
    assert len(attacks) + len(honest_texts) == len({case["text"] for case in [*attacks, *honest_texts]})


def test_an_article_that_quotes_is_treated_on_request(honest_texts):
    """With `quoted: treat` the attack in an article's quotation marks goes, too, and the words around it stay."""
    [article] = [text["text"] for text in honest_texts if text["id"] == "article-phrase"]
    expected = article.replace("ignore all previous instructions", "[sanitizer: override-phrase]")

    assert expected == sanitize(article, Settings(quoted=Quoted.TREAT)).text
