"""How much of a text some spans cover."""

from collections.abc import Iterable

import numpy as np

from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import summed


def covered(size: int, spans: Iterable[Span]) -> list[int]:
    """How many characters before each place of a text of so many some spans of it cover, and how many in all."""
    edges = np.zeros(size + 1, np.int64)
    for begin, end in spans:
        edges[begin] += 1
        edges[end] -= 1
    before: list[int] = summed(np.cumsum(edges[:-1]) > 0).tolist()
    return before
