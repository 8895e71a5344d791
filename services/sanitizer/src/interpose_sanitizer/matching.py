"""The rules at work on one shadow: the prefilter says which match at all, and only those are asked where."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple, Self

import re2  # type: ignore[import-untyped]

from interpose_sanitizer import pattern, rules
from interpose_sanitizer.candidates import Candidates
from interpose_sanitizer.findings import DISCLOSURES, Family, Span
from interpose_sanitizer.gathered import Gathered
from interpose_sanitizer.mentions import Mention, mention
from interpose_sanitizer.partial import Pieced
from interpose_sanitizer.rules import Place, Rule
from interpose_sanitizer.settings import Quoted, Settings
from interpose_sanitizer.shadow import Shadow
from interpose_sanitizer.sought import shipped_ways, ways_of
from interpose_sanitizer.tightening import tightened
from interpose_sanitizer.wordblocks import LONGEST

SPACELESS = frozenset({"zh", "ja", "th", "km", "my", "lo"})
"""Languages that write no spaces between words."""
MOST_MATCHES = 1_000
"""In one reading of a text: one that holds so many is not searched any further (`text`)."""
WINDOW = 1 << 14
"""Bytes that are searched at once, with those of the longest match behind them. A pattern can look far behind each
match for a longer one: in windows that costs no more than so much each time."""
_BORDER = b" \n\n\n"
MOST_GAPLESS = 1_500
"""Compiled patterns without gaps that are kept."""

_LITERAL = re.compile(r"\\[^Az]|\[(?:\\.|[^\]\\])*\]", re.DOTALL)
_LINES = "(?m)"
_ENDS, _EDGES = re.compile(r"\\[Az]|\(\?[a-zA-Z]*-[a-zA-Z]*m"), re.compile(r"[\^$]")


class Match(NamedTuple):
    """What a rule found: the span of the text, and in which characters of which shadow."""

    span: Span
    rule: Rule
    shadow: Shadow
    where: Span

    @classmethod
    def of(cls, rule: Rule, shadow: Shadow, where: Span) -> Self | None:
        """What a rule matches in a shadow; None where that has nothing to say there."""
        told = shadow.told(where)
        return None if told is None else cls(told, rule, shadow, where)

    @property
    def said(self) -> str:
        """What the text says there."""
        return self.shadow.text[slice(*self.where)]

    @property
    def mention(self) -> Mention | None:
        """How the text only speaks of it; None where it makes it."""
        return mention(self.shadow.text, self.where, self.rule.family)


class Matcher:
    """Some rules, compiled. Safe to use from several threads at once.

    `is_shipped`: they are known to compile. Each is when it is first asked, and what is sought for it is kept.
    """

    def __init__(self, some: Sequence[Rule], *, is_shipped: bool = False) -> None:
        self._rules = tuple(some)
        self._is_shipped = is_shipped
        self._compiled: dict[int, Any] = {}
        self._compiled_lines: dict[int, Any] = {}
        # As if each line were a text: it lets more through than match, and serves for many texts at once, too.
        self._by_line = [_by_line(rule.pattern) for rule in self._rules]
        self._of_ends = _of_ends(self._rules)
        self._families = frozenset(rule.family for rule in self._rules)
        if not is_shipped:
            self.prepare()
        self._candidates = self._sifted(lambda number: pattern.expanded(self._by_line[number]), gapless=False)
        self.is_local = not self._of_ends
        """Whether no rule asks where a whole text begins or ends."""

    def may_match(self, readings: Sequence[Shadow], families: frozenset[Family], place: Place = Place.ANYWHERE) -> bool:
        """Whether any rule matches, or would if each line were a text by itself."""
        return any(
            matcher._line_by_line(asked.number).search(asked.reading.data, *span) is not None
            for matcher, some in self._gathered(readings)
            for asked in matcher._asked(some, families, place)
            for span in asked.near
        )

    def _gathered(self, readings: Sequence[Shadow]) -> Iterator[tuple["Matcher", Gathered]]:
        """The readings as they are asked about together, and by whom."""
        plain = [one for one in readings if not isinstance(one, Pieced)]
        if plain:
            yield self, Gathered.of(plain)
        pieced = [one for one in readings if isinstance(one, Pieced)]
        if pieced:
            yield self._pieced, Gathered.of(pieced)

    def _asked(self, some: Gathered, families: frozenset[Family], place: Place) -> Iterator["_Asked"]:
        """The rules that may match, in order, and where they may."""
        if self._families.isdisjoint(families):
            return
        for number, where in sorted(self._candidates.near(some.data, place).items()):
            rule = self._rules[number]
            holds_here = rule.family in families and rule.place in place.within
            if holds_here and self._may_be_in(some, number, where):
                yield from (_Asked(number, index, some.shadows[index], near) for index, near in some.apart(where))

    def _may_be_in(self, some: Gathered, number: int, where: Sequence[Span]) -> bool:
        """Whether a rule may match in any of several readings: each begins and ends a line there."""
        is_asked_of_each = len(some.shadows) == 1 or number in self._of_ends
        return is_asked_of_each or is_in_any(self._line_by_line(number), some.data, where)

    def prepare(self) -> None:
        """Compile all that a text could otherwise wait for. Raises UnusableRule."""
        for number in range(len(self._rules)):
            self._pattern(number)
            self._line_by_line(number)

    def _pattern(self, number: int) -> Any:
        found = self._compiled.get(number)
        if found is None:
            found = self._compiled[number] = rules.compiled(self._rules[number])
        return found

    def _line_by_line(self, number: int) -> Any:
        if self._by_line[number] == self._rules[number].pattern:
            return self._pattern(number)
        found = self._compiled_lines.get(number)
        if found is None:
            found = self._compiled_lines[number] = pattern.compiled(self._by_line[number])
        return found

    def _sifted(self, line_by_line: Callable[[int], str], *, gapless: bool) -> Candidates:
        patterns = [rule.pattern for rule in self._rules]
        ways = shipped_ways(patterns, gapless) if self._is_shipped else ways_of(patterns, gapless)
        return Candidates(self._rules, ways, line_by_line, self._of_ends)

    def search(self, reading: Shadow, settings: Settings) -> Iterator[tuple[Span, Rule]]:
        """Each match that is not only mentioned, as a span of the text that casts the shadow, rule by rule."""
        for match in self.matches([reading], settings.families):
            if settings.quoted is Quoted.TREAT or match.mention is None:
                yield match.span, match.rule

    def matches(
        self, readings: Sequence[Shadow], families: frozenset[Family], place: Place = Place.ANYWHERE
    ) -> Iterator[Match]:
        """Every match of rules of these families that hold at this place; MOST_MATCHES of each reading."""
        for matcher, some in self._gathered(readings):
            left = [MOST_MATCHES] * len(some.shadows)
            found: list[list[Match]] = [[] for _ in left]
            for asked in matcher._asked(some, families, place):
                for match in matcher._found(asked, left[asked.place]):
                    left[asked.place] -= 1
                    found[asked.place] += [match] if match else []
            yield from chain.from_iterable(found)

    def are_ordered_beside(self, matches: Sequence[Match]) -> bool:
        """Whether anything else in their text reads like an order, as far as these rules can tell: nothing does."""
        return False

    def along(self, reading: Shadow, text: str, spans: Sequence[Span]) -> list[Span]:
        """What goes along with the attacks at some spans of a text, of which this is the plain reading, by what was
        learned: rules say that themselves."""
        del reading, text, spans
        return []

    def are_told(self, matches: Sequence[Match]) -> bool:
        """Whether a text that holds these only tells of them, by what was learned: rules do not know."""
        del matches
        return False

    def _found(self, asked: "_Asked", most: int) -> Iterator[Match | None]:
        """Where the rule matches that is asked."""
        compiled, rule, reading = self._pattern(asked.number), self._rules[asked.number], asked.reading
        if len(asked.near) == 1 or is_in_any(compiled, reading.data, asked.near):
            for span in spans(compiled, reading.data, most, asked.near):
                yield Match.of(rule, reading, reading.characters(tightened(compiled, reading.data, span, rule.reach)))

    @cached_property
    def _pieced(self) -> "Matcher":
        """The same rules for texts in which the gaps between words are lost; compiled when they are first needed."""
        return _Gapless([rule for rule in self._rules if rule.family not in DISCLOSURES], is_shipped=self._is_shipped)


class _Gapless(Matcher):
    """Rules without the gaps between their words. Those that have none find what they find without being pieced, but
    for those of languages that write none.

    Few texts need any of them: each is compiled when it is first asked.
    """

    def __init__(self, some: Sequence[Rule], *, is_shipped: bool) -> None:
        self._rules = tuple(
            rule for rule in some if pattern.GAP in pattern.expanded(rule.pattern) or SPACELESS & {*rule.languages}
        )
        self._is_shipped = is_shipped
        self._gapless = [_gapless(rule) for rule in self._rules]
        self._by_line = [_by_line(one) for one in self._gapless]
        self._of_ends = _of_ends(self._rules)
        self._families = frozenset(rule.family for rule in self._rules)
        self._candidates = self._sifted(self._by_line.__getitem__, gapless=True)

    def _pattern(self, number: int) -> Any:
        return _compiled_gapless(self._gapless[number])

    def _line_by_line(self, number: int) -> Any:
        return _compiled_gapless(self._by_line[number])


@lru_cache(maxsize=MOST_GAPLESS)
def _compiled_gapless(spelled_out: str) -> Any:
    return re2.compile(spelled_out, pattern.options())


def _gapless(rule: Rule) -> str:
    return pattern.expanded(rule.pattern).replace(pattern.GAP, pattern.ANY_GAP).replace(r"\b", "")


class _Asked(NamedTuple):
    """A rule by its number, a reading by its own, and where in that the rule may match, in bytes."""

    number: int
    place: int
    reading: Shadow
    near: Sequence[Span]


def is_in_any(compiled: Any, data: bytes, near: Sequence[Span]) -> bool:
    """Whether a pattern may match in any of some spans, for which it is asked but once.

    What it says of a text may not be said of these: it could match across the border of two of them, or at one.
    """
    pieces = _BORDER.join([data[begin:end] for begin, end in near])
    starts, ends = near[0][0] == 0, near[-1][1] == len(data)
    return compiled.search((b"" if starts else _BORDER) + pieces + (b"" if ends else _BORDER)) is not None


def spans(compiled: Any, data: bytes, most: int, near: Sequence[Span] | None = None) -> Iterator[Span]:
    """Where a pattern matches, in bytes, from left to right, `most` times at most; at least once if it does at all.

    `near` says where alone it may match; two of these do not overlap.
    """
    for begin, end in near or [(0, len(data))]:
        for span in islice(_within(compiled, data, begin, end), most):
            most -= 1
            yield span


def _within(compiled: Any, data: bytes, begin: int, end: int) -> Iterator[Span]:
    position, found = begin, False
    for window in range(begin, end, WINDOW):
        behind = window + WINDOW
        for match in compiled.finditer(data, max(window, position), min(behind + LONGEST, end)):
            if match.start() >= behind:
                break
            yield match.span()
            found, position = True, match.end()
    if not found and end - begin > WINDOW + LONGEST:
        match = compiled.search(data, begin, end)
        if match is not None:
            yield match.span()


def _of_ends(some: Sequence[Rule]) -> frozenset[int]:
    """The rules that ask where a whole text begins or ends, by their numbers."""
    return frozenset(number for number, rule in enumerate(some) if _ENDS.search(_LITERAL.sub("", rule.pattern)))


def _by_line(written: str) -> str:
    """A pattern that takes each line for a text."""
    bare = written.lstrip(" ")
    takes_lines = bare.startswith(_LINES) or not _EDGES.search(_LITERAL.sub("", bare))
    return written if takes_lines else f"{_LINES}{bare}"


@cache
def shipped() -> Matcher:
    """The matcher of the rules that come with the service, wherever they hold."""
    return Matcher(rules.shipped(Place.ENCODED), is_shipped=True)
