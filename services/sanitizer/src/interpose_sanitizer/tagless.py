"""A text without its tags, or without marks of emphasis or ends of lines within words: letters that these stand between
are a word to whoever reads the page."""

from collections.abc import Iterator

import numpy as np

from interpose_sanitizer.points import Mask, Places, Points, following, preceding, summed

LONGEST = 200
_OPENS, _CLOSES = ord("<"), ord(">")
_NAMES = (ord("!"), ord("/"))
_EMPHASIS, MOST_MARKS = (ord("*"), ord("`")), 3
_HYPHEN, _LINE_FEED = ord("-"), ord("\n")
SHORT, ROW = 26, 3
"""Characters of a line in which words may be broken, with its end, and how many such stand near each other."""
_LETTERS, _BEYOND = 26, 0xC0
"""Of ASCII so many; beyond it nearly all are letters from here on."""


def without_tags(points: Points) -> Places:
    """The places of what is in no tag. A tag is short and holds no other one."""
    opens = np.flatnonzero(points == _OPENS)
    closes = np.append(np.flatnonzero(points == _CLOSES), points.size)
    ends = closes[np.searchsorted(closes, opens)]
    following = np.append(opens[1:], points.size)
    named = points.take(np.minimum(opens + 1, points.size - 1))
    is_tag = np.isin(named, _NAMES) | ((named | 0x20 >= ord("a")) & (named | 0x20 <= ord("z")))
    is_tag &= (ends < following) & (ends < points.size) & (ends - opens <= LONGEST)
    return _outside(points.size, opens[is_tag], ends[is_tag])


def between_letters(points: Points) -> Places:
    """The places of tags with a letter right before the first of a row of them, and one right behind the last."""
    kept = without_tags(points)
    letters = _letters(points.take(kept))
    apart = np.flatnonzero((np.diff(kept) > 1) & letters[:-1] & letters[1:])
    lengths = kept[apart + 1] - kept[apart] - 1
    places = np.repeat(kept[apart] + 1 - np.cumsum(lengths) + lengths, lengths)
    return np.asarray(places + np.arange(int(lengths.sum())))


def without_emphasis(points: Points) -> Places:
    """The places of what is no mark of emphasis, or code, between two letters."""
    marks = (points == _EMPHASIS[0]) | (points == _EMPHASIS[1])
    first, last = np.flatnonzero(marks & ~preceding(marks)), np.flatnonzero(marks & ~following(marks))
    letters = np.append(_letters(points), False)
    within = letters[first - 1] & letters[last + 1] & (first > 0) & (last - first < MOST_MARKS)
    return _outside(points.size, first[within], last[within])


def without_breaks(points: Points) -> Iterator[Places]:
    """The places of what is no hyphen at the end of a line with the line break behind it, between two letters; and of
    what is no line break between two letters either. Nothing, where there is none."""
    letters, lines = _letters(points), points == _LINE_FEED
    hyphens = (points == _HYPHEN) & preceding(letters) & following(lines) & following(letters, 2)
    divided = hyphens | (lines & preceding(hyphens))
    plain = _in_rows(points, lines) & preceding(letters) & following(letters)
    if bool(divided.any()):
        yield np.flatnonzero(~divided)
    if bool(plain.any()):
        yield np.flatnonzero(~(divided | plain))


def _in_rows(points: Points, lines: Mask) -> Mask:
    """The line breaks before which a line is short, and so are those around it."""
    breaks = np.flatnonzero(lines)
    short = np.diff(breaks, prepend=-1) <= SHORT
    before = summed(np.pad(short, ROW))
    found = np.zeros(points.size, np.bool_)
    found[breaks[short & (before[2 * ROW : -1] - before[: -2 * ROW - 1] > ROW)]] = True
    return found


def joints(points: Points, kept: Places) -> Places:
    """Where letters came together, by their places in what was `kept`."""
    letters = _letters(points.take(kept))
    apart = np.diff(kept, prepend=-1) > 1
    return np.flatnonzero(apart & letters & np.append(False, letters[:-1]))


def _letters(points: Points) -> Mask:
    letters: Mask = ((points | 0x20) - ord("a") < _LETTERS) | (points >= _BEYOND)
    return letters


def _outside(size: int, first: Places, last: Places) -> Places:
    """The places of what is in none of some stretches, of which each is told by its first place and its last."""
    inside = np.zeros(size + 1, np.int8)
    inside[first] += 1
    inside[last + 1] -= 1
    return np.flatnonzero(np.cumsum(inside[:-1], dtype=np.int8) == 0)
