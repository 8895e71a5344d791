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
    """Hashes of beginnings, none of a shorter word, and in which sentence each stands; in the order of these."""

    hashes: Hashes
    sentence: Numbers

    @classmethod
    def of(cls, cut: Cut) -> Self:
        """Those of all words."""
        hashes, sentence = zip((np.zeros(0, np.uint64), np.zeros(0, np.int64)), *_parts(cut), strict=True)
        every = np.concatenate(sentence)
        order = np.argsort(every, kind="stable")
        made = cls(np.concatenate(hashes)[order], every[order])
        for part in made:
            part.flags.writeable = False
        return made

    def of_sentence(self, number: int) -> frozenset[int]:
        """Those of one sentence."""
        begin, end = np.searchsorted(self.sentence, (number, number + 1)).tolist()
        return frozenset(self.hashes[begin:end].tolist())

    def repeated(self, far: int, sentences: int) -> Numbers:
        """Of each of so many sentences how many of its beginnings, each once, other sentences so far away have too, and
        how many it has: in two rows."""
        order = np.lexsort((self.sentence, self.hashes))
        hashes, sentence = self.hashes[order], self.sentence[order]
        is_again = (hashes[1:] == hashes[:-1]) & (sentence[1:] == sentence[:-1])
        once = np.append(True, ~is_again)[: hashes.size]
        hashes, sentence = hashes[once], sentence[once]
        is_near = (hashes[1:] == hashes[:-1]) & (np.diff(sentence) <= far)
        both = np.append(is_near, False)[: hashes.size] | np.append(False, is_near)[: hashes.size]
        return np.array([np.bincount(some, minlength=sentences) for some in (sentence[both], sentence)])


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
