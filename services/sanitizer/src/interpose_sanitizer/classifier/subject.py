"""What a text is about around each of its sentences: where others forbid, drop and instruct as well, one that does says
less than in a recipe, which has no reason to speak to a model.

Reports of attacks, terms of use of a chat bot and rules of a house hold sentences that read like orders, and are none.
"""

import numpy as np
import numpy.typing as npt

from interpose_sanitizer import mentions
from interpose_sanitizer.classifier import ngrams
from interpose_sanitizer.classifier.classes import NAMES
from interpose_sanitizer.classifier.model import Model, pieces
from interpose_sanitizer.classifier.sentences import Cut
from interpose_sanitizer.points import Mask
from interpose_sanitizer.shadow import Shadow

AROUND = 10
"""How many sentences on either side say what a text is about."""
FEW = 2
"""So many sentences that say nothing are added to those around: one or two others tell little."""
MOST = 1.0
"""How much more a sentence has to score at most for what stands around it: who wants one missed can write it."""
Surroundings = npt.NDArray[np.float64]


def lines(model: Model, reading: Shadow, sentences: Cut, found: Mask) -> Surroundings:
    """What each sentence has to score. Of what was `found` already nothing counts."""
    told = around(reading, sentences, found)
    others = np.minimum(_sums(np.ones((found.size, 1)))[:, 0] - 1, 2 * AROUND)
    more = np.clip(-(told @ model.surroundings), 0, MOST)
    return np.asarray(model.seed + more + model.lone / (others + 1))


def around(reading: Shadow, sentences: Cut, found: Mask) -> Surroundings:
    """For each sentence, of those around it the share in which each class of words stands; and whether any of them, or
    it, speaks of attacks."""
    held = _held(sentences) * ~found[:, None]
    others = _sums(np.ones((found.size, 1))) - 1
    told = (_sums(held) - held) / (others + FEW)
    attacks = _sums((_of_attacks(reading, sentences) & ~found)[:, None].astype(np.float64)) > 0
    return np.hstack([told, attacks])


def _sums(rows: Surroundings) -> Surroundings:
    """Of each row with those around it the sum."""
    before, place = np.vstack([np.zeros(rows.shape[1]), np.cumsum(rows, axis=0)]), np.arange(rows.shape[0])
    ends = np.minimum(place + AROUND + 1, rows.shape[0])
    return np.asarray(before[ends] - before[np.maximum(place - AROUND, 0)])


def _held(sentences: Cut) -> Surroundings:
    """For each sentence which classes of words stand in it."""
    held = np.zeros((sentences.sentences, len(NAMES)))
    for begin, end in pieces(sentences):
        numbers = ngrams.classed(sentences, begin, end)
        words = np.flatnonzero((numbers > 0) & (numbers <= len(NAMES)))
        held[sentences.number[begin + words], numbers[words] - 1] = 1
    return held


def _of_attacks(reading: Shadow, sentences: Cut) -> Mask:
    found = np.zeros(sentences.sentences, np.bool_)
    places = [begin for begin, _ in mentions.words_of_attacks(reading)]
    if places and sentences.places.size:
        at = np.minimum(np.searchsorted(sentences.places, places), sentences.places.size - 1)
        found[sentences.number[at]] = True
    return found
