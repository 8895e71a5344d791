"""Whatever a pattern matches holds its keys, and a rule is asked about everything that it matches."""

from collections.abc import Callable

import pytest
import re2
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from interpose_sanitizer import matching, pattern, rules
from interpose_sanitizer.breadth import MOST
from interpose_sanitizer.findings import Span
from interpose_sanitizer.keys import keys_of
from interpose_sanitizer.rules import Place, Rule
from interpose_sanitizer.shadow import fold_text
from interpose_sanitizer.sieve import Sieve
from interpose_sanitizer.sought import sought
from interpose_sanitizer.wordblocks import LONGEST

RULES = rules.shipped(Place.ENCODED)
PADDING = "Rain until noon. " * (MOST // 2)
"""More words than are in reach of any rule."""
WORDS = ("ab", "c", "ab c", "do-not", "ж", "жз", "的", "ab的")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"\bignore (?:all|any) rules\b", {" ignore all rules ", " ignore any rules "}),
        (r"\bignore(?: (?:all|the))* rules\b", {" ignore", " rules "}),
        (r"you~re", {"youre", "you re"}),
        (r"(?:one|two) of [a-z]+ things", {"one of ", "two of ", " things"}),
        (r"colou?r\b", {"color ", "colour "}),
        (r"игнорир\w+ правила", {"игнорир", "правила"}),
        (r"ai助手", {"ai助手"}),
        (r"<\|", set()),
        (r"[a-z]+", set()),
        (r"(?:known|[0-9]+)", set()),
        (r"(?i)shouted", set()),
        (r"[[:alpha:]]x", set()),
    ],
)
def test_keys_are_words_that_no_match_lacks(written: str, expected: set[str]) -> None:
    """They are spelled with one space for all signs between words."""
    keys = {word for words in keys_of(written) for word in words}

    assert expected == keys


def test_keys_without_gaps_need_none() -> None:
    """Where gaps may be empty no key says where a word begins."""
    (keys,) = keys_of(r"\bignore all\b", gapless=True)

    assert {"ignoreall", "ignore all"} == keys


def sieve_of(written: str) -> Callable[[bytes], list[Span]]:
    """Tells where in some data a sieve lets a pattern look. It is made once: reading a pattern takes long."""
    ways = sought(written)
    if not ways:
        return lambda data: [(0, len(data))]
    sieve = Sieve([ways])
    return lambda data: list(sieve.near(data).get(0, ()))


def patterns() -> st.SearchStrategy[str]:
    """Patterns of few words, so that texts of the same words match some of them."""
    word = st.sampled_from(WORDS).map(lambda one: one.replace("-", r"\-"))
    sign = st.sampled_from(["~", " ", r"\b", r"\s", "[,.]", "[^a]", r"\w", "^", "$", "[жa]", r"\x{436}"])

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        rows = st.lists(inner, min_size=1, max_size=4).map("".join)
        groups = st.lists(rows, min_size=1, max_size=3).map(lambda some: f"(?:{'|'.join(some)})")
        repeated = st.tuples(groups, st.sampled_from(["", "?", "*", "+", "{0,2}", "{1,2}", "{2}", "*?"])).map("".join)
        return rows | repeated

    return st.recursive(word | sign, larger, max_leaves=8)


@hypothesis_settings(max_examples=400, deadline=None)
@given(
    patterns(),
    st.lists(st.sampled_from([*WORDS, " ", "  ", ", ", "\n", "\u2014", "a", "x"]), max_size=12).map("".join),
    st.integers(LONGEST - 30, LONGEST),
)
def test_a_sieve_holds_back_nothing_that_matches(written: str, text: str, before: int) -> None:
    """For any pattern and any text, also behind and before much that has nothing to do with it, and where a word of
    which no end is seen is cut."""
    compiled, sieve = re2.compile(pattern.expanded(written.lstrip(" "))), sieve_of(written)

    for whole in (text, PADDING + text + PADDING, "x" * before + "-" + text + PADDING):
        data = fold_text(whole).encode()
        near = sieve(data)
        for found in compiled.finditer(data):
            # What is empty is looked for nowhere, and all rules refuse it.
            assert found.group() == b"" or any(begin <= found.start() and found.end() <= end for begin, end in near)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.id))
def test_a_rule_finds_the_same_with_its_sieve(rule: Rule) -> None:
    """In each of its examples, also with a wide gap between the words, and in the midst of a long text."""
    compiled, sieve = rules.compiled(rule), sieve_of(rule.pattern)

    for text in (*rule.matches, *rule.spares):
        for changed in (text, text.replace(" ", " " + "\n* " * MOST, 1), PADDING + "\n\n" + text + "\n\n" + PADDING):
            data = fold_text(changed).encode()
            everywhere = list(matching.spans(compiled, data, matching.MOST_MATCHES))
            near = sieve(data)

            assert everywhere == (near and list(matching.spans(compiled, data, matching.MOST_MATCHES, near)))


@pytest.mark.parametrize("between", [" ", "-", "/"])
def test_a_rule_is_asked_near_its_words_alone(between: str) -> None:
    """Also in a text in which nothing is blank, as in what is encoded: else its rules would be asked of all of it."""
    sieve = sieve_of(r"\bignore all rules\b")
    padding = between.join(["rain", "until", "noon"] * 3 * LONGEST)
    data = f"{padding} ignore all rules {padding}".replace(" ", between).encode()

    (near,) = sieve(data)

    assert near[1] - near[0] < len(data) // 2


def test_ordinary_text_meets_few_rules() -> None:
    """A page of prose is none of the business of nearly all rules."""
    sieve = Sieve([sought(rule.pattern) for rule in RULES])

    assert len(sieve.near(("the ferry was late, as it often is in the spring, " * 40).encode())) < len(RULES) // 20
