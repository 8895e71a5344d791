"""Sentences beside attacks: which of them belong to one, as far as what is found of it tells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import numpy.typing as npt
from corpora import corpus
from corpora.corpus import Half
from sklearn.linear_model import LogisticRegression

from interpose_sanitizer import matching
from interpose_sanitizer.classifier.company import Sentences, Told
from interpose_sanitizer.classifier.model import Model
from interpose_sanitizer.classifier.search import Classifier
from interpose_sanitizer.joined import Joined
from interpose_sanitizer.looking import Eyes
from interpose_sanitizer.settings import Settings
from interpose_sanitizer.shadow import Shadow
from interpose_sanitizer.unmarked import evidence
from training import pools
from training.rows import PARTS, part
from training.sources import Document, documents, places

ALONG = 0.04
"""The share of the honest sentences beside what was found in an attack that may go along."""
HARDNESS = 0.02
"""How much an error costs against large weights."""
MOST_ALONE = 2
"""Of an attack of several sentences so many are taken for all that was found of it, each in its turn."""

Weights = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Beside:
    """A sentence beside what was found, or beside one sentence of it."""

    told: Told
    is_order: bool
    is_found: bool
    """Whether that beside which it stands is all that was found."""
    part: int


def besides(learnt: Sequence[Model]) -> Iterator[Beside]:
    """Those of every open text, in which attacks were looked for by what was learned from other parts."""
    eyes = [_eyes(model) for model in learnt]
    attacks = (Document(one.text, one.gone, one.kept, ()) for one in corpus.written(Half.OPEN))
    honest = (Document(one.text, (), (), one.may_go) for one in corpus.honest(Half.OPEN))
    some = [one for one in chain(attacks, honest, documents()) if not one.may_go]

    def beside(one: Document) -> list[Beside]:
        number = part(one.text)
        return list(_beside(learnt[number], eyes[number], one.text, one.gone, one.kept))

    return chain.from_iterable(pools.mapped(beside, some, at_once=20))


def fitted(some: Sequence[Beside]) -> Weights:
    """By what each sign counts: a logistic regression, whose line is where few honest sentences are above."""
    scores = np.zeros(len(some))
    told, parts = np.array([one.told for one in some]), np.array([one.part for one in some])
    is_order = np.array([one.is_order for one in some])
    for number in range(PARTS):
        here = parts == number
        scores[here] = told[here] @ _learned(told[~here], is_order[~here])
    counts = np.array([one.is_found for one in some])
    line = float(np.quantile(scores[counts & ~is_order], 1 - ALONG))
    share = np.mean(scores[counts & is_order] > line)
    print(f"company: {line:.3f}, {ALONG:.1%} of the honest are above and {share:.1%} of the orders that were not found")
    weights = _learned(told, is_order)
    weights[0] -= line
    return weights


def _learned(told: Weights, is_order: npt.NDArray[np.bool_]) -> Weights:
    """With every sign on one scale while it is learned; a sign that nobody has tells nothing."""
    spread = told[:, 1:].std(axis=0)
    spread[spread == 0] = np.inf
    machine = LogisticRegression(C=HARDNESS, max_iter=5000)
    machine.fit(told[:, 1:] / spread, is_order)
    return np.append(machine.intercept_, machine.coef_[0] / spread)


def _eyes(model: Model) -> Eyes:
    """Those that look with this model, and take nothing along."""
    alone = replace(model, company=np.zeros(0))
    return Eyes(Settings(), Joined([matching.shipped(), evidence.shipped()], Classifier(alone)), None)


def _beside(model: Model, eyes: Eyes, text: str, gone: Sequence[str], kept: Sequence[str]) -> Iterator[Beside]:
    found = [span for span, _, _ in eyes.look(text).attacks]
    if not found:
        return
    reading = Shadow(text)
    every = Sentences(model, reading, text, found)
    orders, honest = (every.touched(list(places(text, some))) for some in (gone, kept))
    several = np.flatnonzero(orders & every.attack)[: MOST_ALONE if gone else 0].tolist()
    alone = [Sentences(model, reading, text, [every.spans[number]]) for number in several if len(several) > 1]
    for sentences in (every, *alone):
        for number, told in sentences.beside(sentences.attack):
            # What an attack says beside its operative words is neither.
            is_known = orders[number] or honest[number] or not gone
            if is_known and told is not None:
                yield Beside(told, bool(orders[number]), sentences is every, part(text))
