"""What a text is about around each of its sentences: where others forbid, drop and instruct as well, one that does says
less than in a recipe, which has no reason to speak to a model.

Reports of attacks, terms of use of a chat bot and rules of a house hold sentences that read like orders, and are none.
"""

import numpy as np
import numpy.typing as npt

from interpose_sanitizer import mentions
from interpose_sanitizer.classifier.judged import Judged
from interpose_sanitizer.points import Mask, Places
from interpose_sanitizer.shadow import Shadow

AROUND = 10
"""How many sentences on either side say what a text is about."""
FEW = 2
"""So many sentences that say nothing are added to those around: one or two others tell little."""
MOST = 1.0
"""How much more a sentence has to score at most for what stands around it: who wants one missed can write it."""
MANY, BY_CHANCE, MOST_BY_CHANCE = 64, 0.15, 0.75
"""Of more sentences than so many some read like an order by chance: so much more each has to score for each time that
a text is twice as long, up to a limit, for that is what padding gains an attack."""
Surroundings = npt.NDArray[np.float64]


def lines(reading: Shadow, judged: Judged, some: Places, found: Mask) -> Surroundings:
    """What some sentences have to score. What was `found` to be an attack says nothing of what the text is about."""
    model = judged.model
    more = raised(around(reading, judged, some, found), model.surroundings)
    long = min(BY_CHANCE * max(np.log2(found.size / MANY), 0), MOST_BY_CHANCE)
    return np.asarray(model.seed + more + long + model.lone / (_others(some, found.size) + 1))


def raised(told: Surroundings, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """How much more a sentence has to score for what is told of those around it: never less."""
    return np.clip(-(told @ weights), 0, MOST)


def around(reading: Shadow, judged: Judged, some: Places, found: Mask) -> Surroundings:
    """For some sentences, of those around each the share in which each class of words stands; and whether any of them,
    or it, speaks of attacks. Sentences that were `found` hold nothing."""
    held = judged.held & ~found[:, None]
    shares = (_sums(held, some) - held[some]) / (_others(some, found.size) + FEW)[:, None]
    of_attacks = judged.cut.touched(mentions.words_of_attacks(reading)) & ~found
    attacks = _sums(of_attacks[:, None], some) > 0
    return np.hstack([shares, attacks])


def _others(some: Places, count: int) -> npt.NDArray[np.int64]:
    """How many sentences stand around each of some, of so many in all."""
    return np.asarray(np.minimum(some + AROUND, count - 1) - np.maximum(some - AROUND, 0))


def _sums(held: npt.NDArray[np.bool_], some: Places) -> npt.NDArray[np.int32]:
    """Of each column how many hold around some rows, with themselves."""
    before = np.zeros((held.shape[0] + 1, held.shape[1]), np.int32)
    np.cumsum(held, axis=0, out=before[1:])
    return np.asarray(before[np.minimum(some + AROUND + 1, held.shape[0])] - before[np.maximum(some - AROUND, 0)])
