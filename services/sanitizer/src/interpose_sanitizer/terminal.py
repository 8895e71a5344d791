"""What a terminal makes of a text: control sequences that colour it, backspaces and returns that write over it."""

import numpy as np

from interpose_sanitizer.points import Mask, Places, Points, following, preceding

_ESCAPE, _BRACKET, _INTRODUCER = 0x1B, 0x5B, 0x9B
_COMMAND, _BELL, _TERMINATOR, _BACKSLASH = 0x5D, 0x07, 0x9C, 0x5C
_BACKSPACE, _RETURN, _LINE_FEED = 0x08, 0x0D, 0x0A
MOST_PARAMETERS = 32


def sequences(points: Points) -> Mask:
    """The places of control sequences: ESC and `[`, parameters, intermediates, and the character that ends them
    (ECMA-48, 5.4)."""
    return _sequences(points, np.flatnonzero((points == _ESCAPE) & following(points == _BRACKET)), 2)


def without_short_sequences(points: Points) -> Places:
    """The places of what is in no control sequence that begins with one character for both: few terminals know it."""
    return np.flatnonzero(~_sequences(points, np.flatnonzero(points == _INTRODUCER), 1))


def _sequences(points: Points, starts: Places, opening: int) -> Mask:
    """The places of those that begin at some places, with so many characters."""
    other = np.append(np.flatnonzero(~((points >= 0x30) & (points <= 0x3F))), points.size)
    behind = other[np.searchsorted(other, starts + opening)]
    blank = np.append(np.flatnonzero(~((points >= 0x20) & (points <= 0x2F))), points.size)
    final = blank[np.searchsorted(blank, behind)]
    ends = points.take(np.minimum(final, points.size - 1))
    is_whole = (final < points.size) & (final - starts <= MOST_PARAMETERS) & (ends >= 0x40) & (ends <= 0x7E)
    # A second bracket ends a sequence nowhere but on old consoles, and may begin a token.
    is_whole &= ends != _BRACKET
    change = np.zeros(points.size + 1, np.int64)
    change[starts[is_whole]] += 1
    change[final[is_whole] + 1] -= 1
    return np.cumsum(change[:-1]) > 0


def without_commands(points: Points) -> Places:
    """The places of what is in no command to the system (ECMA-48, 8.3.89): ESC and `]`, up to BEL or what ends a
    string."""
    starts = np.flatnonzero((points == _ESCAPE) & following(points == _COMMAND))
    closed = (points == _BELL) | (points == _TERMINATOR) | ((points == _BACKSLASH) & preceding(points == _ESCAPE))
    ends = np.append(np.flatnonzero(closed), points.size)
    last = ends[np.searchsorted(ends, starts)]
    is_whole = last < points.size
    inside = np.zeros(points.size + 1, np.int64)
    np.add.at(inside, starts[is_whole], 1)
    np.add.at(inside, last[is_whole] + 1, -1)
    return np.flatnonzero(np.cumsum(inside[:-1]) == 0)


def written_over(points: Points) -> Places | None:
    """The places of what is seen at the end, in the order in which it is; None where nothing writes over anything."""
    has_backspaces = bool((points == _BACKSPACE).any())
    places = _after_backspaces(points) if has_backspaces else np.arange(points.size)
    shown = points.take(places)
    returns = shown == _RETURN
    returns[:-1] &= shown[1:] != _LINE_FEED
    if bool(returns.any()):
        return places.take(_after_returns(shown, returns))
    return places if has_backspaces else None


def _after_backspaces(points: Points) -> Places:
    """A backspace takes the last character before it that none has taken: one that is not taken has none below its
    height behind it."""
    heights = np.cumsum(np.where(points == _BACKSPACE, -1, 1))
    heights -= np.minimum(np.minimum.accumulate(heights), 0)
    lowest_behind = np.minimum.accumulate(heights[::-1])[::-1]
    return np.flatnonzero((points != _BACKSPACE) & (lowest_behind >= heights))


def _after_returns(points: Points, returns: Mask) -> Places:
    """Each piece between returns is written over those before it in its line: of them only what is longer is seen."""
    breaks = np.flatnonzero(returns | (points == _LINE_FEED))
    begins, ends = np.append(0, breaks + 1), np.append(breaks, points.size)
    is_last = np.append(points.take(breaks) == _LINE_FEED, True)
    line = np.cumsum(is_last) - is_last
    lengths = ends - begins
    # Lines counted from the end keep the longest piece of one line from hiding any of another.
    step = int(lengths.max()) + 1
    behind = lengths + (int(line[-1]) - line) * step
    longest = np.append(np.maximum.accumulate(behind[::-1])[::-1][1:], 0) - (int(line[-1]) - line) * step
    hidden = np.minimum(np.maximum(np.where(is_last, 0, longest), 0), lengths)
    order = np.lexsort((-np.arange(line.size), line))
    shown = (lengths - hidden)[order]
    offsets = np.arange(int(shown.sum())) - np.repeat(np.cumsum(shown) - shown, shown)
    seen = np.repeat((begins + hidden)[order], shown) + offsets
    return _with_line_feeds(points, seen, np.repeat(line[order], shown))


def _with_line_feeds(points: Points, seen: Places, line: Places) -> Places:
    """Pieces of a line stand in the order of their columns now; the line's end belongs behind all of them."""
    feeds = np.flatnonzero(points == _LINE_FEED)
    where = np.searchsorted(line, np.arange(feeds.size), side="right")
    return np.insert(seen, where, feeds)
