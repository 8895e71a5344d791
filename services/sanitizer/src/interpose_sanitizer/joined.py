"""All rules that are at work for some settings: those that come with the service, the operator's, and the hook's."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

from pydantic import Field

from interpose.bus.settings import Settings as Environment
from interpose_sanitizer import given, matching, vocabulary
from interpose_sanitizer.classifier import search as classifier
from interpose_sanitizer.classifier.search import Classifier
from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.given import Given
from interpose_sanitizer.matching import Match, Matcher
from interpose_sanitizer.rules import Place
from interpose_sanitizer.shadow import Shadow
from interpose_sanitizer.unmarked import evidence
from interpose_sanitizer.vocabulary import Vocabulary

_REMEMBERED = 8


class Operators(Environment):
    """What holds for every hook of this worker."""

    sanitizer_rules: Path | None = Field(
        default=None, description="A file of rules, or a folder of such files, that every hook works by as well."
    )


class Joined(Matcher):
    """Several matchers as one, and the classifier, which also looks beside what they find."""

    def __init__(self, some: Sequence[Matcher], classifier: Classifier | None = None) -> None:
        self._some = tuple(some)
        self._classifier = classifier
        self.is_local = all(one.is_local for one in some)

    def prepare(self) -> None:
        """Each of them. Raises UnusableRule."""
        for one in self._some:
            one.prepare()
        if self._classifier is not None:
            self._classifier.prepare()

    def may_match(self, readings: Sequence[Shadow], families: frozenset[Family], place: Place = Place.ANYWHERE) -> bool:
        """Whether any of them may."""
        if self._classifier is not None and self._classifier.may_match(readings, families, place):
            return True
        return any(one.may_match(readings, families, place) for one in self._some)

    def matches(
        self, readings: Sequence[Shadow], families: frozenset[Family], place: Place = Place.ANYWHERE
    ) -> Iterator[Match]:
        """What each of them matches, one after another."""
        found: list[Match] = []
        for match in chain.from_iterable(one.matches(readings, families, place) for one in self._some):
            found.append(match)
            yield match
        if self._classifier is not None:
            yield from self._classifier.matches(readings, families, found, place)

    def along(self, reading: Shadow, text: str, spans: Sequence[Span]) -> list[Span]:
        """What goes along by any of them."""
        found = [span for one in self._some for span in one.along(reading, text, spans)]
        return found if self._classifier is None else found + self._classifier.along(reading, text, spans)

    def are_ordered_beside(self, matches: Sequence[Match]) -> bool:
        """Whether anything else in their text reads like an order by what was learned."""
        return self._classifier is not None and self._classifier.are_ordered_beside(matches)

    def are_told(self, matches: Sequence[Match]) -> bool:
        """Whether a text only tells of these; one in which rules of others matched does not."""
        learned = [self._classifier] if self._classifier is not None else self._some
        return any(one.are_told(matches) for one in learned)


def matcher(own: Given = given.NONE) -> Matcher:
    """The matcher for a hook with these rules of its own. Raises UnusableRule."""
    return _joined(own) if own.rules else everywhere()


@lru_cache(maxsize=_REMEMBERED)
def _joined(own: Given) -> Matcher:
    return Joined([everywhere(), Matcher(own.rules)])


@lru_cache(maxsize=_REMEMBERED)
def words(own: Given = given.NONE) -> Vocabulary:
    """What the rules of such a hook write down."""
    more = [rule.pattern for rule in (*of_operator().rules, *own.rules)]
    return Vocabulary(more, vocabulary.shipped()) if more else vocabulary.shipped()


@cache
def everywhere() -> Matcher:
    """The matcher of the rules that hold for every hook. Raises UnusableRule."""
    operators = of_operator()
    own = [Matcher(operators.rules)] if operators.rules else []
    return Joined([matching.shipped(), evidence.shipped(), *own], classifier.shipped())


@cache
def of_operator() -> Given:
    """The rules that the environment names. Raises UnusableRule."""
    named = Operators.from_environment().sanitizer_rules
    return given.files(named) if named else given.NONE
