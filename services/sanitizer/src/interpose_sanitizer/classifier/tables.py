"""Rows of a table without marks around its fields: what separates these ends a sentence.

Values that follow each other without a blank are a row where a line nearby has as many, and a number is among them: a
letter or a program may hold a few such signs in a line, but not as many again in the next.
"""

import numpy as np

from interpose_sanitizer.points import Mask, Places, Points, following, is_digit, preceding, summed

SEPARATORS = (",", ";", "|", "\t")
"""The last is a blank itself: beside it others may stand."""
FEWEST = 3
"""Separators of a row."""
NEAR = 2
"""Lines between two rows, and one more."""
_LINE, _BLANK = ord("\n"), ord(" ")


def separators(points: Points) -> Mask:
    """Where fields of rows end, of a text or a shadow."""
    found = np.zeros(points.size, np.bool_)
    blank = points == _BLANK
    between = {separator: points == ord(separator) for separator in SEPARATORS}
    for separator in SEPARATORS[:-1]:
        between[separator] &= ~(following(blank) | preceding(blank))
    some = [mask for mask in between.values() if int(np.count_nonzero(mask)) >= 2 * FEWEST]
    if not some:
        return found
    lines = summed(points == _LINE)[:-1]
    size = int(lines[-1]) + 1
    has_number = np.bincount(lines[is_digit(points)], minlength=size) > 0
    for mask in some:
        found |= mask & (_are_rows(np.bincount(lines[mask], minlength=size)) & has_number)[lines]
    return found


def _are_rows(counts: Places) -> Mask:
    """Which lines with so many separators each are rows: they have as many as another nearby, or stand near such."""
    enough = counts >= FEWEST
    alike = np.zeros_like(enough)
    for far in range(1, NEAR + 1):
        same = enough[far:] & (counts[far:] == counts[:-far])
        alike[far:] |= same
        alike[:-far] |= same
    beside = alike.copy()
    for far in range(1, NEAR + 1):
        beside |= following(alike, far) | preceding(alike, far)
    return enough & beside
