"""Sentences of examples as rows of features, for a machine to learn from."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix, csr_matrix

from interpose_sanitizer.classifier import hashing, model, ngrams
from interpose_sanitizer.classifier.hashing import Numbers
from interpose_sanitizer.classifier.sentences import Cut, cut
from interpose_sanitizer.findings import Span
from interpose_sanitizer.shadow import Shadow
from training.sources import Example

ORDER, HONEST = 3.0, 9.0
"""How much an error counts in an order, and in an honest sentence."""
PARTS = 5
"""In how many parts the examples are taken apart, so that each is judged by what was learned from the others."""


class Learned(NamedTuple):
    """Sentences: a row of features each, whether it is an order, what an error in it costs, and in which part it is."""

    features: csr_matrix
    orders: npt.NDArray[np.bool_]
    costs: npt.NDArray[np.float64]
    parts: Numbers


def part(text: str) -> int:
    """The part that an example is in."""
    return hashlib.sha256(text.encode()).digest()[0] % PARTS


def rows_of(some: Iterable[Example]) -> Learned:
    """The sentences of all examples; each once, where it is said first."""
    made = _Made()
    for example in some:
        made.take(example)
    return made.learned()


def _touches(span: Span, others: Iterable[Span]) -> bool:
    return any(span[0] < stop and start < span[1] for start, stop in others)


class _Made:
    """Sentences as they come."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()
        self._told: list[tuple[bool, float, int]] = []
        self._values: list[npt.NDArray[np.float64]] = []
        self._features: list[Numbers] = []
        self._rows: list[Numbers] = []

    def take(self, example: Example) -> None:
        """The sentences of a text that are long enough and were not said before."""
        shadow = Shadow(example.text)
        sentences = cut(shadow)
        count = sentences.sentences
        edges = np.searchsorted(sentences.number, np.arange(count + 1))
        row = np.full(count, -1)
        spans = shadow.origins(*sentences.edges)
        is_order = [_touches(span, example.orders) for span in spans]
        for number in np.flatnonzero(sentences.lengths >= model.FEWEST_WORDS).tolist():
            first, last = int(edges[number]), int(edges[number + 1]) - 1
            said = sentences.points[first : last + 1].tobytes()
            # What an attack says beside its operative words is no order, and it is not honest.
            is_unclear = not (is_order[number] or _touches(spans[number], example.honest)) and any(
                is_order[max(number - 1, 0) : number + 2]
            )
            if said not in self._seen and not is_unclear:
                self._seen.add(said)
                row[number] = len(self._told)
                cost = ORDER if is_order[number] else HONEST
                self._told.append((is_order[number], cost, part(example.text)))
        self._count(sentences, row)

    def _count(self, sentences: Cut, row: Numbers) -> None:
        for begin, end in model.pieces(sentences):
            for features, least in zip(ngrams.kinds(sentences, begin, end), ngrams.LEAST, strict=True):
                counts = np.maximum(np.bincount(features.sentence, minlength=row.size), least)
                kept = row[features.sentence] >= 0
                self._rows.append(row[features.sentence[kept]])
                self._features.append(features.number[kept])
                self._values.append(1 / np.sqrt(counts[features.sentence[kept]]))

    def learned(self) -> Learned:
        """All of them."""
        orders, costs, parts = zip(*self._told, strict=True)
        places = (np.concatenate(self._rows), np.concatenate(self._features))
        shape = (len(orders), 1 << hashing.BITS)
        features = coo_matrix((np.concatenate(self._values), places), shape=shape).tocsr()
        return Learned(features, np.array(orders), np.array(costs), np.array(parts))
