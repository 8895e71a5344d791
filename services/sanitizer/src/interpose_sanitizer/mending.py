"""Words that are not written as in a dictionary, read as what is meant: ignroe, gnr, ignoreway, iiggnnoorree.

One key of attacks that is misspelt is the reason to look; what stands near it is read in the same way. Without one no
more is done than to look each different word of a text up once.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import re2  # type: ignore[import-untyped]

from interpose_sanitizer import spelling
from interpose_sanitizer.points import Mask, Places, Points, most_places, points_of, preceding, text_of
from interpose_sanitizer.shadow import Written
from interpose_sanitizer.signs import Sign
from interpose_sanitizer.spelling import Way, Words

MOST_WORDS = 100
"""More different words are not told one by one, nor more places than `most_places`: then the whole text is read."""
NEAR = 16
"""Words before and behind a misspelt key that may be meant otherwise, too."""
FEWEST = 3
"""Words in a row that make a way of writing of it."""
LONGEST_STRETCHED = 200
SHORTEST_MIXED = 6
"""Letters of a word whose letters are mixed: its first and its last stay."""

_LETTER = bytes(
    byte if chr(byte) in "abcdefghijklmnopqrstuvwxyz0123456789" or byte > 0x7F else 0x20 for byte in range(256)
)
_IS_LETTER = np.array([byte != 0x20 for byte in _LETTER[:0x80]] + [True])
_IN_ROWS = {Way.VOWELLESS: spelling.without_vowels, Way.PIG_LATIN: spelling.in_pig_latin}
_STRETCHED = re.compile(rb"([a-z])\1\1")

Meant = Iterator[tuple[int, str]]
"""Which words, by their number, and what is put in their place."""

Mended = tuple[Written, Places]
"""What is written with words put in, and where they are in it."""


def found(data: bytes, signs: frozenset[Sign]) -> dict[Way, list[bytes]]:
    """The different words of a shadow that are keys of attacks in some way of writing."""
    spaced = data.translate(_LETTER)
    words = set(spaced.split())
    keys = spelling.keys()
    ways: dict[Way, list[bytes]] = {}
    for word in words & keys.written.keys():
        ways.setdefault(keys.written[word], []).append(word)
    also = [
        word for word in words if len(word) >= SHORTEST_MIXED and word[:1] + word[-1:] in keys.ends and _mixed(word)
    ]
    if Sign.STRETCHED in signs:
        also += [word for word in _stretched(spaced) if spelling.squeeze(word) in keys.squeezed]
    if also:
        ways.setdefault(Way.MISSPELT, []).extend(also)
    return ways


def where(data: bytes, words: Sequence[bytes]) -> Places | None:
    """Where some words begin in a shadow, in bytes; None where they are too many to tell."""
    if len(words) > MOST_WORDS:
        return None
    pattern = re2.compile(b"|".join(words), _options())
    most = most_places(len(data))
    places = [match.start() for match in islice(pattern.finditer(data), most + 1)]
    return None if len(places) > most else np.array(places, np.int64)


def mended(written: Written, way: Way) -> Mended:
    """What is written, with words as they are meant that are written in this way."""
    if way is Way.REPEATED:
        return _once(written)
    words = text_of(written.points).encode().translate(_LETTER).split()
    if way is Way.MISSPELT:
        return _put(written, _near_a_key(words))
    return _put(written, _in_rows(words, _IN_ROWS[way]()))


def _mixed(word: bytes) -> str | None:
    """The key that a word is with its letters mixed, but for the first and the last."""
    key = spelling.keys().mixed.get(bytes(sorted(word)))
    return key if key and key.encode() != word and (key[0], key[-1]) == (chr(word[0]), chr(word[-1])) else None


def _stretched(spaced: bytes) -> set[bytes]:
    """The words in which a letter is drawn out, of those between spaces."""
    found: set[bytes] = set()
    end = 0
    # Not one by one: a word as long as a text has a row at each of its letters.
    while (match := _rows().search(spaced, end)) is not None:
        begin, end = spaced.rfind(b" ", 0, match.start()) + 1, spaced.find(b" ", match.end())
        end = len(spaced) if end < 0 else end
        found.add(spaced[begin:end])
    return {word for word in found if len(word) <= LONGEST_STRETCHED}


@cache
def _rows() -> Any:
    return re2.compile(Sign.STRETCHED.value.encode(), _options())


def _is_stretched(word: bytes) -> bool:
    return len(word) <= LONGEST_STRETCHED and _STRETCHED.search(word) is not None


def _near_a_key(words: Sequence[bytes]) -> Meant:
    """The words that are misspelt keys, and what is near one."""
    meant = {word: key for word in set(words) if (key := _key(word))}
    places = np.array([place for place, word in enumerate(words) if word in meant], np.int64)
    size = len(words) + 1
    near = np.bincount(np.maximum(places - NEAR, 0), minlength=size)
    near -= np.bincount(np.minimum(places + NEAR, len(words)), minlength=size)
    beside, squeezed = spelling.beside(), spelling.squeezed()
    for place in np.flatnonzero(np.cumsum(near[:-1])).tolist():
        word = words[place]
        other = meant.get(word) or beside.get(word)
        if other is None and _is_stretched(word):
            other = squeezed.get(spelling.squeeze(word))
        if other is not None:
            yield place, other


def _key(word: bytes) -> str | None:
    key = spelling.misspelt().get(word) or (_mixed(word) if len(word) >= SHORTEST_MIXED else None)
    if key is None and _is_stretched(word):
        return spelling.keys().squeezed.get(spelling.squeeze(word))
    return key


def _in_rows(words: Sequence[bytes], table: Words) -> Meant:
    """The words in rows of such that are all in one table."""
    known = np.array([word in table for word in words], np.bool_)
    for place in np.flatnonzero(_long_rows(known)).tolist():
        yield place, table[words[place]]


def _put(written: Written, instead: Meant) -> Mended:
    """What is written with other words in place of some."""
    meant = [*instead]
    starts, ends = _tokens(written.points)
    which = np.array([place for place, _ in meant], np.int64)
    begins, lasts = starts[which], ends[which] - 1
    sizes = np.array([len(word) for _, word in meant], np.int64)
    gone = np.zeros(written.points.size + 1, np.int32)
    gone[begins] += 1
    gone[lasts + 1] -= 1
    kept = np.flatnonzero(np.cumsum(gone[:-1]) == 0)
    put = points_of("".join(word for _, word in meant))
    rank = np.arange(put.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    # The last letter put in stands for the last one that was there, so that a match takes the whole word.
    is_last = rank == np.repeat(sizes, sizes) - 1
    sources = np.where(
        is_last, np.repeat(lasts, sizes), np.minimum(np.repeat(begins, sizes) + rank, np.repeat(lasts, sizes))
    )
    at = np.searchsorted(kept, np.repeat(begins, sizes))
    points = np.insert(written.points.take(kept), at, put)
    places = np.insert(kept, at, sources)
    marks = at + np.arange(put.size)
    return Written(points, places if written.places is None else written.places.take(places)), marks


def _tokens(points: Points) -> tuple[Places, Places]:
    """Where the words of a folded text begin and end, as splitting its bytes finds them."""
    edges = np.flatnonzero(np.diff(_IS_LETTER.take(np.minimum(points, 0x80)), prepend=False, append=False))
    return edges[::2], edges[1::2]


def _once(written: Written) -> Mended:
    """What is written, with words of which each letter stands there several times as often as it should."""
    points = written.points
    letters = _IS_LETTER.take(np.minimum(points, 0x80))
    begins_row = np.flatnonzero(~(letters & preceding(letters) & (points == np.roll(points, 1))))
    rows = np.diff(begins_row, append=points.size)
    starts, ends = _tokens(points)
    first, last = np.searchsorted(begins_row, starts), np.searchsorted(begins_row, ends)
    # Each word's rows, and those up to the next word's, which do not count.
    least = (
        np.minimum.reduceat(np.append(rows, 0), np.stack([first, last], axis=1).ravel())[::2] if first.size else first
    )
    is_doubled = _long_rows((least > 1) & (last - first > 0))
    of_row = np.ones(rows.size, np.int64)
    inside = np.repeat(is_doubled, last - first)
    of_row[_ranges(first, last)[inside]] = np.repeat(least, last - first)[inside]
    rank = np.arange(points.size) - np.repeat(begins_row, rows)
    kept = np.flatnonzero(rank < np.repeat(rows // of_row, rows))
    marks = np.flatnonzero(np.repeat(of_row, rows)[kept] > 1)
    return written.only(kept), marks


def _ranges(first: Places, last: Places) -> Places:
    lengths = last - first
    return np.repeat(first - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))


def _long_rows(mask: Mask) -> Mask:
    """Those of a mask that stand in a long enough row."""
    edges = np.flatnonzero(np.diff(mask, prepend=False, append=False))
    begins, ends = edges[::2], edges[1::2]
    long = ends - begins >= FEWEST
    found = np.zeros(mask.size, np.bool_)
    found[_ranges(begins[long], ends[long])] = True
    return found


def _options() -> Any:
    options = re2.Options()
    options.log_errors = False
    return options
