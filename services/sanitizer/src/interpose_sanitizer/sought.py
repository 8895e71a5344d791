"""What is sought for a rule before it is asked: words of its phrases, in their order, as near as a match has them.

A phrase is what a pattern says before it goes on without end, as with the rest of a sentence; behind that another one
may follow. In each match a phrase has its words close together, and the next one follows soon.
"""

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add
from typing import Any, NamedTuple

from interpose_sanitizer.breadth import Breadth, breadth
from interpose_sanitizer.commonness import Keys, per_mb
from interpose_sanitizer.keeping import kept
from interpose_sanitizer.keys import keys_of
from interpose_sanitizer.tokens import Unknown, signs

MOST_COMMON, RARE = 4_000, 20
"""Words of a set in a MB of ordinary text. One with more than MOST_COMMON is not looked for. A rule of which one phrase
is RARE is looked for by that phrase alone, and a phrase that is RARE by its rarest words alone."""
MOST_SETS = 3
"""Sets by which a phrase is looked for: each leaves fewer places, and has to be looked for in every text."""
_FLAGS = re.compile(r"(?:\s*\(\?[ms]+\))+")
MOST_WAYS = 6
"""In which a pattern can match are told apart, at the most but for those that it is written as."""


class Phrase(NamedTuple):
    """Sets of words of which a match holds one each, no more than `words` words apart.

    The next phrase has its own no more than `further` words behind them.
    """

    sets: Sequence[Keys]
    words: int
    further: int


class Sought(NamedTuple):
    """The phrases of a rule in order; over how many words a match of it goes before a word of the first, and behind;
    and the rarest of the sets."""

    phrases: Sequence[Phrase]
    before: int
    behind: int
    rarest: Keys


class _Part(NamedTuple):
    """Of a pattern what goes on without end by itself, and what stands between two such."""

    sets: Sequence[Keys]
    breadth: Breadth

    @property
    def per_mb(self) -> float:
        """How often the rarest of its sets has a word in a MB."""
        return _per_mb(self.sets[0]) if self.sets else float("inf")


def ways_of(patterns: Sequence[str], gapless: bool) -> list[list[Sought]]:
    """What is sought for each of some patterns."""
    return [sought(pattern, gapless=gapless) for pattern in patterns]


def shipped_ways(patterns: Sequence[str], gapless: bool) -> list[list[Sought]]:
    """The same for the rules that are shipped, for which it is kept."""
    known = kept("gapless" if gapless else "sought", patterns, lambda: _plain(ways_of(patterns, gapless)))
    return [[Sought([Phrase(*phrase) for phrase in phrases], *others) for phrases, *others in ways] for ways in known]


def _plain(known: list[list[Sought]]) -> list[list[tuple[Any, ...]]]:
    return [[(tuple(map(tuple, way.phrases)), *way[1:]) for way in ways] for ways in known]


def sought(pattern: str, *, gapless: bool = False) -> list[Sought]:
    """What is sought for each way in which a pattern can match, as rules write it. `gapless`: gaps may be empty.

    Nothing, where one of the ways has no phrase: then the rule is to be asked of every text.
    """
    ways = [_sought(way, gapless) for way in _branches(pattern.lstrip(" "))]
    return [way for way in ways if way is not None] if None not in ways else []


def _sought(way: Sequence[str], gapless: bool) -> Sought | None:
    parts = [_Part(keys_of(part, gapless=gapless), breadth(part)) for part in _parts(way)]
    spoken = [place for place, part in enumerate(parts) if part.per_mb <= MOST_COMMON]
    if not spoken:
        return None
    rarest = min(spoken, key=lambda place: parts[place].per_mb)
    chosen = [rarest] if parts[rarest].per_mb <= RARE else spoken
    phrases = [_phrase(parts, place, following) for place, following in zip(chosen, [*chosen[1:], None], strict=True)]
    before, behind = (_sum(some).most_words for some in (parts[: chosen[0] + 1], parts[chosen[0] :]))
    return Sought(phrases, before, behind, min((keys for phrase in phrases for keys in phrase.sets), key=per_mb))


def _phrase(parts: Sequence[_Part], place: int, following: int | None) -> Phrase:
    part = parts[place]
    is_close = not part.breadth.is_open and part.per_mb > RARE
    sets = [keys for keys in part.sets[: MOST_SETS if is_close else 1] if _per_mb(keys) <= MOST_COMMON]
    up_to = _sum(parts[place : place + 1 if following is None else following + 1])
    return Phrase(sets, part.breadth.words, up_to.most_words)


def _sum(parts: Sequence[_Part]) -> Breadth:
    return reduce(add, (part.breadth for part in parts))


def _per_mb(keys: Keys) -> float:
    """Words in other letters stand in few texts."""
    return per_mb(frozenset(word for word in keys if word.isascii()))


def _branches(pattern: str) -> list[list[str]]:
    """The ways in which a pattern can match, each as what stands one behind another; as one, where it is not known."""
    flags = _FLAGS.match(pattern)
    try:
        ways = _alternatives(pattern[flags.end() if flags else 0 :])
        while (further := list(_spread(ways))) != ways and len(further) <= MOST_WAYS:
            ways = further
    except Unknown:
        return [[pattern]]
    return ways


def _alternatives(pattern: str) -> list[list[str]]:
    ways: list[list[str]] = [[]]
    for item in _items(pattern):
        if item == "|":
            ways.append([])
        else:
            ways[-1].append(item)
    return ways


def _spread(ways: list[list[str]]) -> Iterator[list[str]]:
    """The same ways, in each the first group that goes on without end as what is in it."""
    for way in ways:
        place = next((place for place, item in enumerate(way) if _is_spread(item)), None)
        if place is None:
            yield way
        else:
            yield from ([*way[:place], *inner, *way[place + 1 :]] for inner in _alternatives(way[place][3:-1]))


def _is_spread(item: str) -> bool:
    return item.startswith("(?:") and item[-1] == ")" and breadth(item).is_open


def _parts(way: Sequence[str]) -> Iterator[str]:
    """What goes on without end, and what stands between."""
    part = ""
    for item in way:
        if not breadth(item).is_open:
            part += item
        else:
            yield from filter(None, (part, item))
            part = ""
    if part:
        yield part


def _items(pattern: str) -> Iterator[str]:
    """What stands one behind another, each with how often it does. Raises Unknown."""
    item = ""
    for token, inside in signs(pattern):
        sign = f"{token[0]}{inside})" if token.lastgroup == "open" else token[0]
        if token.lastgroup == "repeat":
            item += sign
        else:
            if item:
                yield item
            item = sign
    if item:
        yield item
