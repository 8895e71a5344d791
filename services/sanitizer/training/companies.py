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

ALONG = 0.03
"""The share of the honest sentences beside what was found in an attack that may go along."""
HARDNESS = 0.1
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
    for number in range(PARTS):
        scores[parts == number] = told[parts == number] @ _learned([one for one in some if one.part != number])
    counts = np.array([one.is_found for one in some])
    is_order = np.array([one.is_order for one in some])
    line = float(np.quantile(scores[counts & ~is_order], 1 - ALONG))
    share = np.mean(scores[counts & is_order] > line)
    print(f"company: {line:.3f}, {ALONG:.1%} of the honest are above and {share:.1%} of the orders that were not found")
    weights = _learned(some)
    weights[0] -= line
    return weights


def _learned(some: Sequence[Beside]) -> Weights:
    machine = LogisticRegression(C=HARDNESS, max_iter=5000)
    machine.fit(np.array([one.told[1:] for one in some]), [one.is_order for one in some])
    return np.append(machine.intercept_, machine.coef_[0])


def _eyes(model: Model) -> Eyes:
    """Those that look with this model, and take nothing along."""
    alone = replace(model, company=np.zeros(0))
    return Eyes(Settings(), Joined([matching.shipped(), evidence.shipped()], Classifier(alone)), None)


def _beside(model: Model, eyes: Eyes, text: str, gone: Sequence[str], kept: Sequence[str]) -> Iterator[Beside]:
    found = [span for span, _, _ in eyes.look(text).attacks]
    if not found:
        return
    sentences = Sentences(model, Shadow(text), text, found)
    touched, orders, honest = (
        sentences.touched(spans) for spans in (found, list(places(text, gone)), list(places(text, kept)))
    )
    several = np.flatnonzero(orders & touched)[: MOST_ALONE if gone else 0].tolist()
    for alone in [None, *(several if len(several) > 1 else [])]:
        known = touched if alone is None else np.arange(touched.size) == alone
        for number, told in sentences.beside(known):
            # What an attack says beside its operative words is neither.
            is_known = orders[number] or honest[number] or not gone
            if is_known and told is not None:
                yield Beside(told, bool(orders[number]), alone is None, part(text))
