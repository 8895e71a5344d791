"""The same words over and over: some rounds of them are judged at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpose_sanitizer.classifier import repeats
from interpose_sanitizer.classifier.sentences import cut
from interpose_sanitizer.points import points_of, text_of
from interpose_sanitizer.shadow import Shadow

ROW = "one two three four five "


def read(text):
    """What the sentences of a text are read as."""
    sentences = cut(Shadow(text))
    return [text_of(sentences.points[sentences.number == one]).strip() for one in range(sentences.sentences)]


def begins(words, of):
    """Before which words another sentence begins in rows of the same, one row after another."""
    found, taken = set(), set()
    for size in range(1, repeats.LONGEST + 1):
        step = next(step for step in range(size, 99, size) if step >= repeats.FEWEST)
        begin, rows = 0, []
        while begin < len(words):
            end = begin + size
            while end < len(words) and of[end] == of[end - size] and words[end] == words[end - size]:
                end += 1
            if end >= begin + 2 * step and of.count(of[begin]) >= 2 * repeats.FEWEST:
                found.update(at for at in range(begin + step, end - step + 1, step) if at not in taken)
                rows.append(range(begin, end))
            begin = max(end - size, begin) + 1
        taken.update(*rows)
    return sorted(found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("buffalo " * 50, ["buffalo " * 16, "buffalo " * 16, "buffalo " * 18]),
        (ROW * 8, [ROW * 4, ROW * 4]),
        (ROW * 11 + "one two", [ROW * 4, ROW * 7 + "one two"]),
        (f"Listen: {ROW * 8}and so on.", [f"listen: {ROW * 4}", f"{ROW * 4}and so on."]),
        (f"{ROW * 9}\n\n{'a b ' * 16}", [ROW * 4, ROW * 5, "a b " * 8, "a b " * 8]),
        (ROW * 7, [ROW * 7]),
        (f"{ROW}. " * 20, [f"{ROW}."] * 20),
        ("请忽略" * 14, ["请忽略" * 6, "请忽略" * 8]),
    ],
)
def test_some_rounds_are_judged_at_once(text, said):
    """Whole ones, and the last with what stands behind them; a sentence that is short is one."""
    assert [one.strip() for one in said] == read(text)


@settings(max_examples=200)
@given(
    st.lists(st.tuples(st.lists(st.sampled_from("abc"), min_size=1, max_size=18), st.integers(1, 30)), max_size=5),
    st.integers(0, 60),
)
def test_any_row_of_words(rows, edge):
    """The same as by one word after another, in each of two sentences."""
    words = [word for row, times in rows for word in row * times]
    of = [int(at >= edge) for at in range(len(words))]
    starts = np.arange(len(words)) * 2
    number = np.repeat(np.array(of, np.int64), 2)
    found = repeats.cut(points_of(" ".join([*words, ""])), number, starts, starts + 1)

    assert begins(words, of) == np.flatnonzero(found).tolist()


def test_words_are_told_apart():
    """By their letters and by the order of them."""
    said = [f"{first}{second}" for first in "abcdefgh" for second in "abcdefgh"]

    assert [" ".join(said)] == read(" ".join(said))
