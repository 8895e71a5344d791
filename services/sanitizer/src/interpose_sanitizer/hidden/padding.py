"""The row of blanks and characters without width by which newsletters keep the words behind their first line out of a
preview: the same few characters again and again, which say nothing however often they stand there."""

import numpy as np

from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import Mask, Points

FEWEST, LONGEST_UNIT = 4, 6
"""How often a unit stands there at least, and of how many characters it is at most."""
MOST_BEHIND = 8
"""Of how many of one character something else may stand behind it: some programs fill up what others have filled."""
MOST_STRETCHES = 8
"""A text with more of what could be such a row has none: what differs between them could be read."""
_BLANKS = [0x20, 0xA0, 0x2002, 0x2003, 0x2007, 0x2008, 0x2009, 0x200A, 0x202F]
_UNSEEN = [0xAD, 0x34F, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF]


def padding(points: Points) -> Span | None:
    """Where the one row of a text is that keeps its preview short; None where there is none, or more than one."""
    is_blank, is_unseen = np.isin(points, _BLANKS), np.isin(points, _UNSEEN)
    edges = np.flatnonzero(np.diff(is_blank | is_unseen, prepend=False, append=False))
    unseen = np.flatnonzero(is_unseen)
    first, behind = np.searchsorted(unseen, edges[::2]), np.searchsorted(unseen, edges[1::2])
    worth = np.flatnonzero(behind - first >= FEWEST)
    if worth.size > MOST_STRETCHES:
        return None
    starts, ends = unseen[first[worth]].tolist(), (unseen[behind[worth] - 1] + 1).tolist()
    spans = list(zip(starts, ends, strict=True))
    found = [span for span in spans if _is_repeated(points[slice(*span)], is_blank[slice(*span)])]
    return found[0] if len(found) == 1 else None


def _is_repeated(stretch: Points, is_blank: Mask) -> bool:
    """Whether a unit of blanks and others stands in it again and again, and nothing else but a few of one character."""
    differs = np.flatnonzero(stretch != stretch[-1])
    end = int(differs[-1]) + 1 if differs.size else 0
    return _is_row(stretch, is_blank) or (stretch.size - end <= MOST_BEHIND and _is_row(stretch[:end], is_blank))


def _is_row(stretch: Points, is_blank: Mask) -> bool:
    for size in range(2, min(LONGEST_UNIT, stretch.size // FEWEST) + 1):
        if bool((stretch[size:] == stretch[:-size]).all()):
            return bool(is_blank[:size].any())
    return False
