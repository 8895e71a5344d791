"""Calendars, cards and directories, whose long lines are folded: a line break and a blank stand anywhere, within words
as well (RFC 5545, 6350 and 2849). Whoever reads them reads the lines without these.
"""

import re
from dataclasses import dataclass

import numpy as np

from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import Places, points_of, text_of

_FOLDING = re.compile(r"^(?:BEGIN:V[A-Z]{3,20}[ \t\r]{0,8}$|dn::? ?\S)", re.MULTILINE | re.IGNORECASE)
"""What such a text begins with, or an entry in it."""
_FOLD = re.compile(r"\r?\n[ \t]")


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A text without its folds, and where each of its characters stood."""

    text: str
    _places: Places

    def origin(self, span: Span) -> Span | None:
        """A span of the text as it came, with the folds in it; None where none is, for that is read as it stands."""
        begin, end = int(self._places[span[0]]), int(self._places[span[1] - 1]) + 1
        return (begin, end) if end - begin > span[1] - span[0] else None


def unfolded(text: str) -> Unfolded | None:
    """A text as its lines are read; None, where none is folded."""
    if not _FOLDING.search(text):
        return None
    is_kept = np.ones(len(text), np.bool_)
    for fold in _FOLD.finditer(text):
        is_kept[slice(*fold.span())] = False
    places = np.flatnonzero(is_kept)
    return Unfolded(text_of(points_of(text)[places]), places) if 0 < places.size < len(text) else None
