"""The classifier at work beside the rules: sentences that it takes for orders are matches like any other's."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from interpose_sanitizer import trifles
from interpose_sanitizer.classifier import company, model, subject, telling, turns
from interpose_sanitizer.classifier.classes import NAMES
from interpose_sanitizer.classifier.doubted import MOST_DOUBTED, SPOILS, Doubts
from interpose_sanitizer.classifier.judged import Judged, judged
from interpose_sanitizer.classifier.model import FEWEST_WORDS, Model, Scores
from interpose_sanitizer.classifier.named import BESIDE, NEARLY, RULE
from interpose_sanitizer.classifier.quotations import narrowed
from interpose_sanitizer.classifier.records import is_record
from interpose_sanitizer.classifier.sentences import Cut
from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.matching import MOST_MATCHES, Match
from interpose_sanitizer.partial import Partial
from interpose_sanitizer.points import Mask, summed
from interpose_sanitizer.rules import Place, Rule
from interpose_sanitizer.shadow import Shadow

MOST_BESIDE = 6
"""Sentences on either side of one that is taken that may go with it."""
ENCODED = 0.55
"""So much less than beside an attack is enough in what was encoded whole: for honest words letters would have done."""
GOES_ON = 0.0
"""What scores so much goes with a sentence right before it, in its line, that is taken."""
HEARD, BEHIND = 0.0, 2
"""From this score on a sentence beside what is said to people, or beside a token that plays no turn, is an order; and
so many behind what is said to people say nothing of deeds."""
_TOKENS = frozenset("<|[#")
_GIVES, _HOARD, _NEGATION = [NAMES.index("send"), NAMES.index("say")], NAMES.index("hoard"), NAMES.index("negation")
"""Deeds that people ask of a machine; and that something which it keeps is given away."""
_OPENED = re.compile(r"(?:<!-{2,8}+|/\*{1,8}+|/{2,8}+|#{1,8}+|;{1,8}+)\s*+(?=\S)")
_FIELD = re.compile(
    r"[-*#>\"{]{0,3}+\s?+(?:description|summary|subject|comment|message|text|body|content|title|snippet|details|location|note"
    r"|remark|review|purpose|reference|memo|preparation|agenda)\"?+:\s*+(?=\S)"
)

_ADDRESSED = re.compile(
    r"(?m:^)(?:from|to|cc|bcc|reply-to|sender|return-path|delivered-to): ?"
    r"(?:(?:[\"']?[^\s\"'<>@,]{1,40}+(?: [^\s\"'<>@,]{1,40}+){0,3}[\"']? ?<)?"
    r"[^\s<>@,]{1,80}+@[^\s<>@,]{1,80}+>?,?[ \t]*)++(?m:$)"
)
"""A line of a mail's head that holds addresses and nothing else."""
_LINK = re.compile(r"[\"'(<\[]?+https?://[^\s\"'<>]{1,1000}+[\"')>\].,;]*+")
"""An address that is all that a sentence says: its words are names."""


class Classifier:
    """Finds sentences that score enough, in readings of a whole text. Safe to use from several threads at once."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._least = model.seed - subject.LESS
        self._doubts = Doubts(model)

    def prepare(self) -> None:
        """What a first text would wait for."""
        judged(self._model, Shadow("This sentence is judged."))
        self._doubts.prepare()

    def may_match(self, readings: Sequence[Shadow], families: frozenset[Family], place: Place = Place.ANYWHERE) -> bool:
        """Whether any sentence scores enough somewhere: what stands around it here may be another text."""
        plain = (reading for reading in readings if not isinstance(reading, Partial))
        may = RULE.family in families
        return may and any(self._may_be_taken(one, place) for one in plain)

    def _may_be_taken(self, reading: Shadow, place: Place) -> bool:
        sentences = judged(self._model, reading)
        scores = sentences.scores
        least = min(self._least, turns.BARE) if place is Place.TURN else self._least
        return bool((scores >= least).any() or _in_turns(reading, sentences.cut, scores).any())

    def matches(
        self, readings: Sequence[Shadow], families: frozenset[Family], others: Sequence[Match], place: Place
    ) -> Iterator[Match]:
        """Every sentence that does, and what nearly does beside it or beside matches of others; MOST_MATCHES of each
        reading. In a place that is not for people, all that nearly does."""
        if RULE.family not in families:
            return
        for reading in readings:
            if not isinstance(reading, Partial):
                found = [match.where for match in others if match.shadow is reading]
                for rule, where in self._found(reading, found, place):
                    match = Match.of(rule, reading, where)
                    yield from [match] if match else []

    def are_told(self, matches: Sequence[Match]) -> bool:
        """Whether a text that holds these, and nothing else that acts, only tells of them, or says them to people. What
        was taken only because something beside it is goes with that, or stays."""
        some = [match for match in matches if match.rule is not BESIDE]
        is_told = not some or telling.are_told(telling.shipped(), self._model, some)
        return is_told or (len(matches) <= MOST_DOUBTED and self._doubts.are_held(some))

    def are_ordered_beside(self, matches: Sequence[Match]) -> bool:
        """Whether a sentence beside these reads like an order: by itself it need not be taken."""
        whole = [match for match in matches if not isinstance(match.shadow, Partial)]
        readings = {id(match.shadow): match.shadow for match in whole}
        # What is only found where something was taken away is disguised.
        return not whole or any(
            self._is_heard(reading, [one.where for one in whole if one.shadow is reading])
            for reading in readings.values()
        )

    def _is_heard(self, reading: Shadow, spans: Sequence[Span]) -> bool:
        sentences = judged(self._model, reading)
        known, scores = sentences.cut.touched(spans), sentences.best
        says = sentences.lengths >= FEWEST_WORDS
        if all(reading.text[begin] in _TOKENS for begin, _ in spans):
            heard = np.flatnonzero(says & (scores >= self._model.beside)).tolist()
            return not all(trifles.are_alone(reading.text[slice(*sentences.cut.span(each))]) for each in heard)
        if bool((scores[says & ~known] >= HEARD).any()):
            return True
        held = sentences.held_from(known, BEHIND)
        gives = held[:, _GIVES].any(axis=1) & held[:, _HOARD] & ~held[:, _NEGATION]
        return bool(held[:, SPOILS].any() or gives.any())

    def along(self, reading: Shadow, text: str, spans: Sequence[Span]) -> list[Span]:
        """The sentences of a text, of which this is the plain reading, that go along with the attacks at some spans."""
        return company.along(self._model, reading, text, spans)

    def _found(self, reading: Shadow, others: Sequence[Span], place: Place) -> Iterator[tuple[Rule, Span]]:
        """The sentences that are taken. Where something was found already, that says what goes, or that it may stay."""
        known_of = judged(self._model, reading)
        sentences, scores = known_of.cut, known_of.scores
        least = self._model.beside - (ENCODED if place is Place.ENCODED else 0)
        scores[_saying_nothing(reading, sentences, scores, min(least, self._least))] = -np.inf
        near = scores >= least
        decided = sentences.touched(others)
        seeds = self._seeds(reading, known_of, scores, decided, place)
        known = seeds | decided
        if known.any():
            goes_on = (scores >= GOES_ON)[1:] & _in_line(sentences, reading)
            for _ in range(MOST_BESIDE):
                known |= _beside(known) & near
                known[1:] |= known[:-1] & goes_on
        taken = (known | near if place in NEARLY else known) & ~decided
        numbers = np.flatnonzero(taken)[:MOST_MATCHES].tolist()
        spans = [_proper(reading, sentences.span(number)) for number in numbers]
        for number, span in zip(numbers, narrowed(self._model, reading.text, spans), strict=True):
            taken_by_itself = seeds[number] or (known[number] and place in NEARLY)
            yield RULE if taken_by_itself else BESIDE if known[number] else NEARLY[place], span

    def _seeds(self, reading: Shadow, sentences: Judged, scores: Scores, decided: Mask, place: Place) -> Mask:
        """The sentences that are taken by themselves; who was found already is not asked. What is not shown, or was
        decoded, is judged together with others, of which nothing counts."""
        if place in NEARLY:
            return scores >= self._model.seed
        if place is Place.TURN:
            return scores >= turns.BARE
        seeds = scores >= self._model.seed + subject.MORE + subject.MOST_BY_CHANCE
        is_open = np.flatnonzero((scores >= self._least) & ~seeds & ~decided)
        if is_open.size:
            seeds[is_open] = subject.above(reading, sentences, is_open) >= 0
        return seeds | _in_turns(reading, sentences.cut, scores)


def _saying_nothing(reading: Shadow, sentences: Cut, scores: Scores, least: float) -> Mask:
    """The sentences that score so much and say nothing: lines of a head that hold addresses, an address alone, and
    records."""
    nothing = sentences.touched(found.span() for found in _ADDRESSED.finditer(reading.text))
    for number in np.flatnonzero((scores >= least) & ~nothing).tolist():
        begin, end = sentences.span(number)
        is_link = _LINK.fullmatch(reading.text, begin, end) is not None
        nothing[number] = is_link or is_record(reading.text[begin:end])
    return nothing


def _in_turns(reading: Shadow, sentences: Cut, scores: Scores) -> Mask:
    """The sentences that are taken because a turn says them that the text poses."""
    taken = np.zeros(scores.size, np.bool_)
    if bool((scores >= turns.BARE).any()):
        for span, line in turns.spans(reading):
            taken |= sentences.touched([span]) & (scores >= line)
    return taken


def _beside(some: Mask) -> Mask:
    """The sentences beside these."""
    beside = np.zeros_like(some)
    beside[1:] |= some[:-1]
    beside[:-1] |= some[1:]
    return beside


def _in_line(sentences: Cut, reading: Shadow) -> Mask:
    """Which sentences go on in the line of the one before, without the first."""
    lines = summed(reading.points == ord("\n"))
    begins, ends = sentences.edges
    return np.asarray(lines[begins[1:]] == lines[ends[:-1] - 1])


def _proper(reading: Shadow, span: Span) -> Span:
    """A sentence without what opens a comment, and without the name and the last mark of the field it stands in."""
    said = reading.text[slice(*span)]
    span = (span[0], span[1] - 1) if said.endswith('"') and said.count('"') % 2 else span
    opened = _OPENED.match(reading.text, *span)
    span = (opened.end(), span[1]) if opened else span
    field = _FIELD.match(reading.text, *span)
    return (field.end(), span[1]) if field else span


@cache
def shipped() -> Classifier:
    """The one that comes with the service."""
    return Classifier(model.shipped())
