"""Whether what rules recognised in a text is no order to a machine by what the classifier makes of it.

Rules know words, and people say the same ones to each other: "previous instructions for the car park hold no longer".
What the classifier takes neither for an order where it stands, nor anything else beside it, is said to people. It may
doubt only rules whose own examples it knows for orders, and nothing that could have been hidden from it.
"""

import re
from collections.abc import Sequence

import numpy as np

from interpose_sanitizer import mentions, wording
from interpose_sanitizer.classifier import telling
from interpose_sanitizer.classifier.judged import Judged, judged
from interpose_sanitizer.classifier.model import Model
from interpose_sanitizer.findings import Span
from interpose_sanitizer.matching import Match
from interpose_sanitizer.rules import Rule
from interpose_sanitizer.shadow import Shadow

LINE, OF_MACHINES, BESIDE = 0.2, -0.3, 0.6
"""From which score on a sentence is no doubt: one in which something was recognised, the same in a text that speaks of
machines, and any other."""
BEFORE, AFTER = 40, 60
"""Characters around what was recognised that are judged by themselves, too: a sentence could be padded with others."""
ADDRESSED = 160
"""So far behind it no address may stand."""
KNOWN = 0.2
"""The share of a rule's examples that the classifier has to know for orders: most are bare, and say little."""
SPECIFIC = 3
"""So many words more than a rule recognised has its sentence: who says nothing else means whatever was said."""
_WORDS = re.compile(r"\w.*\w|\w", re.DOTALL)
"""A match without the marks around it: some begin with the end of the sentence before."""


class Doubts:
    """What the classifier makes of what rules recognised. Safe to use from several threads at once."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._knows: dict[str, bool] = {}
        """Of rules by their names, whether it knows their examples for orders."""

    def are_held(self, matches: Sequence[Match]) -> bool:
        """Whether all of these, which the readings of a text hold, are said to people."""
        matches = telling.without_echoes(matches)
        if len(matches) > telling.MOST or not all(map(self._may_be_held, matches)):
            return False
        reading, spans = matches[0].shadow, [_said(match) for match in matches]
        line = OF_MACHINES if wording.pattern("machine").search(reading.data) else LINE
        sentences = judged(self._model, reading)
        scores, known = _best(sentences), sentences.cut.touched(spans)
        if (scores[known] >= line).any() or (scores[~known] >= BESIDE).any():
            return False
        if not all(self._is_specific(reading, sentences, span) for span in spans):
            return False
        return not any(self._is_ordered(reading, span, line) for span in spans)

    def _may_be_held(self, match: Match) -> bool:
        """Of one of these at all: one that is not disguised, of a rule that the classifier knows."""
        return match.rule.is_doubtful and match.shadow.is_plain and self._is_known(match.rule)

    def _is_specific(self, reading: Shadow, sentences: Judged, where: Span) -> bool:
        """Whether a sentence says more than was recognised in it."""
        words = int(sentences.lengths[sentences.cut.touched([where])].sum())
        bare = judged(self._model, Shadow(reading.text[slice(*where)])).lengths.sum()
        return words - int(bare) >= SPECIFIC

    def _is_ordered(self, reading: Shadow, span: Span, line: float) -> bool:
        """Whether what stands right around is an order by itself, goes on with one, or speaks of a machine or an
        address."""
        text, (begin, end) = reading.text, span
        if wording.ADDRESS.search(text, begin, end + ADDRESSED) or wording.brief("then").match(text, end):
            return True
        around = text[max(begin - BEFORE, 0) : end + AFTER]
        if wording.pattern("machine").search(around.encode()) or mentions.is_asked_for(text, span):
            return True
        return self._is_order(text[begin : end + AFTER], line) or self._is_order(around, line)

    def _is_known(self, rule: Rule) -> bool:
        if rule.id not in self._knows:
            known = [self._is_order(example, LINE) for example in rule.matches]
            self._knows[rule.id] = sum(known) >= KNOWN * len(known)
        return self._knows[rule.id]

    def _is_order(self, said: str, line: float) -> bool:
        """Whether any sentence of some text that stands for itself scores so much."""
        return bool((_best(judged(self._model, Shadow(said))) >= line).any())


def _said(match: Match) -> Span:
    """Where its words stand in its reading."""
    words = _WORDS.search(match.shadow.text, *match.where)
    return words.span() if words else match.where


def _best(sentences: Judged) -> telling.Scores:
    """The score of each sentence, where it stands or by itself."""
    return np.maximum(sentences.scores, sentences.alone)
