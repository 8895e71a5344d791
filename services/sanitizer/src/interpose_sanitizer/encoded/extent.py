"""How far a cipher reaches: a payload goes whole, the prose beside it stays. Each word tells on which side it is."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from interpose_sanitizer.encoded.cues import pairs
from interpose_sanitizer.encoded.facing import facing
from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import Points, points_of, summed

STRING_ENDS = r"\"(?=[,:]\s?[\"\[{0-9]|[}\]])"
"""Where a string of JSON ends before another field: what stands behind is nobody's sentence."""
_FIELD = rf"{STRING_ENDS}|(?<=[\"\]}}0-9][,:])\"|(?<=[{{\[])\""
"""The mark at which a string of JSON begins or ends, in a text or in its reverse: beside it another field may stand."""
_TOKEN = re.compile(rf"(?:(?!{_FIELD})\S)++")
_SURE = 4
"""By so much a word must be better in one reading to say something."""
_SEVERAL = 4
"""So many surely enciphered words say in which letters an order is written."""
_MOST_DOUBTFUL = 2
"""So many words that say nothing, such as numbers, may stand between two that are enciphered."""
_EDGE, _OTHER = 0, 27
"""What is no letter: between words, and within them."""
_FOREIGN, _FEWEST_FOREIGN = ((0x370, 0x2000), (0x3040, 0xFB00)), 2
"""Where the letters of other scripts stand, without signs, emoji and what only looks like Latin; so many in a word
that has none of ASCII say that it is of another script."""

_OVERRIDDEN = re.compile("[\u202d\u202e][^\n\u2029\u202c]*+")
_OVERRIDDEN_BEFORE = re.compile("(?<![^\n\u2029\u202c])[^\n\u2029\u202c\u202d\u202e]*+[\u202d\u202e]")
"""What overrides turn round, in the order of a text and in its reverse."""


class Extent:
    """One deciphered text, and how it is `written`, sign for sign; None where each of its words is backwards, and
    `is_turned` where all of it is.

    Spans have to come in order: one within the last that was told is not looked at again.
    """

    def __init__(self, text: str, written: str | None, *, is_turned: bool = False) -> None:
        self._text, self._written, self._is_turned = text, written, is_turned
        self._last = (0, 0)

    def widened(self, span: Span) -> Span:
        """The span with the words around it that are better words than what is written there, and without those at its
        edges that are worse."""
        if self._last[0] <= span[0] and span[1] <= self._last[1]:
            return self._last
        first = bisect_right(self._ends, span[0])
        last = bisect_left(self._starts, span[1]) - 1
        if first > last:
            return span
        gains = self._beside_latin if self._is_latin(first, last) else self._gains
        inner = self._enciphered(gains, first, last)
        further = self._reached(gains, range(last + 1, len(self._starts)), 0) if inner[1] == last else 0
        before = self._reached(gains, range(first - 1, -1, -1), 1) if inner[0] == first else 0
        begin, end = self._starts[inner[0] - before], self._ends[inner[1] + further]
        begin, end = begin if inner[0] > first else min(span[0], begin), end if inner[1] < last else max(span[1], end)
        self._last = self._overridden((begin, end))
        return self._last

    def _overridden(self, span: Span) -> Span:
        """The span; of one that gains most where an override turns the text round, only that."""
        found = [(max(begin, span[0]), min(end, span[1])) for begin, end in self._overrides]
        found = [(begin, end) for begin, end in found if begin < end]
        if not found or 2 * sum(map(self._gained, found)) <= self._gained(span):
            return span
        return found[0][0], found[-1][1]

    def _gained(self, span: Span) -> int:
        return sum(self._gains[bisect_right(self._ends, span[0]) : bisect_left(self._starts, span[1])])

    @cached_property
    def _overrides(self) -> list[Span]:
        """Where overrides turn the text round, which shows it as it was before."""
        if self._written is not None or self._text.isascii():
            return []
        pattern = _OVERRIDDEN_BEFORE if self._is_turned else _OVERRIDDEN
        return [found.span() for found in pattern.finditer(self._text)]

    def _is_latin(self, first: int, last: int) -> bool:
        """Whether what was enciphered of some words is written in Latin letters: all of them are, or several surely."""
        foreign = self._is_foreign[first : last + 1]
        sure = np.array(self._gains[first : last + 1]) >= _SURE
        return bool(not foreign.any() or np.count_nonzero(sure & ~foreign) >= _SEVERAL)

    def _enciphered(self, gains: Sequence[int], first: int, last: int) -> tuple[int, int]:
        """Of some words those that remain when lines, and then words, are taken off the edges that are better as they
        are written."""
        lines = [first, *(token for token in range(first + 1, last + 1) if self._is_new_line[token]), last + 1]
        begin, end = _between_worse([_of_line(gains[one:other]) for one, other in pairwise(lines)])
        first, last = lines[begin], lines[end] - 1
        begin, end = _between_worse(gains[first : last + 1])
        return first + begin, first + end - 1

    def _reached(self, gains: Sequence[int], tokens: range, before: int) -> int:
        """How many more words are enciphered. In another line only a word that is sure to be says so."""
        reached = doubtful = 0
        for count, token in enumerate(tokens, 1):
            gain, is_new = gains[token], self._is_new_line[token + before]
            is_sure = gain >= _SURE
            doubtful = 0 if is_sure else doubtful + 1
            if gain <= -_SURE or doubtful > _MOST_DOUBTFUL or (is_new and not is_sure):
                break
            if is_sure:
                reached = count
        return reached

    @cached_property
    def _tokens(self) -> list[Span]:
        return [found.span() for found in _TOKEN.finditer(self._text)]

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self._tokens]

    @cached_property
    def _ends(self) -> list[int]:
        return [end for _, end in self._tokens]

    @cached_property
    def _is_new_line(self) -> list[bool]:
        """For each word whether it begins a line, or a field of data; once more behind the last."""
        text = self._text.replace('"', "\n")
        return [False, *("\n" in text[end:start] for (_, end), (start, _) in pairwise(self._tokens)), False]

    @cached_property
    def _is_foreign(self) -> NDArray[np.bool_]:
        """Which words are of another script than Latin."""
        points = points_of(self._text)
        are_letters = np.logical_or.reduce([(points >= first) & (points < end) for first, end in _FOREIGN])
        begins = np.array(self._starts, np.intp)
        has_latin = np.logical_or.reduceat(_letters(points) % _OTHER > 0, begins)
        letters = np.add.reduceat(are_letters, begins, dtype=np.int64)
        found: NDArray[np.bool_] = (letters >= _FEWEST_FOREIGN) & ~has_latin
        return found

    @cached_property
    def _beside_latin(self) -> list[int]:
        """What each word gains beside an order in Latin letters: words of other scripts are the text around it."""
        found: list[int] = np.where(self._is_foreign, -_SURE, self._gains).tolist()
        return found

    @cached_property
    def _gains(self) -> list[int]:
        """Above zero where the deciphered word is the better one. In other scripts it is, unless it tells."""
        points = points_of(self._text)
        begins = np.array(self._starts, np.intp)
        if self._written is None:
            other = self._likelihoods(points, pairs().T)
        else:
            other = self._likelihoods(points_of(self._written), pairs())
        gains = self._likelihoods(points, pairs()) - other
        is_other = np.maximum.reduceat(points, begins) >= 0x80
        has_letters = np.maximum.reduceat(_letters(points) % _OTHER, begins) > 0
        found: list[int] = np.where(is_other, np.where(has_letters, 0, self._of_others), gains).tolist()
        return found

    @cached_property
    def _of_others(self) -> NDArray[np.int64]:
        """What each word gains if it is in another script."""
        if self._written is not None:
            return np.full(len(self._tokens), _SURE)
        words = [self._text[slice(*span)] for span in self._tokens]
        lines = [*accumulate(self._is_new_line[:-1])]
        return np.sign(facing(words, lines, is_turned=self._is_turned)) * _SURE

    def _likelihoods(self, points: Points, likely: NDArray[np.int64]) -> NDArray[np.int64]:
        """How likely the letters of each word stand beside each other, and at its edges."""
        letters = _letters(points)
        kept = np.flatnonzero(letters != _OTHER)
        told = np.concatenate(([_EDGE], letters[kept], [_EDGE]))
        before = summed(likely[told[:-1], told[1:]])
        first, last = np.searchsorted(kept, self._starts), np.searchsorted(kept, self._ends)
        found: NDArray[np.int64] = np.where(
            first < last, before[np.minimum(last + 1, len(before) - 1)] - before[first], 0
        )
        return found


def _of_line(gains: Sequence[int]) -> int:
    """What a line gains; one that gains nothing and has no word that is sure is as one that is worse."""
    return min(sum(gains), -_SURE) if sum(gains) <= 0 and max(gains) < _SURE else sum(gains)


def _between_worse(gains: Sequence[int]) -> Span:
    """From behind the last that is worse before any that is better, to before the first that is worse behind all."""
    better = [place for place, gain in enumerate(gains) if gain >= _SURE]
    if not better:
        return 0, len(gains)
    worse = [place for place, gain in enumerate(gains) if gain <= -_SURE]
    before, behind = [one for one in worse if one < better[0]], [one for one in worse if one > better[-1]]
    return max(before, default=-1) + 1, min(behind, default=len(gains))


def _letters(points: Points) -> NDArray[np.intp]:
    """The number of each letter from 1 on, small or not; white space as the edge of a word."""
    small = points | 0x20
    is_letter = (small >= ord("a")) & (small <= ord("z"))
    return np.where(is_letter, small - (ord("a") - 1), np.where(points <= 0x20, _EDGE, _OTHER)).astype(np.intp)
