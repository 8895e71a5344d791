"""The rules at work on one shadow: the prefilter says which match at all, and only those are asked where."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from interpose_sanitizer import rules
from interpose_sanitizer.findings import Span
from interpose_sanitizer.mentions import is_mentioned
from interpose_sanitizer.rules import Rule
from interpose_sanitizer.settings import Quoted, Settings
from interpose_sanitizer.shadow import Shadow

MOST_MATCHES = 6_000
"""Of one rule in one look at a text: a text that holds so many is not searched any further (`text`)."""


class Matcher:
    """Some rules, compiled. Safe to use from several threads at once."""

    def __init__(self, some: Sequence[Rule]) -> None:
        self._rules = tuple(some)
        self._compiled = [rules.compiled(rule) for rule in self._rules]
        self._prefilter = rules.prefilter(self._rules)

    def search(self, shadow: Shadow, settings: Settings) -> Iterator[tuple[Span, Rule]]:
        """Each match as a span of the text that casts the shadow, rule by rule."""
        for number in self._prefilter.Match(shadow.text) or ():
            rule = self._rules[number]
            if rule.family in settings.families:
                found = self._compiled[number].finditer(shadow.text)
                for span in islice((match.span() for match in found), MOST_MATCHES):
                    if settings.quoted is Quoted.TREAT or not is_mentioned(shadow.text, span, rule.family):
                        yield shadow.origin(span), rule


@cache
def shipped() -> Matcher:
    """The matcher of the rules that come with the service."""
    return Matcher(rules.shipped())
