"""Sentences of examples as rows of features, for a machine to learn from."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix, csr_matrix

from interpose_sanitizer.classifier import hashing, model, ngrams
from interpose_sanitizer.classifier.hashing import Numbers
from interpose_sanitizer.classifier.sentences import Cut, cut
from interpose_sanitizer.findings import Span
from interpose_sanitizer.shadow import Shadow
from training import pools
from training.sources import Example

ORDER, HONEST = 3.0, 9.0
"""How much an error counts in an order, and in an honest sentence."""
PARTS = 5
"""In how many parts the examples are taken apart, so that each is judged by what was learned from the others."""


Short = npt.NDArray[np.int32]
"""There are two hundred million of them: half as long they are enough."""
_NONE = np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0)


class Learned(NamedTuple):
    """Sentences: a row of features each, whether it is an order, what an error in it costs, and in which part it is."""

    features: csr_matrix
    orders: npt.NDArray[np.bool_]
    costs: npt.NDArray[np.float64]
    parts: Numbers


def part(text: str) -> int:
    """The part that an example is in."""
    return hashlib.sha256(text.encode()).digest()[0] % PARTS


def rows_of(some: Sequence[Example]) -> Learned:
    """The sentences of all examples; each once, where it is said first."""
    seen: set[bytes] = set()
    told: list[tuple[bool, float, int]] = []
    entries: list[tuple[Short, Short, npt.NDArray[np.float64]]] = []
    for example, said in zip(some, pools.mapped(_said, some), strict=True):
        row = np.full(said.sentences, -1, np.int32)
        for number, (points, is_order) in said.known.items():
            if points not in seen:
                seen.add(points)
                row[number] = len(told)
                told.append((is_order, ORDER if is_order else HONEST, part(example.text)))
        kept = row[said.sentence] >= 0
        entries.append((row[said.sentence[kept]], said.feature[kept], said.value[kept]))
    orders, costs, parts = zip(*told, strict=True)
    rows, features, values = (np.concatenate(column) for column in zip(*entries, strict=True))
    made = coo_matrix((values, (rows, features)), shape=(len(told), 1 << hashing.BITS)).tocsr()
    return Learned(made, np.array(orders), np.array(costs), np.array(parts))


class _Said(NamedTuple):
    """What an example says: how many sentences; the letters of those that are long enough and whether each is an
    order; and of which sentence what feature has what value."""

    sentences: int
    known: dict[int, tuple[bytes, bool]]
    sentence: Short
    feature: Short
    value: npt.NDArray[np.float64]


def _said(example: Example) -> _Said:
    sentences = cut(shadow := Shadow(example.text))
    made: list[tuple[Short, Short, npt.NDArray[np.float64]]] = [_NONE]
    for begin, end in ngrams.pieces(sentences):
        kinds = ngrams.kinds(ngrams.piece(sentences, begin, end))
        for features, least in zip(kinds, ngrams.LEAST, strict=True):
            counts = np.maximum(np.bincount(features.sentence, minlength=sentences.sentences), least)
            numbers = features.sentence.astype(np.int32), features.number.astype(np.int32)
            made.append((*numbers, 1 / np.sqrt(counts[features.sentence])))
    columns = (np.concatenate(column) for column in zip(*made, strict=True))
    return _Said(sentences.sentences, dict(_known(example, sentences, shadow)), *columns)


def _known(example: Example, sentences: Cut, shadow: Shadow) -> Iterator[tuple[int, tuple[bytes, bool]]]:
    """The sentences that are long enough, but for what an attack says beside its operative words: that is no order,
    and it is not honest."""
    edges = np.searchsorted(sentences.number, np.arange(sentences.sentences + 1))
    spans = shadow.origins(*sentences.edges)
    is_order = [touches(span, example.orders) for span in spans]
    for number in np.flatnonzero(sentences.lengths >= model.FEWEST_WORDS).tolist():
        is_known = is_order[number] or touches(spans[number], example.honest)
        if is_known or not any(is_order[max(number - 1, 0) : number + 2]):
            points = sentences.points[edges[number] : edges[number + 1]]
            yield number, (points.tobytes(), is_order[number])


def touches(span: Span, others: Iterable[Span]) -> bool:
    """Whether a span has a character in common with some others."""
    return any(span[0] < stop and start < span[1] for start, stop in others)
