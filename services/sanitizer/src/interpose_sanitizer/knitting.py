"""Words that are broken or run together: ig-nore, prev ious, Ignoreallprevious. Nothing tells where words are then.

Near a key of attacks that is broken, and near letters in a row that are too many for a word, everything between letters
is left out, and rules are asked that need no gaps.
"""

import string
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import re2  # type: ignore[import-untyped]

from interpose_sanitizer.encoded import likeness
from interpose_sanitizer.points import Mask, Places, Points, most_places, preceding, summed, text_of
from interpose_sanitizer.shadow import Written

REACH = 120
"""How far from such a place a phrase with it may reach, in characters."""
LONGEST_NAME = 35
"""Letters in a row: more are no name of anything, unless it stands in code."""
LONGEST_WORD = 27
"""Letters in a row: more are several words."""

FEWEST_VOWELS = 0.22
"""Of the letters in a row that are words."""
LIKELY, SURE = 15, 20
"""How likely letters of words stand side by side at least, four times, on average (`likeness`), and how likely amid
what is no language."""
AROUND, NOISE = 200, 17
"""So much around a row is no language when that is less likely."""
SHORTEST_GLUED = 9
"""Letters of a key and what stands beside it."""

KEYS = (
    *("ignore", "disregard", "forget", "override", "bypass", "reveal", "previous", "instruction", "guideline"),
    *("prompt", "password", "restriction", "assistant", "everything", "developer"),
)
"""What is told although it is broken."""
_BREAK = r"[^a-z0-9\x{80}-\x{10ffff}]+"
_CODE = np.isin(np.arange(0x81), [ord(sign) for sign in "(=:<[{_"])
_JOIN = ord("_")
_IS_STOP = np.isin(np.arange(0x81), [ord(sign) for sign in ".!?"])
_IS_LATIN = np.isin(np.arange(0x81), [ord(sign) for sign in string.ascii_lowercase])
_IS_VOWEL = np.append(np.isin(np.arange(0x80), [ord(letter) for letter in "aeiouy"]), True)
"""Letters beyond ASCII are as good as any."""
_IS_BLANK = np.isin(np.arange(0x81), [ord(sign) for sign in " \n\t"])


@dataclass(frozen=True, slots=True)
class Knit:
    """What is written without what stood between letters. Of the text: where it was broken, what is one word and
    cannot be, and what may be a name unless a blank stands beside it."""

    written: Written
    broken: Places
    joined: Places
    named: Places
    blanks: Places
    marks: Places
    """What stands between words and is no blank."""
    inner: Places
    """Letters within words that are neither broken there nor run together: no phrase begins with one."""


def broken(word: str) -> str:
    """The pattern of a word with at least one break in it."""
    rests = [_BREAK_OR_NOT.join(word[place:]) for place in range(len(word))]
    found = f"{word[-2]}{_BREAK}{word[-1]}"
    for place in range(len(word) - 3, -1, -1):
        found = f"{word[place]}(?:{_BREAK}{rests[place + 1]}|{found})"
    return found


_BREAK_OR_NOT = f"(?:{_BREAK})?"
BROKEN = "|".join(map(broken, KEYS))
_GLUED_KEY = rf"[a-z]{{3}}(?:{'|'.join(KEYS)})|(?:{'|'.join(KEYS)})s?[a-z]{{3}}"
GLUED = rf"[a-z]{{{LONGEST_WORD}}}|(?:{_GLUED_KEY})"


@cache
def _pattern(which: str) -> Any:
    return re2.compile(which)


def holds_key(data: bytes) -> bool:
    """Whether there is a key of attacks that is broken, or stands with another word as one."""
    return _pattern(f"{BROKEN}|{_GLUED_KEY}").search(data) is not None


def where(data: bytes) -> Places | None:
    """Where such words begin, in bytes; None where they are too many to tell."""
    most = most_places(len(data))
    places = [match.start() for match in islice(_pattern(f"{BROKEN}|{GLUED}").finditer(data), most + 1)]
    return None if len(places) > most else np.array(places, np.int64)


def knit(written: Written) -> Knit | None:
    """What is written near such words, without what is between letters; None where there are none."""
    points, data = written.points, text_of(written.points).encode()
    letters = _letters(points)
    gaps = _within_keys(data, letters)
    long, short, names = _glued(data, points, letters)
    if not bool((gaps | long | short).any()):
        return None
    is_near, is_broken = _in_reach(gaps | long | short), _in_reach(gaps)
    # A stretch ends with a line that holds a sign which no phrase reaches across.
    ends = is_near & ~np.append(is_near[1:], True)
    lines = np.append(ends[1:], False)
    # Only where words are broken what is between them is left out: elsewhere it tells where one ends.
    kept = np.flatnonzero((is_near & (letters | ~is_broken | (_stops(points) & ~gaps))) | ends | lines)
    only = written.only(kept)
    only.points[lines[kept]], only.points[(ends | names)[kept]] = _LINE_FEED, _END
    blanks = is_near & _IS_BLANK.take(np.minimum(points, 0x80))
    marks = is_near & ~letters & ~blanks
    inner = is_near & letters & preceding(letters) & ~(long | short)
    return Knit(only, *(_in_text(written, one) for one in (gaps, long, short, blanks, marks, inner)))


_END, _LINE_FEED = 0x241E, 0x0A


def _in_text(written: Written, those: Mask) -> Places:
    places = np.flatnonzero(those)
    return places if written.places is None else np.sort(written.places.take(places))


def _letters(points: Points) -> Mask:
    found: Mask = (points - ord("a") < 26) | (points - ord("0") < 10) | (points > 0x7F)
    return found


def _in_reach(marks: Mask) -> Mask:
    places = np.flatnonzero(marks)
    spans = np.stack([np.maximum(places - REACH, 0), np.minimum(places + REACH + 1, marks.size)], axis=1)
    return _inside(spans, marks.size)


def _stops(points: Points) -> Mask:
    """What ends a sentence or a line: no word goes on behind it, unless it is a key that is broken there."""
    small = np.minimum(points, 0x80)
    blanks = np.append(_IS_BLANK.take(small)[1:], False)
    found: Mask = (_IS_STOP.take(small) & blanks) | (points == _LINE_FEED)
    return found


def _within_keys(data: bytes, letters: Mask) -> Mask:
    """What stands within broken keys."""
    spans = []
    for match in _pattern(BROKEN).finditer(data):
        spans.append(match.span())
        if len(spans) > most_places(len(data)):
            spans = [(spans[0][0], len(data))]
            break
    inside = _inside(_characters(data, np.array(spans, np.int64).reshape(-1, 2)), letters.size)
    return inside & ~letters


def _glued(data: bytes, points: Points, letters: Mask) -> tuple[Mask, Mask, Mask]:
    """What is written without spaces that should have some: what is too long for a name, what could be
    one, and what is one."""
    edges = np.flatnonzero(np.diff(letters, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    behind = np.append(points, 0)[ends]
    further = np.append(points, [0, 0])[ends + 1]
    is_code = _CODE.take(np.minimum(behind, 0x80))
    are_words = _is_spoken(points, starts, ends)
    is_long = ((ends - starts > LONGEST_NAME) & ~is_code | _in_chains(is_code, behind, starts, ends)) & are_words
    is_code |= (behind == ord(".")) & _IS_LATIN.take(np.minimum(further, 0x80))
    has_key = np.zeros(starts.size, np.bool_)
    spans = _characters(data, _found(data))
    has_key[np.searchsorted(starts, spans[:, 0], side="right") - 1] = True
    has_key |= (ends - starts >= (LONGEST_WORD if len(spans) <= most_places(len(data)) else SHORTEST_GLUED)) & are_words
    long, short = is_long, has_key & ~is_long & ~is_code
    tokens = np.stack([starts, ends], axis=1)
    long_ones, short_ones, names = (
        _inside(tokens[some], points.size) for some in (long, short, has_key & is_code & ~is_long)
    )
    return long_ones, short_ones, names


def _in_chains(is_code: Mask, behind: Points, starts: Places, ends: Places) -> Mask:
    """Which rows of letters stand in a chain of such that is longer than two names, and no code."""
    joined = (behind == _JOIN) & (np.append(starts[1:], -1) == ends + 1)
    if not bool(joined.any()):
        return np.zeros(starts.size, np.bool_)
    begins = np.append(True, ~joined[:-1])
    is_chain = (ends[~joined] - starts[begins] > 2 * LONGEST_NAME) & ~is_code[~joined]
    found: Mask = is_chain.take(np.cumsum(begins) - 1)
    return found


def _is_spoken(points: Points, starts: Places, ends: Places) -> Mask:
    """Which rows of letters and digits could be words: a hash, a key or what is encoded has few vowels, and letters
    side by side that seldom are. Amid such by chance some row is like words: there it takes more."""
    vowels = summed(_IS_VOWEL.take(np.minimum(points, 0x80)))
    has_vowels = vowels.take(ends) - vowels.take(starts) >= FEWEST_VOWELS * (ends - starts)
    likely = likeness.likelihoods(points)
    is_noise = _mean(likely, np.maximum(starts - AROUND, 0), np.minimum(ends + AROUND, points.size)) < NOISE
    found: Mask = has_vowels & (_mean(likely, starts, ends) >= np.where(is_noise, SURE, LIKELY))
    return found


def _mean(likely: Places, starts: Places, ends: Places) -> npt.NDArray[np.float64]:
    """How likely signs stand side by side within these, on average."""
    return np.asarray((likely.take(ends - 1) - likely.take(starts)) / np.maximum(ends - 1 - starts, 1))


def _found(data: bytes) -> Places:
    spans = []
    for match in _pattern(_GLUED_KEY).finditer(data):
        spans.append(match.span())
        if len(spans) > most_places(len(data)):
            break
    return np.array(spans, np.int64).reshape(-1, 2)


def _inside(spans: Places, size: int) -> Mask:
    change = np.bincount(spans[:, 0], minlength=size + 1) - np.bincount(spans[:, 1], minlength=size + 1)
    inside: Mask = np.cumsum(change[:-1]) > 0
    return inside


def _characters(data: bytes, spans: Places) -> Places:
    """Spans of bytes as spans of characters."""
    if data.isascii():
        return spans
    starts = np.flatnonzero(np.frombuffer(data, np.uint8) & 0xC0 != 0x80)
    return np.searchsorted(starts, spans)
