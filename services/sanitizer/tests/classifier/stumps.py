"""The smallest trees: what says the same of everything, and what asks about one sign."""

import numpy as np

from interpose_sanitizer.classifier import model
from interpose_sanitizer.classifier.trees import Trees

SUBJECT, COMPANY = model.shipped().subject.width, model.shipped().company.width
"""How many signs there are of what stands around a sentence; and of one near an attack."""


def always(value, width):
    """What says this whatever the signs are."""
    return where(0, value, value, width)


def where(sign, lower, higher, width, limit=0.5):
    """What says this where a sign is up to a limit, and that where it is above."""
    asked, ruled_out = np.array([[sign]], np.int16), np.array([[1]], np.uint16)
    return Trees(width, asked, np.array([[limit]]), ruled_out, np.array([[lower, higher]], np.float64), 0.0)
