"""The same words over and over without a stop: so many of them are judged by themselves.

What counts by the root of how much there is grows by the root of how often it is said: "click here to continue", ten
times as one sentence, would be an order.
"""

import numpy as np

from interpose_sanitizer.classifier import hashing
from interpose_sanitizer.classifier.hashing import Numbers
from interpose_sanitizer.points import Mask, Places, Points, spanned

FEWEST = 16
"""Words and signs that are judged together, or as many more as make whole rounds."""
LONGEST = 16
"""Words and signs of a round."""


def cut(points: Points, number: Numbers, starts: Places, stops: Places) -> Mask:
    """Which words begin other sentences, in rows of the same: by the sentences as they are, and where words begin and
    end."""
    of = number.take(starts)
    some = np.flatnonzero(np.bincount(of).take(of) >= 2 * FEWEST)
    begin = np.zeros(some.size, np.bool_)
    if some.size:
        words, of = hashing.of_words(points, starts[some], stops[some]), of[some]
        taken = np.zeros(some.size, np.bool_)
        for size in range(1, LONGEST + 1):
            # A word that is the one so far before it goes on with a round.
            again = (words[size:] == words[:-size]) & (of[size:] == of[:-size])
            step = -(-FEWEST // size) * size
            if np.count_nonzero(again) >= 2 * step - size:
                _cut_rows(begin, taken, again, size, step)
    begins = np.zeros(starts.size, np.bool_)
    begins[some[begin]] = True
    return begins


def _cut_rows(begin: Mask, taken: Mask, again: Mask, size: int, step: int) -> None:
    """Note where sentences begin in rows of rounds of so many words, some at once, but in what is one of shorter
    rounds."""
    first, ends = np.flatnonzero(np.diff(again, prepend=False, append=False)).reshape(-1, 2).T
    ends = ends + size
    cuts = (ends - first) // step - 1
    first, ends, cuts = (some[cuts > 0] for some in (first, ends, cuts))
    far = np.arange(int(cuts.sum())) - np.repeat(np.cumsum(cuts) - cuts, cuts) + 1
    places = np.repeat(first, cuts) + far * step
    begin[places[~taken[places]]] = True
    taken |= spanned(begin.size, first, ends)
