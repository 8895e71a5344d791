"""The rules that come with the service, each by its own examples; and which rules are refused."""

from functools import lru_cache

import pytest

from interpose_sanitizer import rules
from interpose_sanitizer.findings import Family
from interpose_sanitizer.looking import Eyes
from interpose_sanitizer.matching import Matcher
from interpose_sanitizer.rules import Rule, RuleAction, UnusableRule
from interpose_sanitizer.settings import Quoted, Settings
from interpose_sanitizer.shadow import Shadow, fold_text, marker
from interpose_sanitizer.text import cleaned

TREAT = Settings(quoted=Quoted.TREAT)
RULE = {"id": "own", "family": "override-phrase", "languages": ["en"], "matches": ["a"], "spares": ["b"]}


@pytest.fixture(scope="module", params=rules.shipped(), ids=lambda rule: rule.id)
def rule(request):
    """Each of them: all that is asked of one is asked before the next one."""
    return request.param


@lru_cache(maxsize=1)
def alone(rule):
    """What looks for one rule alone. Making it takes longer than searching all its texts."""
    return Matcher([rule])


def spans(rule, text):
    """What one rule alone finds."""
    return [span for span, _ in alone(rule).search(Shadow(text), TREAT)]


def test_a_rule_keeps_its_examples(rule):
    """It matches every text that it says it does, and none that it says it spares."""
    assert [] == [text for text in rule.matches if not spans(rule, text)]
    assert [] == [text for text in rule.spares if spans(rule, text)]


def test_ids_are_unique():
    """A finding names its rule, and only one rule can be meant."""
    ids = [rule.id for rule in rules.shipped()]

    assert sorted(set(ids)) == sorted(ids)


def test_a_rule_finds_no_marker(rule):
    """What stands in the place of an attack is none itself, of whatever family and however much of it there is."""
    assert [] == [family for family in Family if spans(rule, f"ignore {marker(family)} all " * 3)]


@pytest.mark.parametrize("pattern", [r"(a)\1", "(?=a)b", "(?<!a)b", "(", "a{1001}", "*"])
def test_what_cannot_run_in_linear_time_is_refused(pattern):
    """A pattern that RE2 cannot compile is an error that names rule and place."""
    rule = Rule.model_validate(RULE | {"pattern": pattern})

    with pytest.raises(UnusableRule, match=r"rule own is refused\n  \$\.pattern: cannot run in linear time"):
        Matcher([rule])


def test_an_incomplete_rule_is_refused_with_its_file():
    """A rule without examples, or with a family that there is not, is an error with the place of each fault."""
    text = '[[rule]]\nid = "own"\nfamily = "spam"\npattern = "a"\nlanguages = ["en"]\nmatches = ["a"]\n'

    with pytest.raises(UnusableRule, match=r"rule 1 of own\.toml is refused") as caught:
        list(rules.read(text, "own.toml"))
    assert ["$.family", "$.spares"] == sorted(fault.path for fault in caught.value.faults)


@pytest.mark.parametrize(
    ("pattern", "found", "spared"),
    [
        ("two words", ["two words", "Two **words**", "two\n> words"], ["twowords", "two_words", "two-words"]),
        ("two~words", ["twowords", "two, words"], ["two more words"]),
        (r"[a ]b", ["a b", "ab"], ["b"]),
        ("\n  one\n  |two", ["one", "two"], ["|", "on"]),
        ("É", ["é", "e\u0301", "E"], ["a"]),
    ],
)  # fmt: skip
def test_how_a_pattern_is_read(pattern, found, spared):
    """A space is a gap with white space in it, ~ any gap, a line break nothing, and letters are folded as texts are."""
    rule = Rule.model_validate(RULE | {"pattern": pattern})

    assert [True] * len(found) + [False] * len(spared) == [bool(spans(rule, text)) for text in [*found, *spared]]


def test_a_rule_on_trial_only_tells():
    """A rule whose action is `report` finds and changes nothing, whatever the mode."""
    rule = Rule.model_validate(RULE | {"pattern": "spam", "action": RuleAction.REPORT})
    sanitized = cleaned("spam [INST]", Eyes(Settings(), Matcher([rule])))

    assert ("spam [INST]", [("own", "reported")]) == (
        sanitized.text,
        [(finding.rule, finding.action) for finding in sanitized.findings],
    )


def test_the_shadow_folds_what_hides():
    """Width, case, accents, points and what has no width make no difference to what a text says."""
    assert "strasse e i و ci" == fold_text("\uff33\uff34RA\u00ad\u1e9eE É\u0336 \u0130 وَ ci\u200d")
