"""The words that rules write down: what is found through a disguise is found near these alone."""

from random import Random

import numpy as np
import pytest

from interpose_sanitizer import joined, looking, rules, settings, vocabulary
from interpose_sanitizer.factors import factors
from interpose_sanitizer.findings import Family
from interpose_sanitizer.points import points_of
from interpose_sanitizer.rules import Place
from interpose_sanitizer.settings import Settings
from interpose_sanitizer.sought import shipped_ways
from interpose_sanitizer.vocabulary import Vocabulary

KNOWN = vocabulary.shipped()
GATED = looking.Eyes.of(Settings())
OPEN = looking.Eyes(GATED.settings, GATED.matcher)
FEW, MOST_SHORT = 500, 100
DIGITS = str.maketrans("oieasgtb", "01345678")
SIGNS = str.maketrans("aistl", "@!$+|")


def touched(word, known=KNOWN):
    """Whether each character of a word is in something that is written down."""
    points = points_of(f" {word} ")
    return bool(known.touched(points, np.arange(1, points.size - 1)).size == len(word))


def in_digits(word, _dice):
    """Every letter that a digit is like."""
    return word.translate(DIGITS)


def in_signs(word, _dice):
    """Every letter that a sign is like."""
    return word.translate(SIGNS)


def with_one_digit(word, dice):
    """One letter that a digit is like."""
    places = [place for place, letter in enumerate(word) if ord(letter) in DIGITS]
    place = dice.choice(places) if places else 0
    return word[:place] + word[place : place + 1].translate(DIGITS) + word[place + 1 :]


def examples():
    """Some texts that rules find, in letters of ASCII."""
    every = [text.lower() for rule in rules.shipped(Place.ENCODED) for text in rule.matches if text.isascii()]
    return Random(7).sample(every, min(FEW, len(every)))  # noqa: S311 - chance that can be repeated


def found(eyes, text):
    """Which attacks are found, and where."""
    return sorted(eyes.look(text).attacks)


@pytest.mark.parametrize("how", [in_digits, in_signs, with_one_digit])
def test_nothing_that_is_disguised_is_lost(how):
    """What is found in every example in which some words are written otherwise is found whether all are looked at or
    not."""
    dice = Random(8)  # noqa: S311 - chance that can be repeated
    said = [
        " ".join(how(word, dice) if dice.random() < 0.5 else word for word in text.split(" ")) for text in examples()
    ]
    lost = [text for text in said if {*found(OPEN, text)} - {*found(GATED, text)}]

    # What is left are words that stand where any word may, as they do in rules for orders in plain words.
    assert len(lost) <= len(said) // 250, lost


@pytest.mark.parametrize("word", ["ignore", "instructions", "rules", "all", "password", "vorherigen", "admin"])
def test_a_word_of_a_rule_is_known(word):
    """Whole, and so that each of its letters is told."""
    assert touched(word)


@pytest.mark.parametrize("word", ["shazsg", "utfb", "eioeiaasab", "iiibn", "basega", "cacbbeadafeo"])
def test_what_honest_text_is_full_of_is_none(word):
    """Names of encodings and identifiers are no words of any attack, whatever their digits are read as."""
    assert not touched(word)


@pytest.mark.parametrize("word", ["ignroe", "pleaseignore", "xyzpreviousabc", "ignoooore"])
def test_a_key_that_is_disguised_again_is_kept(word):
    """It is misspelt as well, or stands with others as one."""
    assert touched(word)


def test_a_key_that_is_broken_is_kept():
    """What stands beside a word may be the rest of it."""
    points = points_of("so ig-nore it")

    assert [3, 6] == KNOWN.touched(points, np.array([3, 6])).tolist()


def test_a_sign_that_stands_between_words_here_may_stand_in_a_text():
    """What is put between words is in some texts itself."""
    points = points_of("\u241e 1gnore \u241e\u241e a11 \u241e".replace("1", "l"))

    assert KNOWN.touched(points, np.arange(points.size)).size


def test_few_short_pieces_stand_anywhere_in_a_word():
    """Three letters that a pattern lets stand within any word are in every other identifier, and each is read once
    more then: a pattern says where its words begin and end."""
    patterns = [rule.pattern for rule in rules.shipped(Place.ENCODED)]
    short = {piece for piece in factors(patterns) if piece.startswith("?") and piece.endswith("?") and len(piece) < 6}

    assert len(short) <= MOST_SHORT, sorted(short)


def test_only_tokens_are_looked_for_in_every_text():
    """Every other rule writes down words, and is asked of the texts that hold them."""
    shipped = rules.shipped(Place.ENCODED)
    ways = shipped_ways([rule.pattern for rule in shipped], gapless=False)

    assert {Family.CHAT_TEMPLATE} == {rule.family for rule, some in zip(shipped, ways, strict=True) if not some}


def test_all_patterns_that_come_with_the_service_are_read():
    """None of them is so strange that every word would have to be kept."""
    assert KNOWN.is_known


@pytest.mark.parametrize("pattern", ["(?=x)y", "(?P<a>b)"])
def test_a_pattern_that_cannot_be_read_may_write_down_anything(pattern):
    """Then nothing is left out."""
    assert touched("qqqqq", Vocabulary([pattern]))
    assert touched("qqqqq", Vocabulary(["tea"], Vocabulary([pattern])))
    assert not touched("qqqqq", Vocabulary(["tea"]))


@pytest.mark.parametrize(
    ("pattern", "word"),
    [
        (r"\btea(?:pot|cup)s?\b", "teacups"),
        (r"\b(?:re)?fill(?:ed|ing)?\b", "refilling"),
        ("pour the tea", "tea"),
        (r"\bcolou?r\b", "color"),
        (r"\borgani[sz]e\b", "organize"),
        (r"\b(?:ha){2,3}\b", "hahaha"),
        (r"don~t", "dont"),
        ("\\bcaf\u00e9s?\\b", "cafes"),
        (r"\bkettle[a-z]*", "kettles"[:6]),
        (r"\bof \\x{6d}y cup\b".replace("\\\\", "\\"), "my"),
    ],
)
def test_a_word_is_read_off_a_pattern(pattern, word):
    """Whatever the pattern puts together to write it."""
    assert touched(word, Vocabulary([pattern]))
    assert not touched(word[:-1] + "q", Vocabulary([pattern]))


def test_pieces_end_where_words_do():
    """A space is what is between words, and a question mark any letters."""
    assert {" tea?", "?pour ", " cup?"} == factors(["pour tea", r"\bcup[a-z]*"])


def test_words_of_one_hook_are_known_to_that_one():
    """Its own rules, and those that the environment names, write down words as well."""
    rule = {"id": "own", "family": "tampering", "pattern": r"\bqwertz zuiop\b", "languages": ["en"]}
    own = settings.read({"rules": [rule | {"matches": ["qwertz zuiop"], "spares": ["tea"]}]}).own

    assert touched("zuiop", joined.words(own))
    assert not touched("zuiop", joined.words())
