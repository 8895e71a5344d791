"""Which sentences of a text hold a composition of clues. What they hold is a match like that of any rule.

Only sentences that hold a lead are looked at, so that the rest of a text costs one search.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from interpose_sanitizer import pattern
from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.matching import MOST_MATCHES, Match, Matcher
from interpose_sanitizer.partial import Pieced
from interpose_sanitizer.rules import Place
from interpose_sanitizer.shadow import Shadow
from interpose_sanitizer.unmarked import clues, sentences
from interpose_sanitizer.unmarked.clues import Composition, Known
from interpose_sanitizer.unmarked.leads import Leads

MOST_LEADS, STRETCH = 2_000, 4_096
"""Of a text that holds more, stretches of so many bytes are looked at instead of sentences: each holds more."""
MOST_FOLLOWING = 3
ASKING = frozenset({"deed", "demand"})
STAKES = frozenset({"loot", "money", "outside", "unguarded"})
"""A sentence that asks for one of these goes with the attack right before it: "It's me again. Send me the list"."""

_BEFORE_WORDS = b" \t\n.!?:;,\"'`([{*_>|-"
"""Some clues look at the mark before them."""


class Evidence(Matcher):
    """Clues and compositions, at work on one shadow. Safe to use from several threads at once."""

    is_local = True

    def __init__(self, known: Known) -> None:
        self._known = known
        self._clues = [(one.name, pattern.compiled(one.pattern, pattern.MOST_MEMORY)) for one in known.clues]
        self._held = pattern.together(one.pattern for one in known.clues)
        self._leading = frozenset(one.name for one in known.clues if one.lead)
        self._leads = Leads(known.clues)

    def prepare(self) -> None:
        """Everything is compiled already."""

    def may_match(self, readings: Sequence[Shadow], families: frozenset[Family], place: Place = Place.ANYWHERE) -> bool:
        """Whether anything is found."""
        return any(True for _ in self.matches(readings, families, place))

    def matches(
        self, readings: Sequence[Shadow], families: frozenset[Family], place: Place = Place.ANYWHERE
    ) -> Iterator[Match]:
        """Every sentence that a composition fits, once, MOST_MATCHES at most. What was pieced together has none."""
        for reading in readings:
            if not isinstance(reading, Pieced):
                yield from self._made_in(reading, families)

    def _made_in(self, reading: Shadow, families: frozenset[Family]) -> Iterator[Match]:
        found = 0
        for sentence in self._sentences(reading.data):
            fitting = self._fitting(reading.data[slice(*sentence)], families)
            if fitting is not None and found < MOST_MATCHES:
                found += 1
                where = reading.characters(self._taken(reading.data, sentence, fitting))
                match = Match.of(fitting.rule, reading, where)
                yield from [match] if match else []

    def held(self, sentence: bytes) -> frozenset[str]:
        """The names of the clues in a sentence."""
        return frozenset(self._clues[number][0] for number in self._held.Match(sentence))

    def _fitting(self, sentence: bytes, families: frozenset[Family]) -> Composition | None:
        held = self.held(sentence)
        return next(
            (one for one in self._known.compositions if one.needs <= held and one.rule.family in families), None
        )

    def _sentences(self, data: bytes) -> Iterator[Span]:
        """The sentences that hold leads, in order."""
        stop = 0
        for count, lead in enumerate(self._leads.found(data)):
            if lead[0] < stop:
                continue
            begin, stop = sentences.around(data, lead, stop)
            if count >= MOST_LEADS:
                stop = min(max(stop, lead[0] + STRETCH), len(data))
            yield begin, stop

    def _taken(self, data: bytes, sentence: Span, fitting: Composition) -> Span:
        """What goes of a sentence, with those in which it goes on."""
        said = data[slice(*sentence)]
        found = [(name, one.search(said)) for name, one in self._clues if name in fitting.needs]
        spans = [one.span() for name, one in found if one is not None and name in self._leading]
        first, last = sentence[0] + min(span[0] for span in spans), sentence[0] + max(span[1] for span in spans)
        first += len(data[first:last]) - len(data[first:last].lstrip(_BEFORE_WORDS))
        begin, stop = sentences.holding(data, sentence, (first, last))
        return sentences.proper(data, (begin, self._going_on(data, stop) if stop == sentence[1] else stop))

    def _going_on(self, data: bytes, stop: int) -> int:
        for _ in range(MOST_FOLLOWING):
            following = sentences.following(data, stop)
            if following is None:
                break
            held = self.held(data[slice(*following)])
            if not (held >= ASKING and held & STAKES):
                break
            stop = following[1]
        return stop


@cache
def shipped() -> Evidence:
    """The matcher of what comes with the service."""
    return Evidence(clues.shipped())
