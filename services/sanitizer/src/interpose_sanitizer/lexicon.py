"""The words that rules look for: in which sets of keys each word of a text is. A word is looked up but once.

A word is letters and digits of ASCII, whatever stands beside them. Keys of several words are looked for in a text of
words with one space between them, and keys in other letters in the text as it stands.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from threading import Lock
from typing import Self

import numpy as np
from ahocorasick_rs import BytesAhoCorasick

from interpose_sanitizer.commonness import Keys
from interpose_sanitizer.points import Places, united

MOST_KNOWN, LONGEST_KNOWN = 300_000, 40
"""Words that are remembered, and letters of each. When there are more, all others are forgotten: most texts say the
same few thousand."""
_BETWEEN = b"  "
_NONE = np.zeros(0, np.int64)

Found = tuple[Places, Places]
"""The numbers of sets, or of keys, and the places of the words that are in them."""


class Lexicon:
    """Some sets of such keys. Safe to use from several threads at once."""

    def __init__(self, sets: Sequence[Keys]) -> None:
        holding: dict[str, list[int]] = {}
        for number, keys in enumerate(sets):
            for key in keys:
                holding.setdefault(key, []).append(number)
        foreign = {key for key in holding if not key.isascii()}
        several = {key for key in holding.keys() - foreign if " " in key.strip()}
        self._words, self._several, self._foreign = (
            _Sought({key: holding[key] for key in sorted(some)})
            for some in (holding.keys() - foreign - several, several, foreign)
        )
        self._known: dict[bytes, int] = {}
        """The kind of each word. It only grows, but for being begun anew: other threads look words up meanwhile."""
        self._learning = Lock()
        self._kinds: dict[tuple[int, ...], int] = {(): 0}
        """Which sets words are in, those together that are in the same ones; a word that is in none is of kind 0."""
        self._of_kinds = _Numbers([()])

    def found(self, words: list[bytes], places: Places) -> Found:
        """The sets that the words of a text are in, each word at its place; several may be at one."""
        kinds = self._looked_up(words)
        some = np.flatnonzero(kinds)
        numbers, at = self._of_kinds.of(kinds.take(some), places.take(some))
        keys, begins = self._several.keys(b" " + b" ".join(words) + b" ")
        if not keys.size:
            return numbers, at
        ends = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)) + 1)
        # A key that begins with what is between two words is told of the word behind it.
        more, also = self._several.numbers.of(keys, places.take(ends.searchsorted(begins, "right")))
        return np.append(numbers, more), np.append(at, also)

    def foreign(self, data: bytes, placed: Callable[[Places], Places]) -> Found:
        """The sets of what stands in a text in other letters than those of ASCII, and where that is `placed`."""
        keys, begins = self._foreign.keys(b"" if data.isascii() else data)
        return self._foreign.numbers.of(keys, placed(begins))

    def _looked_up(self, words: list[bytes]) -> Places:
        known = self._known
        try:
            return np.fromiter(map(known.__getitem__, words), np.int64, len(words))
        except KeyError:
            pass
        with self._learning:
            some = dict(self._learned(list(set(words).difference(known))))
            self._of_kinds = _Numbers(self._kinds, self._of_kinds)
            ordinary = {word: kind for word, kind in some.items() if len(word) <= LONGEST_KNOWN}
            if len(known) + len(ordinary) <= MOST_KNOWN:
                known.update(ordinary)
            else:
                self._known = ordinary
        return np.fromiter(map(some.get, words, map(known.get, words)), np.int64, len(words))

    def _learned(self, words: list[bytes]) -> Iterator[tuple[bytes, int]]:
        held: list[set[int]] = [set() for _ in words]
        begins = np.cumsum([0, *(len(word) + len(_BETWEEN) for word in words[:-1])])
        keys, places = self._words.keys(b" " + _BETWEEN.join(words) + b" ")
        numbers, which = self._words.numbers.of(keys, begins.searchsorted(places, "right") - 1)
        for number, place in zip(numbers.tolist(), which.tolist(), strict=True):
            held[place].add(number)
        for word, sets in zip(words, held, strict=True):
            yield word, self._kinds.setdefault(tuple(sorted(sets)), len(self._kinds))


class _Sought:
    """Some keys, and the numbers of the sets that each is in."""

    def __init__(self, holding: dict[str, list[int]]) -> None:
        self._automaton = BytesAhoCorasick([key.encode() for key in holding])
        self.numbers = _Numbers([tuple(numbers) for numbers in holding.values()])

    def keys(self, text: bytes) -> Found:
        """The keys that stand in a text, and where each begins."""
        found = self._automaton.find_matches_as_indexes(text, overlapping=True)
        return np.array([one[0] for one in found], np.int64), np.array([one[1] for one in found], np.int64)


class _Numbers:
    """Several numbers for each of some, one behind the other."""

    def __init__(self, every: Collection[tuple[int, ...]], before: Self | None = None) -> None:
        """Some numbers each; only what is new is read of these where all of those before are the first ones."""
        known, counts = (before.all, before.counts) if before else (_NONE, _NONE)
        new = list(islice(every, counts.size, None))
        self.all: Places = np.append(known, np.array([number for numbers in new for number in numbers], np.int64))
        self.counts: Places = np.append(counts, np.array([len(numbers) for numbers in new], np.int64))
        self._begins = np.cumsum(self.counts) - self.counts

    def of(self, some: Places, places: Places) -> Found:
        """The numbers of some of them, and for each its place. What is at a place again and again counts once."""
        size = max(self.counts.size, 1)
        each = united(places * size + some)
        some, places = each % size, each // size
        counts = self.counts.take(some)
        behind = np.cumsum(counts)
        ranks = np.arange(behind[-1] if behind.size else 0) - np.repeat(behind - counts, counts)
        return self.all.take(np.repeat(self._begins.take(some), counts) + ranks), np.repeat(places, counts)
