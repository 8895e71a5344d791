"""What tells whether something that a rule recognised is made or only told of, as numbers of features.

Its own words and those around it, those that the text begins with, the rule, and in any language: how much of attacks
is spoken of near it and in all of the text, which classes of words its sentence and those beside it hold, how much of
the text it is, and whether it stands in quotation marks or in code.
"""

import re
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from interpose_sanitizer import mentions, quoted
from interpose_sanitizer.classifier.classes import NAMES
from interpose_sanitizer.classifier.judged import Judged
from interpose_sanitizer.findings import Span
from interpose_sanitizer.matching import Match
from interpose_sanitizer.shadow import Shadow

NEAR, FAR = 90, 400
"""How far is looked on either side, in characters: at rows of words, and at single words."""
LONGEST, HEAD = 400, 120
"""Characters of what was recognised that are looked at, and of how the text begins."""
FEW = 3
"""So many words on either side are told apart by how far away they stand."""
MANY = 4
"""What is counted is told apart up to so many, and then by how often it doubles."""
BITS = 18
"""Of the number of a feature."""
COUNTS, FEWEST = (1.0, 1.0, 0.4, 1.5, 1.0), 10
"""How much each kind of features counts: what was recognised, what stands near it, what further away, by which rule,
and what is the same in every language. Each is divided by the root of how many there are, and of so many at least."""
_WORD = re.compile(r"[\u0e00-\u0eff\u2e80-\u9fff\uf900-\ufaff]|[^\W\u0e00-\u0eff\u2e80-\u9fff\uf900-\ufaff]++|[^\w\s]")
"""A word, a sign, or a character of a script that writes no spaces."""
Numbers = npt.NDArray[np.int64]
Features = tuple[Numbers, ...]
"""Of each kind the numbers."""


class Signs:
    """What there is to know of the matches in one reading of a text."""

    def __init__(self, reading: Shadow, judged: Judged, matches: Sequence[Match]) -> None:
        self._text = reading.text
        self._sentences = judged.cut
        self._held = judged.held
        self._attacks = [begin for begin, _ in mentions.words_of_attacks(reading)]
        self._count = len(matches)
        self._head = _words(self._text, 0, HEAD)

    def of(self, match: Match) -> Features:
        """The numbers of one of the matches; each once in its kind."""
        text, (begin, end) = self._text, match.where
        before, after = _words(text, begin - NEAR, begin), _words(text, end, end + NEAR)
        said = _words(text, begin, min(end, begin + LONGEST))
        far = (*_words(text, begin - FAR, begin - NEAR), *_words(text, end + NEAR, end + FAR))
        return (
            _numbers(f"in {row}" for row in _rows(said)),
            _numbers(chain(_beside("before", before, before[::-1]), _beside("after", after, after))),
            _numbers(chain((f"around {word}" for word in far), (f"head {word}" for word in self._head))),
            _numbers((f"rule {match.rule.id}", f"family {match.rule.family}")),
            _numbers(self._anywhere(match.where)),
        )

    def _anywhere(self, where: Span) -> Iterator[str]:
        begin, end = where
        for far in (NEAR, FAR, len(self._text)):
            yield f"attacks within {far}: {_many(self._spoken(begin - far, begin) + self._spoken(end, end + far))}"
        yield f"text {(len(self._text) // max(end - begin, 1)).bit_length()}"
        yield f"matches {_many(self._count)}"
        yield from _marks(self._text, where)
        sentences = np.flatnonzero(self._sentences.touched([where]))
        if sentences.size:
            first, last = int(sentences[0]), int(sentences[-1])
            for place, rows in (("before", slice(max(first - 1, 0), first)), ("after", slice(last + 1, last + 2))):
                yield from (f"class {place} {NAMES[number]}" for number in _any(self._held[rows]))
            yield from (f"class {NAMES[number]}" for number in _any(self._held[first : last + 1]))

    def _spoken(self, begin: int, end: int) -> int:
        return bisect_left(self._attacks, end) - bisect_left(self._attacks, begin)


def values(kinds: Features) -> list[float]:
    """How much each feature of a kind counts in a match that has these."""
    return [count / max(numbers.size, FEWEST) ** 0.5 for count, numbers in zip(COUNTS, kinds, strict=True)]


def _marks(text: str, where: Span) -> Iterator[str]:
    """What quotes a match, or shows it as code, and what its line begins with."""
    marks = quoted.quotation(text, quoted.inside_marks(text, where))
    if marks is not None:
        yield f"quoted in {text[marks[0]]}"
        yield f"quoted with {_many((marks[1] - marks[0] - where[1] + where[0]) // FEWEST)} more"
    line = text.rfind("\n", 0, where[0]) + 1
    yield f"line begins with {text[line : line + 1] if not text[line : line + 1].isalnum() else 'a word'}"
    if text.count("```", 0, where[0]) % 2:
        yield "in a fence"
    elif text.count("`", line, where[0]) % 2:
        yield "in code"


def _any(rows: npt.NDArray[np.bool_]) -> list[int]:
    return np.flatnonzero(rows.any(axis=0)).tolist()


def _many(count: int) -> int:
    return count if count < MANY else MANY + (count // MANY).bit_length()


def _beside(place: str, words: Sequence[str], outwards: Sequence[str]) -> Iterator[str]:
    """What stands on one side, and how far away the nearest words are."""
    yield from (f"{place} {row}" for row in _rows(words))
    yield from (f"{place} {far}: {word}" for far, word in enumerate([*outwards[:FEW], *[""] * FEW][:FEW]))


def _rows(words: Sequence[str]) -> Iterator[str]:
    yield from words
    yield from (f"{one} {other}" for one, other in pairwise(words))


def _numbers(names: Iterable[str]) -> Numbers:
    return np.array(sorted({zlib.crc32(name.encode()) >> (32 - BITS) for name in names}), np.int64)


def _words(text: str, begin: int, end: int) -> list[str]:
    return _WORD.findall(text, max(begin, 0), max(end, 0))
