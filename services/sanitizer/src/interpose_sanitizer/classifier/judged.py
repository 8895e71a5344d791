"""A reading cut into sentences, and what a model makes of each of them: counted once for all who ask."""

from weakref import WeakKeyDictionary

from interpose_sanitizer.classifier.model import Held, Model, Scores
from interpose_sanitizer.classifier.sentences import Cut, cut
from interpose_sanitizer.shadow import Shadow


class Judged:
    """The sentences of one reading, which it does not keep.

    All is counted when it is made: what Python 3.11 counts when it is asked (`cached_property`) lets every other thread
    wait.
    """

    def __init__(self, model: Model, reading: Shadow) -> None:
        self.model = model
        self.cut: Cut = cut(reading)
        sums = model.sums(self.cut)
        self._scores, self._alone = model.in_place(self.cut, sums), model.by_itself(sums)
        self.held: Held = sums.held
        """Which classes of words each holds."""
        self.held.flags.writeable = False

    @property
    def scores(self) -> Scores:
        """The score of each sentence; of one that is too short, less than any that counts. The caller's own."""
        return self._scores.copy()

    @property
    def alone(self) -> Scores:
        """What each would score if it were all that a text says, however short it is. The caller's own."""
        return self._alone.copy()


_REMEMBERED = WeakKeyDictionary[Shadow, Judged]()
"""As long as somebody has the reading."""


def judged(model: Model, reading: Shadow) -> Judged:
    """What a model makes of a reading."""
    found = _REMEMBERED.get(reading)
    if found is None or found.model is not model:
        found = _REMEMBERED[reading] = Judged(model, reading)
    return found
