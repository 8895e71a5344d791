"""How much of a text some spans cover."""

from collections.abc import Iterable

import numpy as np

from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import spanned, summed


def covered(size: int, spans: Iterable[Span]) -> list[int]:
    """How many characters before each place of a text of so many some spans of it cover, and how many in all."""
    begins, ends = np.array(list(spans), np.int64).reshape(-1, 2).T
    before: list[int] = summed(spanned(size, begins, ends)).tolist()
    return before
