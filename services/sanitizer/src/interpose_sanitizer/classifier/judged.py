"""A reading cut into sentences, and what a model makes of each of them: counted once for all who ask."""

from weakref import WeakKeyDictionary

import numpy as np

from interpose_sanitizer.classifier.beginnings import Beginnings
from interpose_sanitizer.classifier.model import Held, Model, Scores, by_itself
from interpose_sanitizer.classifier.sentences import Cut, Lengths, cut
from interpose_sanitizer.points import Mask, spanned
from interpose_sanitizer.shadow import Shadow


class Judged:
    """The sentences of one reading, which it does not keep.

    Nearly all is counted when it is made: what Python 3.11 counts when it is asked (`cached_property`) lets every other
    thread wait.
    """

    def __init__(self, model: Model, reading: Shadow) -> None:
        self.model = model
        self.cut: Cut = cut(reading)
        sums = model.sums(self.cut)
        self.kinds: Scores = (own := sums.kinds(1)).T
        """What features of each kind add to the score of each."""
        alone = model.together(own)
        self.lengths: Lengths = self.cut.lengths
        """How many words each has."""
        self._scores = model.in_place(self.lengths, alone, model.together(sums.kinds(2)))
        self._alone = by_itself(alone)
        self._beginnings: Beginnings | None = None
        self.held: Held = sums.held
        """Which classes of words each holds."""
        for some in (self.held, self.kinds, self.lengths):
            some.flags.writeable = False

    @property
    def scores(self) -> Scores:
        """The score of each sentence; of one that is too short, less than any that counts. The caller's own."""
        return self._scores.copy()

    @property
    def alone(self) -> Scores:
        """What each would score if it were all that a text says, however short it is. The caller's own."""
        return self._alone.copy()

    @property
    def best(self) -> Scores:
        """What each scores where it stands or by itself, whichever is more."""
        return np.maximum(self._scores, self._alone)

    def held_from(self, some: Mask, behind: int) -> Held:
        """Which classes of words are held by some sentences and by so many behind each."""
        at = np.flatnonzero(some)
        return self.held[spanned(some.size, at, np.minimum(at + 1 + behind, some.size))]

    @property
    def beginnings(self) -> Beginnings:
        """What the words of each begin with: of most readings nobody asks. Two threads that do at once count twice."""
        if self._beginnings is None:
            self._beginnings = Beginnings.of(self.cut)
        return self._beginnings


_REMEMBERED = WeakKeyDictionary[Shadow, Judged]()
"""As long as somebody has the reading."""


def judged(model: Model, reading: Shadow) -> Judged:
    """What a model makes of a reading."""
    found = _REMEMBERED.get(reading)
    if found is None or found.model is not model:
        found = _REMEMBERED[reading] = Judged(model, reading)
    return found
