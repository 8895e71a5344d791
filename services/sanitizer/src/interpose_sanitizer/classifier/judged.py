"""A reading cut into sentences, and what a model makes of each of them: counted once for all who ask."""

from functools import cached_property
from weakref import WeakKeyDictionary

from interpose_sanitizer.classifier.model import Held, Model, Scores, Sums
from interpose_sanitizer.classifier.sentences import Cut, cut
from interpose_sanitizer.shadow import Shadow


class Judged:
    """The sentences of one reading, which it does not keep."""

    def __init__(self, model: Model, reading: Shadow) -> None:
        self.model = model
        self.cut: Cut = cut(reading)

    @cached_property
    def _sums(self) -> Sums:
        return self.model.sums(self.cut)

    @property
    def scores(self) -> Scores:
        """The score of each sentence; of one that is too short, less than any that counts. The caller's own."""
        return self.model.in_place(self.cut, self._sums)

    @property
    def alone(self) -> Scores:
        """What each would score if it were all that a text says, however short it is."""
        return self.model.by_itself(self._sums)

    @property
    def held(self) -> Held:
        """Which classes of words each holds."""
        return self._sums.held


_REMEMBERED = WeakKeyDictionary[Shadow, Judged]()
"""As long as somebody has the reading."""


def judged(model: Model, reading: Shadow) -> Judged:
    """What a model makes of a reading."""
    found = _REMEMBERED.get(reading)
    if found is None or found.model is not model:
        found = _REMEMBERED[reading] = Judged(model, reading)
    return found
