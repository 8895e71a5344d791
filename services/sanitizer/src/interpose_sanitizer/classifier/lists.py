"""Lists of what means the same in many languages, and where words of them stand.

A folder holds a file for each language, in which an entry of a list is a word, two words with one sign between, what
such begin with (`ignorier*`, `chat-bot*`), or, of a script that writes no spaces, a piece that is looked for anywhere.
Several folders are looked up at once: what a word says by one of them says nothing of the others.
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


class Folder(NamedTuple):
    """A folder of lists beside this file. Without names, the lists are those of English, in its order; each sign is a
    list of its own, behind them."""

    name: str
    names: Sequence[str] = ()
    signs: str = ""


class Lists(NamedTuple):
    """The hashes of known words, in order, and for each folder the number of the list that each is of, 0 if of none.

    The hash of the beginning of a word, and of a piece, has its length mixed in.
    """

    hashes: Hashes
    numbers: Numbers
    """One more than there are hashes: what is not known is in no list."""
    sieve: npt.NDArray[np.bool_]
    """Whether any known hash begins with these bits: most words are none."""
    begun: npt.NDArray[np.bool_]
    """The same for pieces, for what is known to begin a word, and for all that such begin with: most are soon given
    up."""
    longest: int
    """Characters of the longest piece."""

    def within(self, points: Points, sentence: Numbers, sums: Hashes, starts: Places, stops: Places) -> Numbers:
        """For each folder, at each character, the list of the word or piece that begins there; 0 is none. Nothing goes
        on in the next sentence."""
        found = np.zeros((self.numbers.shape[0], points.size), np.int64)
        if starts.size:
            of = sentence.take(starts)
            two = np.where(np.append(of[1:] == of[:-1], False), np.append(stops[1:], 0), stops)
            found[:, starts] = self._of_words(sums, starts, stops, two)
        spaceless = np.flatnonzero(is_spaceless(points))
        if spaceless.size:
            self._add_pieces(found, sums, sentence, spaceless)
        return found

    def _of(self, hashes: Hashes) -> Numbers:
        """For each folder the number of the list of each hash."""
        places = np.full(hashes.size, self.hashes.size)
        likely = np.flatnonzero(_is_in(self.sieve, hashes))
        some = hashes.take(likely)
        at = np.minimum(np.searchsorted(self.hashes, some), self.hashes.size - 1)
        places[likely] = np.where(self.hashes.take(at) == some, at, self.hashes.size)
        return self.numbers.take(places, axis=1)

    def _of_words(self, sums: Hashes, starts: Places, stops: Places, two: Places) -> Numbers:
        """The list of each word: of itself and the next, of itself, or of what it, or it and the next, begins with.

        `two` says where the next one ends, or where it ends itself if it is the last of its sentence.
        """
        pairs = self._of(hashing.between(sums, starts, two))
        whole = self._of(hashing.between(sums, starts, stops))
        begun, reached = self._of_beginnings(sums, starts, two)
        of_one = np.where((whole > 0) & (starts + reached <= stops), whole, begun)
        return np.where(pairs > 0, pairs, of_one)

    def _of_beginnings(self, sums: Hashes, starts: Places, stops: Places) -> tuple[Numbers, Places]:
        """The list of the longest known beginning of each stretch, and how many characters that has."""
        found, reached = (np.zeros((self.numbers.shape[0], starts.size), np.int64) for _ in range(2))
        lengths = stops - starts
        likely = np.arange(starts.size)
        for length in range(SHORTEST, LONGEST_OF_TWO + 1):
            likely = likely[lengths[likely] >= length]
            hashes = _begun(sums, starts[likely], length)
            goes_on = _is_in(self.begun, hashes)
            likely = likely[goes_on]
            if not likely.size:
                break
            numbers = self._of(hashes[goes_on])
            for folder, known in enumerate(numbers > 0):
                found[folder, likely[known]], reached[folder, likely[known]] = numbers[folder, known], length
        return found, reached

    def _add_pieces(self, found: Numbers, sums: Hashes, sentence: Numbers, places: Places) -> None:
        """The longest first; none begins within another of its folder."""
        covered = np.zeros((found.shape[0], found.shape[1] + self.longest), np.bool_)
        for length, at, numbers in reversed(list(self._pieces(sums, sentence, places))):
            for folder, some in enumerate(numbers):
                free = (some > 0) & ~covered[folder, at]
                found[folder, at[free]] = some[free]
                for place in range(length):
                    covered[folder, at[free] + place] = True

    def _pieces(self, sums: Hashes, sentence: Numbers, places: Places) -> Iterator[tuple[int, Places, Numbers]]:
        """The pieces of each length: where they begin, and for each folder the list of each."""
        likely = places
        for length in range(1, self.longest + 1):
            likely = likely[: np.searchsorted(likely, sentence.size - length, "right")]
            likely = likely[sentence.take(likely) == sentence.take(likely + length - 1)]
            hashes = _with(hashing.between(sums, likely, likely + length), length, _PIECE)
            goes_on = _is_in(self.begun, hashes)
            likely = likely[goes_on]
            if not likely.size:
                break
            numbers = self._of(hashes[goes_on])
            known = numbers.any(axis=0)
            yield length, likely[known], numbers[:, known]


def read(folders: Sequence[Folder]) -> Lists:
    """What the lists of some folders hold.

    Of a word that stands in several lists of a folder, that of English counts, or else that of most languages.
    """
    some = [_read(folder) for folder in folders]
    hashes = np.unique(np.concatenate([np.frombuffer(one[0], np.uint64) for one in some]))
    numbers = np.zeros((len(some), hashes.size + 1), np.int64)
    for folder, (of_one, of_lists, *_) in enumerate(some):
        places = np.searchsorted(hashes, np.frombuffer(of_one, np.uint64))
        numbers[folder, places] = np.frombuffer(of_lists, np.int64)
    begun = np.concatenate([np.frombuffer(one[2], np.uint64) for one in some])
    return Lists(hashes, numbers, _sieve(hashes), _sieve(begun), max(one[3] for one in some))


_Read = tuple[bytes, bytes, bytes, int]
"""Hashes in order, the list of each, those of all that a beginning or a piece begins with, and how long the longest
piece is."""


def _read(folder: Folder) -> _Read:
    every = sorted((files(__package__) / folder.name).iterdir(), key=lambda file: (file.name != "en.toml", file.name))
    texts = [file.read_text("utf-8") for file in every]
    return kept(f"lists-{folder.name}", texts, lambda: _made(texts, folder))


def _sieve(hashes: Hashes) -> npt.NDArray[np.bool_]:
    sieve = np.zeros(1 << _SIEVE, np.bool_)
    sieve[hashes >> np.uint64(64 - _SIEVE)] = True
    return sieve


def _is_in(sieve: npt.NDArray[np.bool_], hashes: Hashes) -> npt.NDArray[np.bool_]:
    """Whether any that a sieve is of begins like these."""
    return sieve.take(hashes >> np.uint64(64 - _SIEVE))


def _made(texts: Sequence[str], folder: Folder) -> _Read:
    votes: dict[int, Counter[int]] = {}
    begun, longest = set[int](), 0
    for number, word, vote in _written(texts, folder.names or tuple(tomllib.loads(texts[0])), folder.signs):
        points = points_of(word.removesuffix("*"))
        if word.endswith("*"):
            points = points[: LONGEST_OF_TWO if " " in word else LONGEST]
            if points.size < SHORTEST:
                raise ValueError(f"{folder.name}: {word} begins too many words")
            begun.update(rows := _beginnings(points, SHORTEST, _BEGINNING))
            key = rows[-1]
        elif is_spaceless(points[:1]).all():
            longest = max(longest, points.size)
            begun.update(rows := _beginnings(points, 1, _PIECE))
            key = rows[-1]
        else:
            key = int(hashing.of_whole(points))
        votes.setdefault(key, Counter())[number] += vote
    hashes = np.array(sorted(votes), np.uint64)
    numbers = np.array([votes[int(one)].most_common(1)[0][0] for one in hashes], np.int64)
    of_begun = np.array(sorted(begun), np.uint64)
    return hashes.tobytes(), numbers.tobytes(), of_begun.tobytes(), longest


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


def _beginnings(points: Points, shortest: int, kind: np.uint64) -> list[int]:
    """The hashes of what this begins with, and of all of it."""
    lengths = np.arange(shortest, points.size + 1)
    hashes = _with(hashing.between(hashing.sums(points), np.zeros(1, np.intp), lengths), lengths, kind)
    return [int(one) for one in hashes]


def _begun(sums: Hashes, starts: Places, lengths: int | Places) -> Hashes:
    return _with(hashing.between(sums, starts, starts + lengths), lengths, _BEGINNING)


def _with(hashes: Hashes, lengths: int | Places, kind: np.uint64) -> Hashes:
    return np.asarray(hashes + np.atleast_1d(lengths).astype(np.uint64) * kind)
