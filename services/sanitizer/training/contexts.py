"""What stands around a sentence that reads like an order, where it is one and where it is none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

from interpose_sanitizer.classifier import subject
from interpose_sanitizer.classifier.judged import judged
from interpose_sanitizer.classifier.model import Model
from interpose_sanitizer.shadow import Shadow
from training.rows import PARTS, part
from training.sources import Example

HARDNESS, LEAST = 0.3, -2.5
"""How much an error costs against large weights; and the least score that counts."""
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Best:
    """The sentence of a text that scores most, by what was learned from other parts."""

    score: float
    around: Numbers
    is_order: bool
    is_whole: bool
    part: int


def best(learnt: Model, example: Example) -> Iterator[Best]:
    """The best sentence of an example; nothing, if it has none."""
    shadow = Shadow(example.text)
    scores = (sentences := judged(learnt, shadow)).scores
    if scores.size:
        number = int(scores.argmax())
        [around] = subject.around(shadow, sentences, np.array([number]), np.zeros(scores.size, np.bool_))
        score = max(float(scores[number]), LEAST)
        yield Best(score, around, bool(example.orders), example.is_whole, part(example.text))


def fitted(some: Sequence[Best]) -> Numbers:
    """By what a score is to be raised for what stands around, from whole texts: a logistic regression in which the
    score itself counts once."""
    texts = [one for one in some if one.is_whole]
    machine = LogisticRegression(C=HARDNESS, max_iter=5000)
    machine.fit(np.array([[one.score, *one.around] for one in texts]), [one.is_order for one in texts])
    return np.asarray(machine.coef_[0][1:] / machine.coef_[0][0])


def adjusted(texts: Sequence[Best]) -> Numbers:
    """The score of each whole text with that, as learned from the texts of other parts."""
    found = np.zeros(len(texts))
    for number in range(PARTS):
        weights = fitted([one for one in texts if one.part != number])
        for place, one in enumerate(texts):
            if one.part == number:
                found[place] = one.score - subject.raised(one.around, weights)
    return found
