"""What the words of sentences begin with. The more of it two sentences share, the likelier they speak of the same,
whatever endings their language has.

They are read as they are cut, through disguises. Of a script that writes no spaces each two syllables count that follow
each other.
"""

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np

from interpose_sanitizer.classifier import hashing, ngrams, scripts
from interpose_sanitizer.classifier.hashing import Hashes, Numbers
from interpose_sanitizer.classifier.sentences import Cut, of_words
from interpose_sanitizer.points import Mask, Points


class Beginnings(NamedTuple):
    """Hashes of beginnings, none of a shorter word, and in which sentence each stands: in the order of hashes, and each
    once in a sentence."""

    hashes: Hashes
    sentence: Numbers

    @classmethod
    def of(cls, cut: Cut) -> Self:
        """Those of all words."""
        hashes, sentence = zip((np.zeros(0, np.uint64), np.zeros(0, np.int64)), *_parts(cut), strict=True)
        some, of = np.concatenate(hashes), np.concatenate(sentence)
        order = np.lexsort((of, some))
        some, of = some[order], of[order]
        is_again = (some[1:] == some[:-1]) & (of[1:] == of[:-1])
        once = np.append(True, ~is_again)[: some.size]
        made = cls(some[once], of[once])
        for part in made:
            part.flags.writeable = False
        return made

    def repeated(self, far: int, whose: Mask) -> Numbers:
        """Of each sentence how many of its beginnings another so far away has too, if it is one of these; and how many
        it has: in two rows."""
        hashes, sentence = self
        # In a row in which those of another hash are further away than any counts.
        is_other = np.append(False, hashes[1:] != hashes[:-1])[: hashes.size]
        places = sentence + np.cumsum(is_other) * (whose.size + far + 1)
        before, behind = _beside(places, whose[sentence], far)
        near = (places - before <= far) | (behind - places <= far)
        return np.array([np.bincount(some, minlength=whose.size) for some in (sentence[near], sentence)])


def _beside(places: Numbers, some: Mask, far: int) -> tuple[Numbers, Numbers]:
    """The last of some places before each of a row that grows, and the first behind it; or what is too far away."""
    least, most = np.int64(-far - 1), np.int64(places[-1] + far + 1 if places.size else 0)
    before = np.maximum.accumulate(np.append(least, np.where(some, places, least)))[:-1]
    behind = np.minimum.accumulate(np.append(np.where(some, places, most), most)[::-1])[::-1][1:]
    return before, behind


def _parts(cut: Cut) -> Iterator[tuple[Hashes, Numbers]]:
    for begin, end in ngrams.pieces(cut):
        points, number = cut.points[begin:end], cut.number[begin:end]
        first, last = np.searchsorted(cut.words, (begin, end)).tolist()
        starts, stops = cut.words[first:last] - begin, np.minimum(cut.stops[first:last], end) - begin
        sums, syllable = hashing.sums(points), _is_syllable(points.take(starts))
        words = ~syllable & (stops - starts >= ngrams.BEGUN)
        yield hashing.between(sums, starts[words], starts[words] + ngrams.BEGUN), number.take(starts[words])
        two = np.flatnonzero(syllable[:-1] & syllable[1:] & (stops[:-1] == starts[1:]))
        two = two[number.take(starts[two]) == number.take(starts[two + 1])]
        yield hashing.between(sums, starts[two], stops[two + 1]), number.take(starts[two])


def _is_syllable(points: Points) -> Mask:
    return scripts.is_spaceless(points) & of_words(points)
