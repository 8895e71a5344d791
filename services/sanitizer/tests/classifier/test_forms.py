"""How sentences stand in their text, told one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpose_sanitizer.classifier.forms import ENDS, FEWEST, KINDS, LONGEST, MARKS, MOST, SIZE, forms
from interpose_sanitizer.classifier.sentences import LABEL, cut, of_words
from interpose_sanitizer.points import points_of
from interpose_sanitizer.shadow import Shadow

TEXTS = (
    'Hello there. "Quote this now".\n\n- Item one is Good!\n- Send it to a@b.co\nNote: see https://a.b\n',
    "```\nrun `this now` and `that\n```\n  # Then 3 more\n1. Say it\n\n   \n> so it is",
    "a line that is long enough to go on in the next one, as\nthis one does, and ends. And more: \u4f60\u597d\u3002",
    f"{'word ' * 200}end. Ünd so.",
    "one",
    "",
)


def number(signs, character):
    """Its number among some signs; behind them a digit, and whatever else."""
    return signs.index(character) if character in signs else len(signs) + (character not in "0123456789")


def letters(text):
    """How many there are of words that are no digits."""
    return int(of_words(points_of(text)).sum()) - sum(text.count(digit) for digit in "0123456789")


def plain(reading, sentences, at):
    """The signs of one sentence."""
    text, (begin, end) = reading.text, sentences.span(at)
    start = text.rfind("\n", 0, begin) + 1
    stop = text.find("\n", end - 1)
    stop = len(text) if stop < 0 else stop
    before, said, behind = text[start:begin], text[begin:end], text[end:stop]
    above, below = text[:start].split("\n")[:-1], text[stop:].split("\n")[1:]
    signs = [
        number(MARKS, text[start:end].lstrip(" \t\n")[0]),
        number(ENDS, said[-1]),
        letters(before) == 0,
        letters(behind) == 0,
        not above or not above[-1].strip(),
        not below or not below[0].strip(),
        before.count('"') % 2,
        behind.count('"') % 2,
        before.count("`") % 2,
        text[:begin].count("`") % 2,
        ":" in text[start : start + LABEL],
        *(min(size, LONGEST) for size in (stop - start, begin - start, end - begin)),
        *(min(len(lines), MOST) for lines in (above, below)),
        at / sentences.sentences,
        reading.is_capital[begin:end].mean(),
        sum(said.count(digit) for digit in "0123456789") / len(said),
        letters(said) / len(said),
        sum(one > "\x7f" for one in said) / len(said),
        said.count("@"),
        sum(text[place - 1 : place + 1] == "//" for place in range(max(begin, 1), end)),
        min(sentences.sentences, MOST),
        *(text.count(sign) / max(len(text), FEWEST) for sign in KINDS),
    ]
    return [float(sign) for sign in signs]


@pytest.mark.parametrize("text", TEXTS)
def test_signs_are_those_of_a_plain_count(text):
    """Of each sentence, and of none."""
    reading = Shadow(text)
    sentences = cut(reading)
    told = forms(reading, sentences, np.arange(sentences.sentences))

    assert (sentences.sentences, SIZE) == told.shape
    for at, row in enumerate(told.tolist()):
        assert pytest.approx(plain(reading, sentences, at)) == row


@settings(max_examples=150)
@given(st.text(alphabet='aB17 .\n\t\\:"`@/-<é', max_size=60))
def test_signs_of_any_text(text):
    """The same for whatever comes, whichever sentences are asked about."""
    reading = Shadow(text)
    sentences = cut(reading)
    some = np.arange(0, sentences.sentences, 2)

    for at, row in zip(some.tolist(), forms(reading, sentences, some).tolist(), strict=True):
        assert pytest.approx(plain(reading, sentences, at)) == row
