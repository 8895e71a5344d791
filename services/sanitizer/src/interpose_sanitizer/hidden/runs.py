"""Which characters without width the visible ones around them need. The neighbours decide, never a list of texts.

What stays says nothing of its own: one selector behind a picture, one joiner between two letters that take their form
from it. A run that could spell something goes. All runs of a text are judged at once.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.hidden import tables as of
from interpose_sanitizer.hidden.characters import ZERO_WIDTH_SPACE
from interpose_sanitizer.hidden.flags import spelled_flags
from interpose_sanitizer.hidden.tables import tables
from interpose_sanitizer.points import Mask, Places, Points

LONGEST = 16
"""Honest text has no longer runs: a flag has six tags, a picture a selector and a joiner."""
MOST_MARKS = MOST_NEEDED = 2
[(_BREAK, _)] = ZERO_WIDTH_SPACE
MOST_BREAKS = 3
"""So many line breaks without width are typed in a row between letters of scripts that mark them: one is not seen to be
enough."""

Bits = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Runs:
    """Rows of characters without width: where each begins and ends, and the bits of what is beside it."""

    start: Places
    end: Places
    before: Bits
    both: Bits
    either: Bits
    """Of one of the neighbours, and of the run itself."""

    @classmethod
    def between(cls, points: Points, start: Places, end: Places) -> "Runs":
        """Those between these places of a text."""
        before, after = _traits(points, start - 1), _traits(points, end)
        both, either, beyond = before & after, before | after, _traits(points, end + 1)
        in_a_word = (both & of.LETTER != 0) & (either & of.RIGHT_TO_LEFT == 0)
        hyphenates = both & _traits(points, start - 2) & beyond & of.LETTER != 0
        either |= np.where(in_a_word, 0, of.OUTSIDE).astype(np.uint32)
        either |= np.where(hyphenates, of.HYPHENATES, 0).astype(np.uint32)
        apart = ~(_is_of_word(points, start - 2) | _is_of_word(points, end + 1))
        either |= np.where(in_a_word & apart, of.FACTORS, 0).astype(np.uint32)
        either |= np.where(start == 0, of.FIRST, 0).astype(np.uint32)
        # Behind a number in such a script, too, the break stands before the space.
        either |= np.where(after & of.BLANK != 0, beyond & of.WITHOUT_SPACES, 0).astype(np.uint32)
        return cls(start, end, before, both, either)


def unneeded(points: Points, hidden: Places) -> Places:
    """The places among `hidden`, in no order, of what must go. Characters of direction are judged by `direction`."""
    begins = np.flatnonzero(np.diff(hidden, prepend=-2) != 1)
    lengths = np.diff(begins, append=hidden.size)
    is_short = lengths <= LONGEST
    within = np.repeat(is_short, lengths)
    gone = hidden[~within]
    if not bool(is_short.any()):
        return gone
    hidden, lengths = hidden[within], lengths[is_short]
    begins = np.cumsum(lengths) - lengths
    runs = Runs.between(points, hidden[begins], hidden[begins] + lengths)
    kept = _kept(points, runs, hidden, begins, lengths)
    return np.concatenate([gone, hidden[~kept]])


def _kept(points: Points, runs: Runs, hidden: Places, begins: Places, lengths: Places) -> Mask:
    """For each hidden character of short runs whether it stays."""
    table, what = tables(), points.take(hidden)
    which = np.repeat(np.arange(begins.size), lengths)
    either = runs.either.take(which)
    turns, marks = table.is_turn.take(what), table.is_mark.take(what)
    rest = ~(turns | marks)
    kept: Mask = turns | (marks & (either & of.OUTSIDE != 0) & (_rank(marks, begins, lengths) < MOST_MARKS))
    rank = _rank(rest, begins, lengths)
    count = np.repeat(np.add.reduceat(rest, begins, dtype=np.int64), lengths)
    # A selector and one more is the most that a picture takes; behind a row of them each says something else.
    selects = rest & (rank == 0) & (count <= MOST_NEEDED) & (runs.before.take(which) & table.before.take(what) != 0)
    selected = np.repeat(np.add.reduceat(selects, begins, dtype=np.int64), lengths)
    alone = rest & (count - selected == 1) & (rank == selected)
    has_purpose = (either & table.beside.take(what)) | (runs.both.take(which) & table.around.take(what)) != 0
    kept |= selects | (alone & has_purpose) | _typed_again(what, which, runs, lengths)
    flags = spelled_flags(points, runs.start, lengths, runs.before & of.FLAG != 0)
    if bool(flags.any()):
        kept |= np.repeat(flags, lengths)
    return kept


def _typed_again(what: Points, which: Places, runs: Runs, lengths: Places) -> Mask:
    """For each character whether its run is a short row of line breaks between letters of scripts without spaces."""
    breaks = np.bincount(which, what == _BREAK, lengths.size)
    is_row = (breaks == lengths) & (lengths <= MOST_BREAKS) & (runs.both & of.WITHOUT_SPACES != 0)
    return np.asarray(is_row.take(which))


def _rank(mask: Mask, begins: Places, lengths: Places) -> Places:
    """For each character how many of `mask` stand before it in its run."""
    count = np.cumsum(mask, dtype=np.int64) - mask
    return count - np.repeat(count[begins], lengths)


def _is_of_word(points: Points, places: Places) -> Mask:
    """Whether a letter stands there, but for such as only formulas have, or something that has no width either."""
    here = points.take(np.clip(places, 0, points.size - 1))
    inside = (places >= 0) & (places < points.size)
    is_of_word = tables().traits.take(here) & (of.LETTER | of.MATHEMATICS) == of.LETTER
    found: Mask = inside & (tables().is_hidden.take(here) | is_of_word)
    return found


def _traits(points: Points, places: Places) -> Bits:
    """What stands there; nothing, where the text has ended."""
    inside = (places >= 0) & (places < points.size)
    found = tables().traits.take(points.take(np.where(inside, places, 0)))
    found[~inside] = 0
    return found
