"""What a text is about around each of its sentences: where others forbid, drop and instruct as well, one that does says
less than in a recipe, which has no reason to speak to a model.

Reports of attacks, terms of use of a chat bot and rules of a house hold sentences that read like orders, and are none.
By what a sentence says, what stands around it, and how much the two have in common was learned which is which.
"""

import numpy as np
import numpy.typing as npt

from interpose_sanitizer import mentions
from interpose_sanitizer.classifier import forms
from interpose_sanitizer.classifier.judged import Judged
from interpose_sanitizer.classifier.model import Held, Scores
from interpose_sanitizer.points import Places
from interpose_sanitizer.shadow import Shadow

AROUND = 10
"""How many sentences on either side say what a text is about."""
FEW = 2
"""So many sentences that say nothing are added to those around: one or two others tell little."""
MORE, LESS = 1.5, 0.75
"""How much more a sentence has to score at most, and how much less, for what stands around it: who wants one missed can
write that, and what nobody writes must not lift what says little. Nothing stands around one alone, so that its score
alone counts, and little around one beside few others."""
MANY, BY_CHANCE, MOST_BY_CHANCE = 64, 0.15, 0.75
"""Of more sentences than so many some read like an order by chance: so much more each has to score for each time that
a text is twice as long, up to a limit, for that is what padding gains an attack."""
_BESIDE = np.delete(np.arange(2 * AROUND + 1), AROUND)
"""The places around, in a row that begins so far before a sentence."""
LOWEST = -2.5
"""No score counts for less than this."""
SCORE, ALONE = range(2)
"""The first of the signs."""
Told = npt.NDArray[np.float64]
"""A row of signs for each sentence."""


def above(reading: Shadow, judged: Judged, some: Places) -> Scores:
    """How far some sentences are above what they have to be, to be taken: by what trees say of them and of what stands
    around them, within bounds about the score."""
    return by_signs(judged, some, around(reading, judged, some))


def by_signs(judged: Judged, some: Places, signs: Told) -> Scores:
    """The same, by what is around them."""
    count = judged.cut.sentences
    far = judged.scores[some] - judged.model.seed
    more, less = bounds(others(some, count))
    return np.asarray(np.clip(judged.model.subject.sums(signs), far - more, far + less) - by_chance(count))


def bounds(near: Places) -> tuple[Scores, Scores]:
    """How much more sentences have to score at most beside so many others, and how much less."""
    counts = near / (near + 1)
    return MORE * counts, LESS * counts


def by_chance(count: int) -> float:
    """How much more each of so many sentences has to score."""
    return float(min(BY_CHANCE * np.log2(max(count, MANY) / MANY), MOST_BY_CHANCE))


def around(reading: Shadow, judged: Judged, some: Places) -> Told:
    """The signs of some sentences: what each scores here and by itself, how many words it has, the most that another
    around it scores and one beside it, and all in the mean; which share of its words begins as words of those around
    do; what each kind of its features adds; whether it or any of them speaks of attacks; in which share of them each
    class of words stands, which it holds itself, and which of those none around it does; how it stands (`forms`)."""
    count = judged.cut.sentences
    scores = np.maximum(judged.scores, LOWEST)
    near = np.pad(scores, AROUND, constant_values=LOWEST)[some[:, None] + _BESIDE]
    held, own = judged.held, judged.held[some]
    of_others = _sums(held, some) - own
    attacks = _sums(judged.cut.touched(mentions.words_of_attacks(reading))[:, None], some) > 0
    repeated, begun = judged.beginnings.repeated(AROUND, np.ones(count, np.bool_))[:, some]
    said = (
        scores[some],
        np.maximum(judged.alone[some], LOWEST),
        judged.lengths[some],
        near.max(axis=1, initial=LOWEST),
        near[:, AROUND - 1 : AROUND + 1].max(axis=1, initial=LOWEST),
        near.mean(axis=1),
        repeated / np.maximum(begun, 1),
    )
    shares = of_others / (others(some, count) + FEW)[:, None]
    stands = forms.forms(reading, judged.cut, some)
    return np.column_stack([*said, judged.kinds[some], attacks, shares, own, own & (of_others == 0), stands])


def others(some: Places, count: int) -> Places:
    """How many sentences stand around each of some, of so many in all."""
    return np.asarray(np.minimum(some + AROUND, count - 1) - np.maximum(some - AROUND, 0))


def _sums(held: Held, some: Places) -> npt.NDArray[np.int32]:
    """Of each column how many hold around some rows, with themselves."""
    before = np.zeros((held.shape[0] + 1, held.shape[1]), np.int32)
    np.cumsum(held, axis=0, out=before[1:])
    return np.asarray(before[np.minimum(some + AROUND + 1, held.shape[0])] - before[np.maximum(some - AROUND, 0)])
