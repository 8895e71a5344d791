"""What stands around a sentence that reads like an order, where it is one and where it is none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.classifier import subject
from interpose_sanitizer.classifier.judged import judged
from interpose_sanitizer.classifier.model import Model
from interpose_sanitizer.classifier.trees import Trees
from interpose_sanitizer.shadow import Shadow
from training import boosting
from training.rows import PARTS, part, touches
from training.sources import Example

BEST, FAR = 4, -1.0
"""How many sentences of each text are learned from, those that score most; and which score is never taken."""
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Best:
    """What a text holds that could be taken, by what was learned from other parts."""

    score: float
    """The highest of any of its sentences."""
    signs: Numbers
    """Of those of which it is known what they are and that are not far from the line, from the highest score on: what
    is told of them and of what stands around them; of lines, which have nothing around them, none."""
    others: Numbers
    """How many sentences stand around each."""
    orders: npt.NDArray[np.bool_]
    """Which of them are orders."""
    by_chance: float
    """How much more each has to score because the text is long."""
    is_order: bool
    """Whether the text holds any."""
    is_whole: bool
    part: int


def best(learnt: Model, example: Example) -> Iterator[Best]:
    """What is best of an example; nothing, if it has no sentences."""
    shadow = Shadow(example.text)
    sentences = judged(learnt, shadow)
    scores = sentences.scores
    if not scores.size:
        return
    some = np.argsort(-scores, kind="stable")[: scores.size if example.is_whole else 0]
    some = some[(scores[some] >= FAR) | ((np.arange(some.size) < BEST) & np.isfinite(scores[some]))]
    spans = shadow.origins(*sentences.cut.edges)
    is_order = np.array([touches(spans[number], example.orders) for number in some.tolist()], np.bool_)
    is_honest = [not example.orders or touches(spans[number], example.honest) for number in some.tolist()]
    is_known = is_order | np.array(is_honest, np.bool_)
    yield Best(
        max(float(scores.max()), subject.LOWEST),
        subject.around(shadow, sentences, some)[is_known],
        subject.others(some, scores.size)[is_known],
        is_order[is_known],
        subject.by_chance(scores.size),
        bool(example.orders),
        example.is_whole,
        part(example.text),
    )


def fitted(some: Sequence[Best], seed: float, amid: float) -> tuple[Trees, list[Trees]]:
    """What tells the orders of whole texts from what is honest, learned from all, and from all but each part. In all
    but this share of the honest texts nothing is above the line."""
    texts = [one for one in some if one.is_whole]
    without = [_learned([one for one in texts if one.part != number]) for number in range(PARTS)]
    loudest = np.array([_loudest(one, without[one.part], seed) for one in texts])
    is_order = np.array([one.is_order for one in texts])
    line = float(np.quantile(loudest[~is_order], 1 - amid, method="higher"))
    share = np.mean(loudest[is_order] > line)
    if not np.isfinite(line):
        raise ValueError(f"no line can be drawn with {amid:.1%} of the honest texts above: too many score far more")
    print(f"subject: {line:.3f}, {amid:.1%} of the honest texts are above and {share:.1%} of those with orders")
    made, *without = (replace(one, bias=one.bias - line) for one in (_learned(texts), *without))
    return made, without


def _learned(texts: Sequence[Best]) -> Trees:
    signs, orders = ([getattr(one, name)[:BEST] for one in texts] for name in ("signs", "orders"))
    return boosting.fitted(np.concatenate(signs), np.concatenate(orders))


def _loudest(one: Best, trees: Trees, seed: float) -> float:
    """The line up to which some sentence of a text is taken, of an attack one of its orders."""
    far = one.signs[:, subject.SCORE] - seed - one.by_chance
    more, less = subject.bounds(one.others)
    # Some are taken, or are not, whatever trees say.
    told = np.where(far >= more, np.inf, np.where(far < -less, -np.inf, trees.sums(one.signs) - one.by_chance))
    return float(told[one.orders | (not one.is_order)].max(initial=-np.inf))
