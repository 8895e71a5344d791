"""Which rules may match a text at all, and where: those whose phrases stand in it, in their order.

The words of a text are looked up (`lexicon`), and blocks of some words are told for each set of words that a rule
looks for (`wordblocks`). A rule is asked only where all that is `sought` for it stands as near as a match has it, so
that most texts meet few rules. White space, punctuation and signs do not count there.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from interpose_sanitizer.commonness import Keys
from interpose_sanitizer.findings import Span
from interpose_sanitizer.lexicon import Lexicon
from interpose_sanitizer.sought import Sought
from interpose_sanitizer.wordblocks import Blocks, Borders, bits, spread

_Phrases = tuple[Any, ...]
"""Nothing, or the sets of a phrase, how far they are apart, how far the next one is, and that with those behind it."""


class Sieve:
    """Some rules, each with what is sought for the ways in which it can match. Safe for several threads at once."""

    def __init__(self, rules: Sequence[Sequence[Sought]]) -> None:
        self._ways = [(rule, way) for rule, ways in enumerate(rules) for way in ways]
        every = [way for _, way in self._ways]
        known = list(dict.fromkeys(keys for one in every for phrase in one.phrases for keys in phrase.sets))
        numbered = {keys: number for number, keys in enumerate(known)}
        self._lexicon = Lexicon(known)
        self._phrases = [_chained(one, numbered) for one in every]
        self._sets = [frozenset(numbered[keys] for phrase in one.phrases for keys in phrase.sets) for one in every]
        self._led: dict[int, list[int]] = defaultdict(list)
        """What is sought, by the rarest set that it has."""
        for number, one in enumerate(every):
            self._led[numbered[one.rarest]].append(number)

    def near(self, data: bytes) -> dict[int, Sequence[Span]]:
        """Where in a shadow rules may match, by their numbers: no match lies anywhere else, nor across two spans."""
        blocks = Blocks.of(data)
        found = self._found(data, blocks)
        near: dict[int, int] = defaultdict(int)
        standing: dict[_Phrases, int] = {}
        for leading in found:
            for number in self._led.get(leading, ()):
                if self._sets[number] <= found.keys():
                    first = _standing(self._phrases[number], found, blocks, standing)
                    if first:
                        rule, way = self._ways[number]
                        near[rule] |= blocks.around(first, way.before, way.behind)
        borders = Borders(blocks, len(data))
        return {rule: borders.spans(some) for rule, some in near.items()}

    def _found(self, data: bytes, blocks: Blocks) -> dict[int, int]:
        """The blocks in which a word of each set stands, by the number of the set."""
        sets, places = self._lexicon.found(blocks.written, blocks.holding(blocks.at))
        foreign, also = self._lexicon.foreign(data, blocks.holding)
        sets, places = np.append(sets, foreign), np.append(places, also)
        is_present = np.bincount(sets, minlength=1) > 0
        present, row = np.flatnonzero(is_present), np.cumsum(is_present) - 1
        rows = np.zeros((present.size, blocks.number), np.bool_)
        rows[row.take(sets), places] = True
        return dict(zip(present.tolist(), bits(rows), strict=True))


def _chained(one: Sought, numbered: dict[Keys, int]) -> _Phrases:
    """Its phrases, each with those that follow it: rules share many of them."""
    chained: _Phrases = ()
    for phrase in reversed(one.phrases):
        chained = (tuple(numbered[keys] for keys in phrase.sets), phrase.words, phrase.further, chained)
    return chained


def _standing(phrases: _Phrases, found: dict[int, int], blocks: Blocks, known: dict[_Phrases, int]) -> int:
    """The blocks in which the first of some phrases stands, and behind which all others do."""
    if phrases not in known:
        (first, *others), words, further, following = phrases
        standing, near = found[first], blocks.reach(words)
        for other in others:
            standing &= spread(found[other], 2 * near) >> near
        if following and standing:
            far = blocks.reach(further)
            standing &= spread(_standing(following, found, blocks, known), far) >> far
        known[phrases] = standing
    return known[phrases]
