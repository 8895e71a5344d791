"""Sentences of a text in which an attack was found: which others belong to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from interpose_sanitizer import matching
from interpose_sanitizer.classifier import company
from interpose_sanitizer.classifier.model import Model
from interpose_sanitizer.classifier.placed import Sentences
from interpose_sanitizer.classifier.search import Classifier
from interpose_sanitizer.classifier.trees import Rows, Trees
from interpose_sanitizer.joined import Joined
from interpose_sanitizer.looking import Eyes
from interpose_sanitizer.settings import Settings
from interpose_sanitizer.shadow import Shadow
from interpose_sanitizer.unmarked import evidence
from training import boosting, pools
from training.rows import PARTS, part
from training.sources import Document, places, plain_documents

ALONG = 0.02
"""The share of the honest sentences of attacks, not far from what was found, that may go along."""


@dataclass(frozen=True, slots=True)
class Company:
    """Of a text in which something was found the sentences not far from it of which it is known what they are."""

    told: Rows
    orders: npt.NDArray[np.bool_]
    is_attack: bool
    part: int


def found(learnt: Sequence[Model]) -> Iterator[Company]:
    """Those of every open text, in which attacks were looked for by what was learned from other parts."""
    # Trees that know nothing take nothing along.
    eyes = [Eyes(Settings(), Joined([matching.shipped(), evidence.shipped()], Classifier(one)), None) for one in learnt]

    def company_in(one: Document) -> list[Company]:
        return list(_found(learnt[part(one.text)], eyes[part(one.text)], one))

    for some in pools.mapped(company_in, list(plain_documents()), at_once=20):
        yield from some


def _found(model: Model, eyes: Eyes, one: Document) -> Iterator[Company]:
    spans = [span for span, _, _ in eyes.look(one.text).attacks]
    if not spans:
        return
    sentences = Sentences(model, Shadow(one.text), one.text, spans)
    orders, honest = (sentences.touched(list(places(one.text, some))) for some in (one.gone, one.kept))
    some = company.near(sentences)
    # What an attack says beside its operative words is neither.
    some = some[orders[some] | honest[some] | (not one.gone)]
    if some.size:
        yield Company(company.told(sentences, some), orders[some], bool(one.gone), part(one.text))


def fitted(some: Sequence[Company]) -> Trees:
    """What tells the orders among them, with the line above which few of the honest are that stand in attacks."""
    without = [_learned([one for one in some if one.part != number]) for number in range(PARTS)]
    attacks = [one for one in some if one.is_attack]
    scores = np.concatenate([without[one.part].sums(one.told) for one in attacks])
    orders = np.concatenate([one.orders for one in attacks])
    line = float(np.quantile(scores[~orders], 1 - ALONG))
    share = np.mean(scores[orders] > line)
    print(f"company: {line:.3f}, {ALONG:.1%} of the honest are above and {share:.1%} of {orders.sum()} orders")
    made = _learned(some)
    return replace(made, bias=made.bias - line)


def _learned(some: Sequence[Company]) -> Trees:
    return boosting.fitted(np.concatenate([one.told for one in some]), np.concatenate([one.orders for one in some]))
