"""What was learned: a weight for each feature, and from which score on a sentence counts as an order to a model."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.classifier import ngrams
from interpose_sanitizer.classifier.classes import NAMES
from interpose_sanitizer.classifier.hashing import Numbers
from interpose_sanitizer.classifier.sentences import Cut, Lengths
from interpose_sanitizer.classifier.trees import Trees

Scores = npt.NDArray[np.float64]
Held = npt.NDArray[np.bool_]
"""For each sentence, which classes of words stand in it."""
FEWEST_WORDS = 3
"""Of a sentence that is judged: of fewer too little is said."""
CONTEXT, LEAST_CONTEXT, OWN = 0.5, -1.0, 0.3
"""How much of a score a sentence gets for how it reads together with one beside it, or by itself if that is more; no
more than that by itself, where its own sum is less than this: it may be honest, beside one that is not."""
FILE = "weights.npz"
LINES, TREES = ("seed", "beside"), ("subject", "company")


class Sums(NamedTuple):
    """For each sentence and each kind of feature: the weights in it, and how many there are; and which classes of words
    each sentence holds."""

    weights: Scores
    counts: Numbers
    held: Held

    def kinds(self, size: int) -> Scores:
        """Of each kind the sum of each row of so many sentences, by the root of how many features there are."""
        rows = max(self.counts.shape[1] - size + 1, 0)
        weights = sum(self.weights[:, place : place + rows] for place in range(size))
        counts = sum(self.counts[:, place : place + rows] for place in range(size))
        return np.asarray(weights / np.sqrt(np.maximum(counts, np.array(ngrams.LEAST)[:, None])))


@dataclass(frozen=True, slots=True)
class Model:
    """Weights as small integers, of which one is `scale`; `bias` is added to each sum."""

    weights: npt.NDArray[np.int8]
    scale: float
    bias: float
    seed: float
    """From this score on a sentence is taken of which nothing else is known; what stands around it can change that
    (`subject`)."""
    beside: float
    """From this one on it is taken beside one that is."""
    subject: Trees
    """What a sentence and those around it are together (`subject`): from 0 on it is taken."""
    company: Trees
    """What a sentence is to an attack in its text (`company`): from 0 on it goes along."""
    learned_from: str
    """The digest of what it was trained on."""

    @classmethod
    def load(cls) -> Self:
        """The one that comes with the service."""
        with as_file(files(__package__) / FILE) as path:
            return cls.read(path)

    @classmethod
    def read(cls, path: Path) -> Self:
        """One that was written to a file."""
        with np.load(path, allow_pickle=False) as kept:
            numbers = {name: float(kept[name]) for name in ("scale", "bias", *LINES)}
            subject, company = (Trees.of(kept, name) for name in TREES)
            weights, digest = kept["weights"], str(kept["learned_from"])
            return cls(weights, subject=subject, company=company, learned_from=digest, **numbers)

    def write(self, path: Path) -> None:
        """To a file."""
        numbers = {name: getattr(self, name) for name in ("scale", "bias", *LINES)}
        learned = {name: getattr(self, name) for name in ("weights", "learned_from")}
        trees = {name: value for part in TREES for name, value in getattr(self, part).named(part).items()}
        np.savez_compressed(path, **learned, **trees, **numbers)

    def together(self, kinds: Scores) -> Scores:
        """The sum of all kinds of features."""
        return np.asarray(kinds.sum(axis=0) + self.bias)

    def in_place(self, lengths: Lengths, alone: Scores, pairs: Scores) -> Scores:
        """The score of each sentence, by what is summed of it and of each two; of one that has too few words, less than
        any that counts."""
        best = alone.copy()
        np.maximum(best[:-1], pairs, out=best[:-1])
        np.maximum(best[1:], pairs, out=best[1:])
        found = alone + CONTEXT * np.maximum(np.where(alone < OWN, alone, best), LEAST_CONTEXT)
        found[lengths < FEWEST_WORDS] = -np.inf
        return np.asarray(found)

    def sums(self, cut: Cut) -> Sums:
        """What the scores are made of."""
        count = cut.sentences
        weights, counts = np.zeros((len(ngrams.LEAST), count)), np.zeros((len(ngrams.LEAST), count), np.int64)
        held = np.zeros((count, len(NAMES)), np.bool_)
        for begin, end in ngrams.pieces(cut):
            first, last = int(cut.number[begin]), int(cut.number[end - 1]) + 1
            piece = ngrams.piece(cut, begin, end)
            words = np.flatnonzero((piece.classes > 0) & (piece.classes <= len(NAMES)))
            held[piece.sentence[words], piece.classes[words] - 1] = True
            for kind, features in enumerate(ngrams.kinds(piece)):
                sentence, size = features.sentence - first, last - first
                weights[kind, first:last] += np.bincount(sentence, self.weights.take(features.number), minlength=size)
                counts[kind, first:last] += np.bincount(sentence, minlength=size)
        return Sums(weights * self.scale, counts, held)


def by_itself(alone: Scores) -> Scores:
    """What sentences would score if each were all that a text says, however short it is."""
    return np.asarray(alone + CONTEXT * np.maximum(alone, LEAST_CONTEXT))


@cache
def shipped() -> Model:
    """The model that comes with the service."""
    return Model.load()
