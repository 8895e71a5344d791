"""Parts of a text scored each by itself, whatever stands around them."""

from collections.abc import Sequence

import numpy as np

from interpose_sanitizer.classifier.judged import Judged
from interpose_sanitizer.classifier.model import Model, Scores
from interpose_sanitizer.shadow import Shadow

_APART = "\n\n"
"""What no sentence goes on behind."""


def best(model: Model, parts: Sequence[str]) -> Scores:
    """Of each part the best score of its sentences, as if each were all that a text says; less than any of nothing."""
    starts = np.cumsum([0, *(len(part) + len(_APART) for part in parts[:-1])])
    shadow = Shadow(_APART.join(parts))
    sentences = Judged(model, shadow)
    if not sentences.cut.sentences:
        return np.full(len(parts), -np.inf)
    begins = [begin for begin, _ in shadow.origins(*sentences.cut.edges)]
    found = np.full(len(parts), -np.inf)
    np.maximum.at(found, np.searchsorted(starts, begins, "right") - 1, sentences.alone)
    return found
