"""What rules recognise in attacks, and in texts that only tell of them."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from interpose_sanitizer import matching, mentions, rules
from interpose_sanitizer.classifier import signs, telling
from interpose_sanitizer.classifier.judged import judged
from interpose_sanitizer.classifier.model import Model
from interpose_sanitizer.classifier.named import BESIDE
from interpose_sanitizer.classifier.search import Classifier
from interpose_sanitizer.classifier.signs import Features, Signs
from interpose_sanitizer.classifier.telling import Telling
from interpose_sanitizer.findings import ATTACKS, Span
from interpose_sanitizer.joined import Joined
from interpose_sanitizer.matching import Match, Matcher
from interpose_sanitizer.rules import Place
from interpose_sanitizer.shadow import Shadow
from interpose_sanitizer.unmarked import evidence
from training import pools
from training.amid import LONGEST, Around
from training.rows import PARTS, part
from training.sources import Example

HARDNESS = 10.0
"""How much an error costs against large weights."""
LOST = 0.007
"""In which share of the attacks all that is recognised may be spared."""
LARGEST = 127
ONE_IN = 3
"""Of so many orders, apart from what rules are to recognise, one is put amid honest texts, once."""
COPIES, COPIES_OF_TOLD = 3, 6
"""How often is put amid them what rules are to recognise, and what a text tells of."""
ENDED = ".!?:\u3002"


class Looked(NamedTuple):
    """An example that is looked at, and the part it is in."""

    example: Example
    part: int


@dataclass(frozen=True, slots=True)
class Recognised:
    """What was recognised in an example."""

    example: str
    where: Span
    features: Features
    above: float
    is_taken: bool
    """Whether the classifier takes a sentence of the example by itself."""
    is_order: bool
    part: int


def looked_at(some: Sequence[Example], tell: Sequence[Example]) -> Iterator[Looked]:
    """All examples, and those that tell of attacks; and amid what is honest orders, what every rule is to recognise,
    and what is told of: how that reads where nobody tells of it is learned of nothing else."""
    around = Around.of(some, tell)
    for one in (*some, *tell):
        yield Looked(one, part(one.text))
    for one in some:
        if one.orders and len(one.text) <= LONGEST and hashlib.sha256(one.text.encode()).digest()[1] % ONE_IN == 0:
            yield from (Looked(each, part(one.text)) for each in around.amid(one, 1))
    for rule in rules.shipped():
        for text in rule.matches:
            one = Example(text, ((0, len(text)),))
            yield from (Looked(each, part(text)) for each in (one, *around.amid(one, COPIES)))
    for text, of in dict(_told(tell)).items():
        one = Example(text, ((0, len(text)),))
        yield from (Looked(each, of) for each in (one, *around.amid(one, COPIES_OF_TOLD)))


def _told(some: Sequence[Example]) -> Iterator[tuple[str, int]]:
    """What rules recognise in texts that only tell of it, as a sentence, and the part that the text is in."""
    matcher = Joined([matching.shipped(), evidence.shipped()])
    for one in some:
        reading = Shadow(one.text)
        if not one.orders and mentions.words_of_attacks(reading):
            for match in matcher.matches([reading], ATTACKS, Place.ANYWHERE):
                said = one.text[slice(*match.span)].strip(" \n\"'`")
                if telling.may_be_told(match) and said and len(said) <= LONGEST:
                    yield f"{said[0].upper()}{said[1:]}{'' if said[-1] in ENDED else '.'}", part(one.text)


def recognised(learnt: Sequence[Model], some: Sequence[Looked]) -> list[Recognised]:
    """All that is recognised in examples and not mentioned in so many words; by what was learned from other parts."""
    matchers = [Joined([matching.shipped(), evidence.shipped()], Classifier(model)) for model in learnt]
    found = pools.mapped(lambda one: list(_in_example(learnt[one.part], matchers[one.part], *one)), some)
    return list(chain.from_iterable(found))


def _in_example(learnt: Model, matcher: Matcher, example: Example, of: int) -> Iterator[Recognised]:
    reading = Shadow(example.text)
    found = matcher.matches([reading], ATTACKS, Place.ANYWHERE)
    made = [one for one in found if one.mention is None and one.rule is not BESIDE]
    some = [one for one in made if _counts(one, example)]
    if some and telling.is_amid(reading, made):
        sentences = judged(learnt, reading)
        known = Signs(reading, sentences, made)
        scores = telling.above(reading, sentences, some).tolist()
        is_taken, is_order = telling.is_taken(made), bool(example.orders)
        for match, above in zip(some, scores, strict=True):
            yield Recognised(example.text, match.where, known.of(match), above, is_taken, is_order, of)


def _counts(match: Match, example: Example) -> bool:
    """Whether it is known what a match is: what is recognised beside the orders of an attack is unclear."""
    (begin, end), orders = match.span, example.orders
    is_known = not orders or any(begin < stop and start < end for start, stop in orders)
    return is_known and telling.may_be_told(match)


def fitted(some: Sequence[Recognised]) -> Telling:
    """What a logistic regression learns, with the lines below which few attacks are. The last weight is of how far
    above its line a sentence scores."""
    loud = csr_matrix([[one.above] for one in some])
    features, parts = hstack([_rows(some), loud], format="csr"), np.array([one.part for one in some])
    scores = np.zeros(len(some))
    for number in range(PARTS):
        weights, bias = _learned(features[parts != number], [one for one in some if one.part != number])
        scores[parts == number] = features[parts == number] @ weights + bias
    lines = [_line(some, scores, is_taken=is_taken) for is_taken in (False, True)]
    (*weights, loudness), bias = _learned(features, some)
    scale = float(np.abs(weights).max()) / LARGEST
    small = np.round(np.array(weights) / scale).astype(np.int8)
    return Telling(small, scale, bias - lines[0], bias - lines[1], float(loudness), learned_from="")


def _line(some: Sequence[Recognised], scores: npt.NDArray[np.float64], *, is_taken: bool) -> float:
    """What the loudest place of all but a few attacks scores at least."""
    of = defaultdict[tuple[bool, str], list[int]](list)
    for number, one in enumerate(some):
        if one.is_taken is is_taken:
            of[one.is_order, one.example].append(number)
    loudest = {known: telling.loudest([some[at].where for at in here], scores[here]) for known, here in of.items()}
    orders, honest = ([score for (is_order, _), score in loudest.items() if is_order is kind] for kind in (True, False))
    line = float(np.quantile(orders, LOST))
    share, name = np.mean(np.array(honest) < line), "telling, taken" if is_taken else "telling"
    print(f"{name}: {line:.3f}, {LOST:.1%} of {len(orders)} attacks are below and {share:.1%} of {len(honest)} others")
    return line


def _learned(features: csr_matrix, some: Sequence[Recognised]) -> tuple[npt.NDArray[np.float64], float]:
    machine = LogisticRegression(C=HARDNESS, max_iter=5000, class_weight="balanced")
    machine.fit(features, [one.is_order for one in some])
    return machine.coef_[0], float(machine.intercept_[0])


def _rows(some: Sequence[Recognised]) -> csr_matrix:
    values = [np.repeat(signs.values(one.features), [each.size for each in one.features]) for one in some]
    places = [np.concatenate(one.features) for one in some]
    edges = np.cumsum([0, *(each.size for each in places)])
    return csr_matrix((np.concatenate(values), np.concatenate(places), edges), shape=(len(some), 1 << signs.BITS))
