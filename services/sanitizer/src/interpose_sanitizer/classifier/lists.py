"""Lists of what means the same in many languages, and where words of them stand.

A folder holds a file for each language, in which an entry of a list is a word, two words with one sign between, what
such begin with (`ignorier*`, `chat-bot*`), or, of a script that writes no spaces, a piece that is looked for anywhere.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.classifier import hashing
from interpose_sanitizer.classifier.hashing import Hashes, Numbers
from interpose_sanitizer.classifier.scripts import is_spaceless
from interpose_sanitizer.keeping import kept
from interpose_sanitizer.points import Places, Points, points_of
from interpose_sanitizer.shadow import fold_text

SHORTEST, LONGEST, LONGEST_OF_TWO = 3, 12, 24
"""Characters of what a word, or two with a space between, begin with; of a longer one these are looked at."""
_BEGINNING, _PIECE = np.uint64(0xD1B54A32D192ED03), np.uint64(0xAEF17502108EF2D9)
_SIEVE = 21


class Lists(NamedTuple):
    """The hashes of known words, in order, and the number of the list that each is of.

    The hash of the beginning of a word, and of a piece, has its length mixed in.
    """

    hashes: Hashes
    numbers: Numbers
    sieve: npt.NDArray[np.bool_]
    """Whether any known hash begins with these bits: most words are none."""
    begun: npt.NDArray[np.bool_]
    """The same for the first SHORTEST characters of all beginnings."""
    beginnings: Sequence[int]
    pieces: Sequence[int]
    """What lengths there are; of the pieces the longest first."""

    def of(self, hashes: Hashes) -> Numbers:
        """The number of the list of each hash; 0 is none."""
        found = np.zeros(hashes.size, np.int64)
        likely = np.flatnonzero(self.sieve.take(hashes >> np.uint64(64 - _SIEVE)))
        at = np.minimum(np.searchsorted(self.hashes, hashes.take(likely)), self.hashes.size - 1)
        found[likely] = np.where(self.hashes.take(at) == hashes.take(likely), self.numbers.take(at), 0)
        return found

    def within(self, points: Points, sums: Hashes, starts: Places, stops: Places) -> Numbers:
        """At each character the list of the word or piece that begins there; 0 is none."""
        found = np.zeros(points.size, np.int64)
        found[starts] = self._of_words(sums, starts, stops)
        spaceless = np.flatnonzero(is_spaceless(points))
        if spaceless.size:
            self._add_pieces(found, sums, spaceless)
        return found

    def _of_words(self, sums: Hashes, starts: Places, stops: Places) -> Numbers:
        """The list of each word: of itself and the next, of itself, or of what it, or it and the next, begins with."""
        pairs = np.append(self.of(hashing.between(sums, starts[:-1], stops[1:])), 0)[: starts.size]
        whole = self.of(hashing.between(sums, starts, stops))
        begun, reached = self._of_beginnings(sums, starts, np.append(stops[1:], stops[-1:]))
        of_one = np.where((whole > 0) & (starts + reached <= stops), whole, begun)
        return np.where(pairs > 0, pairs, of_one)

    def _of_beginnings(self, sums: Hashes, starts: Places, stops: Places) -> tuple[Numbers, Places]:
        """The list of the longest known beginning of each stretch, and how many characters that has."""
        found, reached = np.zeros(starts.size, np.int64), np.zeros(starts.size, np.int64)
        lengths = stops - starts
        long = np.flatnonzero(lengths >= SHORTEST)
        likely = long[self._may_begin(_begun(sums, starts[long], SHORTEST))]
        for length in self.beginnings:
            likely = likely[lengths[likely] >= length]
            if not likely.size:
                break
            numbers = self.of(_begun(sums, starts[likely], length))
            known = likely[numbers > 0]
            found[known], reached[known] = numbers[numbers > 0], length
        return found, reached

    def _may_begin(self, hashes: Hashes) -> npt.NDArray[np.bool_]:
        """Whether anything known begins like these."""
        return self.begun.take(hashes >> np.uint64(64 - _SIEVE))

    def _add_pieces(self, found: Numbers, sums: Hashes, places: Places) -> None:
        """The longest first; none begins within another."""
        covered = np.zeros(found.size + max(self.pieces, default=0), np.bool_)
        for length in self.pieces:
            free = places[(places + length <= found.size) & ~covered[places]]
            numbers = self.of(_with(hashing.between(sums, free, free + length), length, _PIECE))
            free, numbers = free[numbers > 0], numbers[numbers > 0]
            found[free] = numbers
            for place in range(length):
                covered[free + place] = True


def read(folder: str, names: Sequence[str] = (), signs: str = "") -> Lists:
    """What the lists of these names in a folder beside this file hold; without names, those of English, in its order.
    Each sign is a list of its own, behind them.

    Of a word that stands in several lists, that of English counts, or else that of most languages.
    """
    every = sorted((files(__package__) / folder).iterdir(), key=lambda file: (file.name != "en.toml", file.name))
    texts = [file.read_text("utf-8") for file in every]
    of_all, numbers, of_begun, beginnings, pieces = kept(f"lists-{folder}", texts, lambda: _made(texts, names, signs))
    hashes, begun = np.frombuffer(of_all, np.uint64), np.frombuffer(of_begun, np.uint64)
    return Lists(hashes, np.frombuffer(numbers, np.int64), _sieve(hashes), _sieve(begun), beginnings, pieces)


def _sieve(hashes: Hashes) -> npt.NDArray[np.bool_]:
    sieve = np.zeros(1 << _SIEVE, np.bool_)
    sieve[hashes >> np.uint64(64 - _SIEVE)] = True
    return sieve


def _made(texts: Sequence[str], names: Sequence[str], signs: str) -> tuple[bytes, bytes, bytes, list[int], list[int]]:
    """Hashes in order, the list of each, those of the first letters of beginnings, and what lengths there are of
    beginnings and of pieces."""
    votes: dict[int, Counter[int]] = {}
    names = names or tuple(tomllib.loads(texts[0]))
    beginnings, pieces, begun = set[int](), set[int](), set[int]()
    for number, word, vote in _written(texts, names, signs):
        points = points_of(word.removesuffix("*"))
        if word.endswith("*"):
            points = points[: LONGEST_OF_TWO if " " in word else LONGEST]
            beginnings.add(points.size)
            begun.add(_key(points[:SHORTEST], _BEGINNING))
            key = _key(points, _BEGINNING)
        elif is_spaceless(points[:1]).all():
            pieces.add(points.size)
            key = _key(points, _PIECE)
        else:
            key = int(hashing.of_whole(points))
        votes.setdefault(key, Counter())[number] += vote
    hashes = np.array(sorted(votes), np.uint64)
    numbers = np.array([votes[int(one)].most_common(1)[0][0] for one in hashes], np.int64)
    of_begun = np.array(sorted(begun), np.uint64)
    return hashes.tobytes(), numbers.tobytes(), of_begun.tobytes(), sorted(beginnings), sorted(pieces, reverse=True)


def _written(texts: Sequence[str], names: Sequence[str], signs: str) -> Iterator[tuple[int, str, int]]:
    """The number of a list, a word of it as a shadow has it, and how much that counts where languages differ, from one
    list after another; and the signs. English, which is first, counts for more than all others together."""
    for place, text in enumerate(texts):
        written = tomllib.loads(text)
        vote = 1 if place else len(texts)
        for number, name in enumerate(names, start=1):
            folded = fold_text("\n".join(written.get(name, ()))).split("\n")
            yield from ((number, word, vote) for word in dict.fromkeys(folded) if word)
    yield from ((number, sign, len(texts)) for number, sign in enumerate(signs, start=len(names) + 1))


def _begun(sums: Hashes, starts: Places, length: int) -> Hashes:
    return _with(hashing.between(sums, starts, starts + length), length, _BEGINNING)


def _key(points: Points, kind: np.uint64) -> int:
    return int(_with(np.array([hashing.of_whole(points)]), points.size, kind)[0])


def _with(hashes: Hashes, length: int, kind: np.uint64) -> Hashes:
    return hashes + np.array([length], np.uint64) * kind
