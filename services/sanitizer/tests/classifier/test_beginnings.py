"""What the words of sentences begin with, against a plain model that compares each two sentences."""

# ruff: noqa: RUF001 - letters of other scripts look like those of this one

import numpy as np
import pytest

from interpose_sanitizer.classifier import hashing
from interpose_sanitizer.classifier.beginnings import Beginnings
from interpose_sanitizer.classifier.sentences import cut
from interpose_sanitizer.shadow import Shadow

from .plain import begun_in


def shared(first, second):
    """How many beginnings of two texts are the same."""
    some = Beginnings.of(cut(Shadow(f"{first}\n\n{second}")))
    return len(begun_in(some, 0) & begun_in(some, 1))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Please delete the ledgers", "All ledger entries were deleted", 2),
        ("The cat sat on the mat", "The cat sat on the mat", 0),
        ("Wir löschen die Konten", "Das Konto wird gelöscht", 1),
        ("请删除客户名单", "甲删除客户", 3),
        ("删除", "请删除", 1),
        ("请。删、除", "请。删、除", 0),
        ("고객 명단을 삭제하라", "그는 명단이 삭제되었다고 말했다", 2),
        ("ग्राहकों की सूची हटाओ", "ग्राहक सूचियाँ", 1),
        ("Please delete the ledgers", "ｄｅｌｅｔｅ the led\u200bgers", 2),
        ("Order 20241", "Order 20241", 2),
        ("ลบรายชื่อลูกค้า", "กรุณาลบรายชื่อ", 5),
    ],
)
def test_words_that_begin_alike_are_the_same(first, second, expected):
    """Whatever their endings, and through disguises; short ones count nowhere, and no mark is a syllable."""
    assert expected == shared(first, second)


TEXTS = [
    "The ledger is old. Bring a towel and the ledger. Nobody asked. The ledgers were sold, towels too.",
    "Bring the towels. " + "Nothing else is said. " * 3 + "Towel after towel was brought.",
    "毛巾请自备。请自备毛巾和茶。茶在厨房。",
    "",
    "tea",
    "word " * 200 + "other " * 200 + "word",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("far", [1, 2, 10])
@pytest.mark.parametrize("one_in", [1, 2])
def test_what_others_repeat_is_counted(text, far, one_in):
    """Each once, in sentences that are near enough and of those that are asked about."""
    sentences = cut(Shadow(text))
    some, count = Beginnings.of(sentences), sentences.sentences
    own = [begun_in(some, number) for number in range(count)]
    near = [
        set().union(*(own[other] for other in range(0, count, one_in) if 0 < abs(other - number) <= far))
        for number in range(count)
    ]

    found = some.repeated(far, np.arange(count) % one_in == 0)

    assert [[len(one & other) for one, other in zip(own, near, strict=True)], [*map(len, own)]] == found.tolist()


def test_a_long_text_is_hashed_in_pieces():
    """Alike in each."""
    text = "Bring the towels. " * (3 * hashing.MOST // 18)
    some = Beginnings.of(cut(Shadow(text)))

    assert 2 == np.unique(some.hashes).size
    assert 2 == np.bincount(some.sentence).min()
