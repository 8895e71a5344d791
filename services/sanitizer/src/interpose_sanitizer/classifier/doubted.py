"""Whether what rules recognised in a text is no order to a machine by what the classifier makes of it.

Rules know words, and people say the same ones to each other: "previous instructions for the car park hold no longer".
What the classifier takes neither for an order where it stands, nor anything else beside it, is said to people. It may
doubt only rules whose own examples it knows for orders, and nothing that could have been hidden from it.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from interpose_sanitizer import mentions, rules, wording
from interpose_sanitizer.classifier import telling
from interpose_sanitizer.classifier.classes import NAMES
from interpose_sanitizer.classifier.judged import Judged, judged
from interpose_sanitizer.classifier.model import Model
from interpose_sanitizer.findings import Span
from interpose_sanitizer.matching import Match
from interpose_sanitizer.points import Mask
from interpose_sanitizer.rules import Place, Rule
from interpose_sanitizer.shadow import Shadow

LINE, OF_MACHINES, BESIDE = 0.2, -0.3, 0.6
"""From which score on a sentence is no doubt: one in which something was recognised, the same in a text that speaks of
machines, and any other."""
BEFORE, AFTER = 40, 60
"""Characters around what was recognised that are judged by themselves, too: a sentence could be padded with others."""
ADDRESSED, GOES_ON = 1_000, 120
"""So far on either side no address may stand; and so far behind it, in its sentence, nothing that goes on."""
MOST, MOST_DOUBTED = 4, 24
"""Who says it more often to people means something else; and what so many rules recognise in any reading, too."""
KNOWN = 0.2
"""The share of a rule's examples that the classifier has to know for orders: most are bare, and say little."""
SPECIFIC = 3
"""So many words more has a sentence than a rule knows: who says nothing else means whatever was said."""
BEGINS = 4
"""By so many letters a word is told from those of examples: languages inflect, and what is shorter says little."""
_DEEDS = [NAMES.index(name) for name in ("send", "pay", "spoil", "hide", "become", "judged")]
SPOILS = [NAMES.index(name) for name in ("spoil", "pay")]
"""Classes of words that no notice among people holds; and those that the sentences behind it do not hold either."""
BEHIND = 2
"""So many of them."""
_MARKS = re.compile(r"\W*+")
"""What a match may begin with: the end of the sentence before."""
_GAP, _END = re.compile(r"[ ,;:]+"), re.compile(r"[.!?\n]")


class Doubts:
    """What the classifier makes of what rules recognised. Safe to use from several threads at once."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._is_known = lru_cache(maxsize=1_000)(self._knows)

    def prepare(self) -> None:
        """What the first of them would wait for."""
        _of_examples()

    def are_held(self, matches: Sequence[Match]) -> bool:
        """Whether all of these, which the readings of a text hold, are said to people."""
        matches = telling.without_echoes(matches)
        if not all(map(_may_be_held, matches)):
            return False
        reading, spans = matches[0].shadow, list(dict.fromkeys(map(_said, matches)))
        if len(spans) > MOST:
            return False
        line = OF_MACHINES if wording.pattern("machine").search(reading.data) else LINE
        sentences = judged(self._model, reading)
        if _is_heard(sentences, sentences.cut.touched(spans), line):
            return False
        if any(_goes_on(reading.text, span) or self._is_ordered(reading, span, line) for span in spans):
            return False
        is_specific = all(self._is_specific(reading, sentences, span) for span in spans)
        return is_specific and all(self._is_known(match.rule) for match in matches)

    def _is_specific(self, reading: Shadow, sentences: Judged, where: Span) -> bool:
        """Whether a sentence says more than rules know: beside what was recognised in it, or within, as whose
        instructions end."""
        said = reading.text[slice(*where)]
        words = int(sentences.lengths[sentences.cut.touched([where])].sum())
        bare = int(judged(self._model, Shadow(said)).lengths.sum())
        return words - bare + len(_beginnings(said) - _of_examples()) >= SPECIFIC

    def _is_ordered(self, reading: Shadow, span: Span, line: float) -> bool:
        """Whether what stands right around is an order by itself, or speaks of a machine."""
        text, (begin, end) = reading.text, span
        around = text[max(begin - BEFORE, 0) : end + AFTER]
        if wording.pattern("machine").search(around.encode()) or mentions.is_asked_for(text, span):
            return True
        return self._is_order(text[begin : end + AFTER], line) or self._is_order(around, line)

    def _knows(self, rule: Rule) -> bool:
        known = [self._is_order(example, LINE) for example in rule.matches]
        return sum(known) >= KNOWN * len(known)

    def _is_order(self, said: str, line: float) -> bool:
        """Whether any sentence of some text that stands for itself scores so much."""
        return bool((judged(self._model, Shadow(said)).best >= line).any())


def _is_heard(sentences: Judged, known: Mask, line: float) -> bool:
    """Whether any of these sentences reads like an order, another one of the text does, or one holds a deed."""
    scores = sentences.best
    if (scores[known] >= line).any() or (scores[~known] >= BESIDE).any():
        return True
    return bool(sentences.held[known][:, _DEEDS].any() or sentences.held_from(known, BEHIND)[:, SPOILS].any())


def _may_be_held(match: Match) -> bool:
    """Whether one can be said to people at all: it is not disguised, and does not mean all that was ever said."""
    is_of_words = match.rule.is_doubtful and match.rule.family in telling.FAMILIES
    return is_of_words and match.shadow.is_plain and not wording.brief("corrected_unless").search(match.said)


def _goes_on(text: str, span: Span) -> bool:
    """Whether its sentence goes on with "and" or "then", somebody is told to do it, or an address stands near."""
    begin, end = span
    is_addressed = wording.ADDRESS.search(text, max(begin - ADDRESSED, 0), end + ADDRESSED)
    if is_addressed or wording.brief("asked_to").search(text, max(begin - BEFORE, 0), begin):
        return True
    ends = _END.search(text, end, end + GOES_ON)
    gaps = _GAP.finditer(text, end, ends.start() if ends else end + GOES_ON)
    return any(wording.brief("then").match(text, gap.start()) for gap in gaps)


def _said(match: Match) -> Span:
    """Where its words stand in its reading."""
    begin, end = match.where
    marks = _MARKS.match(match.shadow.text, begin, end)
    return (marks.end() if marks else begin), end


def _beginnings(said: str) -> frozenset[str]:
    """What each of its words begins with that is long enough to say something."""
    return frozenset(word[:BEGINS] for word in re.findall(r"\w+", said) if len(word) >= BEGINS)


@cache
def _of_examples() -> frozenset[str]:
    """The same of all examples of all rules, in any language: also of those that must not match."""
    examples = [example for rule in rules.shipped(Place.ENCODED) for example in (*rule.matches, *rule.spares)]
    return _beginnings(Shadow("\n".join(examples)).text)
