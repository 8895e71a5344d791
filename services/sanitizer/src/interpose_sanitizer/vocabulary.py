"""The words that rules write down: of a text that is read through a disguise only what becomes one of them is worth a
look. Nearly every `sha256`, `@property` and `e5346059` of honest text is none whatever it is read as.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache, lru_cache
from itertools import product

import numpy as np

from interpose_sanitizer import knitting, mending, rules
from interpose_sanitizer.factors import ANY, BORDER, FEWEST, SIZE, factors
from interpose_sanitizer.findings import Span
from interpose_sanitizer.keeping import kept
from interpose_sanitizer.points import Mask, Places, Points, most_places, text_of, united
from interpose_sanitizer.rules import Place
from interpose_sanitizer.signs import Sign
from interpose_sanitizer.tokens import Unknown
from interpose_sanitizer.unmarked import clues

LONG = 7
"""Characters of a part of a word that is told by itself, with what is between words."""
AROUND = 24
"""Characters beside a word that a key which is broken may reach."""
FOR_EACH_PIECE = 6
"""Letters of several words without a space between them, of which a piece is in one of them."""
_EDGE = BORDER + ANY
_LETTERS, _DIGITS, _NO_LETTERS = 26, 10, 0xBF
_SPACE, _APART = 0x20, 0x241E
MOST_REMEMBERED = 5_000


class Vocabulary:
    """The words of some patterns, and those of another one. Safe to use from several threads at once.

    A pattern that cannot be read may write down anything. Those of patterns that are shipped are kept.
    """

    def __init__(
        self, patterns: Iterable[str], beside: "Vocabulary | None" = None, *, is_shipped: bool = False
    ) -> None:
        self._beside = beside
        every = list(patterns)
        try:
            self._pieces: frozenset[str] | None = (
                kept("words", every, lambda: factors(every)) if is_shipped else factors(every)
            )
        except Unknown:
            self._pieces = None
        self._short = frozenset(piece[1:-1] for piece in self._pieces or () if piece[0] in _EDGE and piece[-1] in _EDGE)
        self._spans = lru_cache(MOST_REMEMBERED)(self._written)

    @property
    def is_known(self) -> bool:
        """Whether all patterns could be read."""
        return self._pieces is not None

    def touched(self, read: Points, marks: Places, also: Places | None = None) -> Places:
        """Those of some marks in what is read that are in a word which is written down, or could be a part of one; and
        of other places those in a word that is written down wholly, or a long part of one."""
        if not marks.size and (also is None or not also.size):
            return marks
        return self._touched(read, _edges(read), marks, also)

    def _touched(self, read: Points, edges: Places, marks: Places, also: Places | None) -> Places:
        found = self._within(read, edges, marks)
        if self._pieces is None or 0 < found.size == marks.size:
            return found
        if also is not None:
            words, of_place = _words(edges, also)
            spans = [self._long(word) for word in _said(read, words)]
            found = united(found, also[_are_inside(also, words, of_place, spans)])
        return found if self._beside is None else united(found, self._beside._touched(read, edges, marks, also))

    def _within(self, read: Points, edges: Places, marks: Places) -> Places:
        words, of_mark = _words(edges, marks)
        if self._pieces is None or len(words) > most_places(read.size):
            return marks
        said = _said(read, words)
        keys = _keys(said) | _broken(read, words, said)
        spans = [[(-1, len(word) + 1)] if word in keys else self._spans(word) for word in said]
        found: Places = marks[(of_mark == 0) | _are_inside(marks, words, of_mark, spans)]
        return found

    def _long(self, word: str) -> Sequence[Span]:
        """The parts of a word that are told by themselves: long ones, or the whole of it."""
        least = min(LONG, max(len(word), FEWEST) + 2)
        return [(begin, end) for begin, end in self._spans(word) if end - begin >= least]

    def _written(self, word: str) -> Sequence[Span]:
        """Which parts of a word are written down."""
        if not word.isascii():
            return [(0, len(word))]
        return [(begin - 1, end - 1) for begin, end in self._parts(f"{BORDER}{word}{BORDER}")]

    def _parts(self, said: str) -> Iterator[Span]:
        known = self._pieces or frozenset()
        if len(said) < FEWEST + 2:
            yield from [(0, len(said))] if said in known else ()
        else:
            yield from self._short_parts(said, known)
        if len(said) >= SIZE:
            yield from _long_parts(said, known)

    def _short_parts(self, said: str, known: Set[str]) -> Iterator[Span]:
        """What is a piece by itself, whatever stands beside it."""
        last = len(said) - 1
        for size in range(FEWEST, SIZE - 1):
            for at in range(1, last - size + 1):
                part = said[at : at + size]
                if part in self._short:
                    for begin, end in product(_EDGE if at == 1 else ANY, _EDGE if at + size == last else ANY):
                        if begin + part + end in known:
                            yield at - (begin == BORDER), at + size + (end == BORDER)


def _long_parts(said: str, known: Set[str]) -> Iterator[Span]:
    """What is made of several pieces, each of which goes on with the last one."""
    size, less = len(said), SIZE - 1
    pieces = [said[at : at + SIZE] in known for at in range(size - less)]
    if size > knitting.LONGEST_WORD and FOR_EACH_PIECE * sum(pieces) >= size:
        yield 0, size
    # How far what is written down may go on from each place, and where it may end at the latest before each.
    far = [size] * (size - less + 1)
    for at in range(size - less - 1, -1, -1):
        far[at] = far[at + 1] if pieces[at] else at + less
    ended = [0] * (size + 1)
    for at in range(less, size + 1):
        ended[at] = at if at == size or said[at - less : at] + ANY in known else ended[at - 1]
    for at in range(size - less + 1):
        begins = pieces[0] if at == 0 else ANY + said[at : at + less] in known
        if begins and ended[far[at]] >= at + less:
            yield at, ended[far[at]]


def _edges(read: Points) -> Places:
    """Where words begin and end."""
    letters = (read - ord("a") < _LETTERS) | (read - ord("0") < _DIGITS) | (read > _NO_LETTERS)
    return np.flatnonzero(np.diff(letters, prepend=False, append=False))


def _words(edges: Places, places: Places) -> tuple[Places, Places]:
    """The words that hold some places, as spans; and which of them each place is in, from 1 on: 0 for none."""
    which = np.searchsorted(edges, places, side="right")
    numbers = np.unique(which[which % 2 == 1])
    of_place = np.where(which % 2 == 1, np.searchsorted(numbers, which) + 1, 0)
    return np.stack([edges[numbers - 1], edges[numbers]], axis=1), of_place


def _are_inside(places: Places, words: Places, of_place: Places, spans: Sequence[Sequence[Span]]) -> Mask:
    """Whether places are in these spans of the words that hold them."""
    begins = words[:, 0].tolist()
    numbered = zip(of_place.tolist(), places.tolist(), strict=True)
    inside = [
        number > 0 and any(begin <= place - begins[number - 1] < end for begin, end in spans[number - 1])
        for number, place in numbered
    ]
    return np.array(inside, np.bool_)


def _said(read: Points, spans: Places, around: int = 0) -> Sequence[str]:
    """What some spans say, with so much around them."""
    begins, ends = np.maximum(spans[:, 0] - around, 0), np.minimum(spans[:, 1] + around, read.size)
    lengths = ends - begins + 1
    firsts = np.cumsum(lengths) - lengths
    inside = np.repeat(begins - firsts, lengths) + np.arange(int(lengths.sum()))
    points = read.take(inside, mode="clip")
    points[points == _APART] = _SPACE
    points[firsts + lengths - 1] = _APART
    return text_of(points).split(chr(_APART))[:-1]


def _keys(said: Sequence[str]) -> set[str]:
    """The words that are keys of attacks which are misspelt as well."""
    found = mending.found(" ".join(said).encode(), frozenset({Sign.STRETCHED}))
    return {word.decode() for words in found.values() for word in words}


def _broken(read: Points, spans: Places, said: Sequence[str]) -> set[str]:
    """The words that are a part of a key which is broken, or stand together with one."""
    around = _said(read, spans, AROUND)
    if not knitting.holds_key("\n\n".join(around).encode()):
        return set()
    return {word for word, some in zip(said, around, strict=True) if knitting.holds_key(some.encode())}


@cache
def shipped() -> Vocabulary:
    """That of what comes with the service."""
    return Vocabulary([*(rule.pattern for rule in rules.shipped(Place.ENCODED)), *_of_clues()], is_shipped=True)


def _of_clues() -> Iterator[str]:
    for clue in clues.shipped().clues:
        yield from (clue.pattern, clue.lead)
