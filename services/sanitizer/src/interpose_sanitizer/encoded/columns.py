"""Lines that are alike up to what one of their strings, tags or cells says, and strings and tags of one line that are
alike up to that, found without looking at each by itself."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from interpose_sanitizer.encoded import pieces
from interpose_sanitizer.encoded.pieces import Kind, Lines, Pieces
from interpose_sanitizer.encoded.rows import bounds, eroded
from interpose_sanitizer.encoded.source import Indexes, Octets, Source

FEWEST, MOST, OVERLAP = 4, 500, 100
"""Pieces of a text, how many of them are looked at together, and how many of those once more with the next."""
FARTHEST = 4
"""Lines from one piece to the next."""
FEWEST_BESIDE, NEAR = 5, 80
"""Pieces in a line, besides the first of a list, and octets from the beginning of one to that of the next."""
TOLD, TOLD_BESIDE = 4, 3
"""Octets before a piece by which it is like another: in a line no more than what stands between the strings of a list.
"""


class Run(NamedTuple):
    """Pieces of one kind that look alike, by where they begin and end, and where their lines begin, or, of pieces in
    one line, what stands between the one before and each."""

    kind: Kind
    starts: Indexes
    ends: Indexes
    lines: Indexes


def runs(source: Source) -> Iterator[Run]:
    """All of them, kind by kind."""
    octets = source.octets
    if not octets.size:
        return
    lines = pieces.lines_of(octets)
    are_enough = lines[0].size >= FEWEST
    for kind, some in pieces.enclosed(octets, lines):
        yield from _beside(octets, lines, kind, some)
        if are_enough:
            yield from _below(lines, kind, pieces.alike(octets, lines, some.last(kind), TOLD))
    if are_enough:
        for kind, some in pieces.others(source, lines):
            yield from _below(lines, kind, some)


def _below(lines: Lines, kind: Kind, some: Pieces) -> Iterator[Run]:
    """Runs of pieces of which each stands in another line."""
    order = np.lexsort((some.numbers, some.alike))
    far = np.diff(some.numbers[order])
    # Lines right below each other are read as they stand.
    is_next = (np.diff(some.alike[order]) == 0) & (far <= FARTHEST) & (far > (kind is Kind.LINE))
    for begin, end in zip(*(each.tolist() for each in bounds(eroded(is_next, FEWEST - 1, 1))), strict=True):
        for first in _chunks(end + FEWEST - 1 - begin):
            run = order[begin + first : min(begin + first + MOST, end + FEWEST - 1)]
            yield Run(kind, some.starts[run], some.ends[run], lines[0][some.numbers[run]])


def _chunks(count: int) -> range:
    """Where those of so many pieces begin that are looked at together; what one breaks off stands whole in the next."""
    return range(0, max(count - OVERLAP, 1), MOST - OVERLAP)


def _beside(octets: Octets, lines: Lines, kind: Kind, some: Pieces) -> Iterator[Run]:
    """Runs of pieces in one line."""
    if some.numbers.size < FEWEST_BESIDE:
        return
    some = pieces.alike(octets, lines, some._replace(alike=np.zeros_like(some.alike)), TOLD_BESIDE)
    order = np.lexsort((some.starts, some.alike))
    is_next = (np.diff(some.alike[order]) == 0) & (np.diff(some.numbers[order]) == 0)
    is_next &= np.diff(some.starts[order]) <= NEAR
    for begin, end in zip(*(each.tolist() for each in bounds(is_next)), strict=True):
        if end + 1 - begin >= FEWEST_BESIDE:
            yield from _in_line(kind, some, order[begin : end + 1])


def _in_line(kind: Kind, some: Pieces, run: Indexes) -> Iterator[Run]:
    """Some pieces, with the first of their list, before which another sign stands."""
    gap = max(some.starts[run[1]] - some.ends[run[0]], 1)
    behind = some.starts[run[0]] - gap
    before = some.ends.searchsorted(behind)
    if some.ends[before] == behind:
        run = np.append(before, run)
    starts, ends = some.starts[run], some.ends[run]
    behind = np.append(max(starts[0] - gap, 0), ends[:-1])
    for first in _chunks(run.size):
        part = slice(first, first + MOST)
        yield Run(kind, starts[part], ends[part], behind[part])
