"""A text cut into sentences for the classifier."""

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose_sanitizer.classifier.sentences import LONGEST, cut
from interpose_sanitizer.points import text_of
from interpose_sanitizer.shadow import Shadow

LONG_LINE = "this line is long enough to break off in the midst of a sentence\n"


def sentences(text):
    """What the sentences of a text say."""
    found = cut(Shadow(text))
    edges = np.searchsorted(found.number, np.arange(1, found.number[-1] + 1)) if found.number.size else []
    return [text_of(part) for part in np.split(found.points, edges)] if found.number.size else []


def words(text):
    """Its words and signs."""
    found = cut(Shadow(text))
    return [text_of(found.points[begin:end]) for begin, end in zip(found.words, found.stops, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n ", []),
        ("One. Two!  Three? Four", ["one.", "two!", "three?", "four"]),
        ('He said "no." So what', ['he said "no.', '" so what']),
        ("P.S. see x.y and 3.5 of it", ["p.s. see x.y and 3.5 of it"]),
        ("in 5. Next", ["in 5.", "next"]),
        ('<comment xml:lang="da">MPEG-lyd</comment>', ["mpeg-lyd", "</comment>"]),
        ("Write to me@example.org, a.example.net or me@shop.example.", ["write to me@ , a. or me@shop.example."]),
        ('<note lang="da">MPEG-lyd', ['<note lang="da">', "mpeg-lyd"]),
        ("好的。请走\uff01", ["好的。", "请走!"]),
        ("a line\nanother line", ["a line", "another line"]),
        (LONG_LINE + "and this is where it ends at last", [LONG_LINE.strip() + " and this is where it ends at last"]),
        (LONG_LINE + "\nand this is where it ends at last", [LONG_LINE.strip(), "and this is where it ends at last"]),
        (LONG_LINE + "And this is another one of them", [LONG_LINE.strip(), "and this is another one of them"]),
        (LONG_LINE + "- and this is an item of a list", [LONG_LINE.strip(), "- and this is an item of a list"]),
        (LONG_LINE + "tim: and this is what he says", [LONG_LINE.strip(), "tim: and this is what he says"]),
        (LONG_LINE + "int b;", [LONG_LINE.strip(), "int b;"]),
        (LONG_LINE.strip() + "]\nand this is no part of it", [LONG_LINE.strip() + "]", "and this is no part of it"]),
        (r"one\nTwo", ["one", "two"]),
        ('{"a": "do it", "b": 1}', ['{"a"', ': "do it"', ', "b"', ": 1}"]),
        ("<p>Go <b>now</b></p>", ["go now"]),
        ("One<p>two</p>three", ["one", "two", "three"]),
        ("It is<br/>on", ["it is", "on"]),
        ('In <code class="a b">x</code>, <a href="/y" hidden>all</a> of it', ["in x , all of it"]),
        ('<img alt="do it now" src=x> and <b do it now>', ['<img alt="do it now" src=x>', "and", "<b do it now>"]),
        ("<system>go</system> a < b > c", ["<system>", "go", "</system>", "a < b >", "c"]),
        ('a <b class="x-y open" id=z>b</b> c', ["a b c"]),
        ('a <b class="this says it all now">b</b>', ["a", '<b class="this says it all now">', "b"]),
        (LONG_LINE + "limit = 3 and so on and on and on", [LONG_LINE.strip(), "limit = 3 and so on and on and on"]),
        ("| one | two |", ["| one |", "two |"]),
        ("Fine.<|end|>", ["fine.", "<|end|>"]),
    ],
)
def test_where_a_sentence_ends(text, expected):
    """At its mark, with its line, its field or its tag; not within a name, a number or a wrapped line."""
    assert expected == sentences(text)


def test_words_and_signs():
    """Words with their apostrophes, and each sign by itself."""
    assert ["don't", "e", "-", "mail", "x", "@", "y", "_", "z", "!"] == words("Don't e-mail x@y _ z!")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("请发给AI助手。", ["请", "发", "给", "ai", "助", "手", "。"]),
        ("メールを送る v2", ["メ", "ー", "ル", "を", "送", "る", "v2"]),
        ("ไม่ต้องเปิดไฟล์", ["ไม่", "ต้", "อ", "ง", "เปิ", "ด", "ไฟ", "ล์"]),
        ("ស្រី", ["ស្រី"]),
        ("ガを", ["ガ", "を"]),
        ("지금 보내", ["지금", "보내"]),
    ],
)
def test_syllables_are_words_where_nobody_writes_spaces(text, expected):
    """Each character of Chinese and Japanese; elsewhere a letter, with what is written around it of its syllable."""
    assert [unicodedata.normalize("NFD", word) for word in expected] == words(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Send it to me, now!", [5]),
        ("40 00 3e 12 — 7", [0]),
        ("请把它发给我。", [3.0]),
        ("a@b.example, x 4111", [1]),
        ("Card DE89 3704, key x9f", [2]),
        ("ลบทุกไฟล์ now", [4]),
        ("AI请把它发给我", [4]),
        ("지금 보내 줘. Go!", [3, 1]),
        ("</main> <br> ...", [0]),
    ],
)
def test_how_long_a_sentence_is(text, expected):
    """Its words: neither signs nor numbers nor codes; two syllables are one where nobody writes spaces."""
    assert expected == cut(Shadow(text)).lengths.tolist()


def test_a_long_sentence_is_cut():
    """No more words than are judged at once; all of them are in some piece."""
    words = [f"word{chr(ord('a') + number // 26)}{chr(ord('a') + number % 26)}" for number in range(LONGEST * 2 + 5)]
    syllables = "".join(chr(0x4E00 + number) for number in range(2 * LONGEST + 3))

    assert [LONGEST, LONGEST, 5] == [one.count("word") for one in sentences(" ".join(words))]
    assert [2 * LONGEST, 3] == [len(one) for one in sentences(syllables)]


@given(st.text(max_size=200))
def test_every_character_that_is_seen_is_in_one_sentence(text):
    """In order, each once, but for what is in rows of a sign; and what is blank is one space within, and nothing at the
    edges."""
    shadow = Shadow(text)
    found = cut(shadow)
    said = [sign for sign in shadow.text if sign not in " \t\n"]
    spelled = "\\" in text or "<" in text or re.search(r"([^\w\s])[ \t]?\1[ \t]?\1", shadow.text)

    assert found.number.tolist() == sorted(found.number.tolist())
    assert found.places.tolist() == sorted(set(found.places.tolist()))
    assert spelled or [sign for sign in text_of(found.points) if sign != " "] == said
    assert all(one == one.strip() and "  " not in one for one in sentences(text))


@given(st.lists(st.text(alphabet='ab c.\n<>|:"X', max_size=40), max_size=4))
def test_texts_apart_are_cut_as_each_alone(texts):
    """What stands between two blank lines and a bar is cut as if it were a text by itself."""
    each = [one for text in texts for one in [*sentences(text), "|"]][:-1]

    assert each == sentences("\n\n|\n\n".join(texts)) or any("|" in text or text.strip() == "" for text in texts)


@pytest.mark.parametrize("between", ["", " "])
@pytest.mark.parametrize("sign", "-=#*~")
def test_a_line_that_is_drawn_says_no_more_than_its_ends(sign, between):
    """However long it is: what is learned of dashes must not make an order of a heading in code."""
    three, sixty = (between.join(sign * count) for count in (3, 60))
    short, long = (sentences(f"{drawn} the words of a heading") for drawn in (three, sixty))

    assert [one.strip(f"{sign} ") for one in short] == [one.strip(f"{sign} ") for one in long]
    assert len(cut(Shadow(f"{three} some words")).words) == len(cut(Shadow(f"{sixty} some words")).words)
