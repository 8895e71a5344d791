"""Whether what rules recognised in a text is only told of: an article, a test or a contract says what an attack would.

`mentions` knows how that is said in so many words. This was learned: by signs of what was recognised and of what stands
around it, together with what the classifier makes of its sentences. What that would take by itself is made.
"""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from typing import Self

import numpy as np
import numpy.typing as npt

from interpose_sanitizer import mentions, rules
from interpose_sanitizer.classifier import signs, subject, valued
from interpose_sanitizer.classifier.judged import Judged, judged
from interpose_sanitizer.classifier.model import Model
from interpose_sanitizer.classifier.named import RULE
from interpose_sanitizer.classifier.signs import Features, Signs
from interpose_sanitizer.covering import covered
from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.matching import Match
from interpose_sanitizer.rules import Place, Rule
from interpose_sanitizer.shadow import Shadow
from interpose_sanitizer.unmarked import clues

MOST = 64
"""What is recognised more often in a text is not told of."""
LEAST_AROUND = 80
"""Characters of a text that have to stand around what is recognised: of fewer nobody can tell what they tell."""
LEAST, MOST_LOUD = 2.0, 0.8
"""No sentence counts for more than that below its line; and what is so far above it is told by nobody."""
FAMILIES = frozenset({Family.OVERRIDE, Family.CONCEALMENT, Family.EXFILTRATION, Family.TAMPERING, Family.FAKE_TURN})
"""What is said in words. No token is: what stands behind one is said in another's name, whatever a text is about."""
MARKS = frozenset("#<[(|=*")
"""What the name of a turn begins with where it is no word but a mark, and stands for a token."""
FILE = "telling.npz"
Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Telling:
    """What was learned: for each feature a weight as a small integer, of which one is `scale`."""

    weights: npt.NDArray[np.int8]
    scale: float
    bias: float
    """Added to each sum: from 0 on, an attack is made."""
    bias_taken: float
    """The same, for a text in which the classifier takes some sentence by itself."""
    loudness: float
    """By how much it counts that a sentence scores above its line."""
    learned_from: str
    """The digest of the texts that tell of attacks from which it was learned."""

    @classmethod
    def load(cls) -> Self:
        """What comes with the service."""
        with as_file(files(__package__) / FILE) as path, np.load(path, allow_pickle=False) as kept:
            numbers = {name: float(kept[name]) for name in ("scale", "bias", "bias_taken", "loudness")}
            return cls(kept["weights"], learned_from=str(kept["learned_from"]), **numbers)

    def score(self, kinds: Features, loud: float) -> float:
        """How much a match with these signs is like an attack, whose best sentence is so far above its line."""
        sums = [int(self.weights.take(numbers).sum(dtype=np.int64)) for numbers in kinds]
        return float(self.scale * sum(map(operator.mul, sums, signs.values(kinds))) + self.loudness * loud)


def may_be_told(match: Match) -> bool:
    """Whether a match can be spared at all: what was read through a disguise is an attack, and of the rules of others
    nothing was learned."""
    is_word = match.rule.family is not Family.FAKE_TURN or match.said.lstrip()[:1] not in MARKS
    is_learned = match.rule.family in FAMILIES and _known().get(match.rule.id) is match.rule
    return match.shadow.is_plain and is_word and is_learned


def are_told(telling: Telling, model: Model, matches: Sequence[Match]) -> bool:
    """Whether all of these, which the readings of a text hold, are only told of."""
    matches = without_echoes(matches)
    if len(matches) > MOST or not all(map(may_be_told, matches)):
        return False
    reading = matches[0].shadow
    if not is_amid(reading, matches):
        return False
    if any(mentions.is_asked_for(reading.text, match.where) for match in matches):
        return False
    if valued.is_any_given(reading.text, matches) or any(map(valued.is_called, matches)):
        return False
    sentences = judged(model, reading)
    loud = above(reading, sentences, matches)
    if (loud >= MOST_LOUD).any():
        return False
    some = Signs(reading, sentences, matches)
    scores = np.array([telling.score(some.of(match), far) for match, far in zip(matches, loud.tolist(), strict=True)])
    # A sentence more that is taken never makes the others any less of an attack.
    bias = max(telling.bias, telling.bias_taken) if is_taken(matches) else telling.bias
    return loudest([match.where for match in matches], scores) + bias < 0


def is_amid(reading: Shadow, matches: Sequence[Match]) -> bool:
    """Whether enough stands around these for it to tell of them."""
    size = len(reading.text)
    return bool(size - covered(size, [match.where for match in matches])[-1] >= LEAST_AROUND)


def is_taken(matches: Sequence[Match]) -> bool:
    """Whether the classifier took one of these by itself."""
    return any(match.rule is RULE for match in matches)


def loudest(spans: Sequence[Span], scores: Scores) -> float:
    """The highest score of a place: several rules that recognise it are asked for their mean."""
    places: list[list[float]] = []
    behind = -1
    for (begin, end), score in sorted(zip(spans, scores.tolist(), strict=True)):
        if begin >= behind:
            places.append([])
        places[-1].append(score)
        behind = max(behind, end)
    return max(sum(place) / len(place) for place in places)


def without_echoes(matches: Sequence[Match]) -> Sequence[Match]:
    """Without what another reading repeats of the plain one: there nothing is disguised."""
    plain = {(match.rule.id, match.span) for match in matches if match.shadow.is_plain}
    return [match for match in matches if match.shadow.is_plain or (match.rule.id, match.span) not in plain]


def above(reading: Shadow, sentences: Judged, matches: Sequence[Match]) -> Scores:
    """How far above its line the best sentence of each match scores, which are of this reading."""
    touched = [np.flatnonzero(sentences.cut.touched([match.where])) for match in matches]
    some = np.unique(np.concatenate(touched))
    found = np.full(sentences.cut.sentences, -LEAST)
    found[some] = subject.above(reading, sentences, some)
    return np.array([max(found[each].max(initial=-LEAST), -LEAST) for each in touched])


@cache
def _known() -> dict[str, Rule]:
    """The rules that come with the service, by their names."""
    some = (RULE, *rules.shipped(Place.ENCODED), *(one.rule for one in clues.shipped().compositions))
    return {rule.id: rule for rule in some}


@cache
def shipped() -> Telling:
    """What comes with the service."""
    return Telling.load()
