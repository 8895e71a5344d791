"""Classes of words: what a sentence is built of, whatever its words."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from interpose_sanitizer.classifier import hashing
from interpose_sanitizer.classifier.hashing import Hashes, Numbers
from interpose_sanitizer.points import points_of

SIGNS = ':,"?!@<>[]{}()/$=;-'
"""Each of these is a class of its own."""


class Classes(NamedTuple):
    """The hashes of known words, in order, and the class of each; 0 is none."""

    hashes: Hashes
    numbers: Numbers

    def of(self, hashes: Hashes) -> Numbers:
        """The classes of some words."""
        at = np.minimum(np.searchsorted(self.hashes, hashes), self.hashes.size - 1)
        return np.where(self.hashes[at] == hashes, self.numbers[at], 0)


@cache
def known() -> Classes:
    """Those of `classes.toml`, and the signs."""
    written = tomllib.loads((files(__package__) / "classes.toml").read_text("utf-8"))
    rows = [*(words.split() for words in written.values()), *SIGNS]
    found: dict[int, int] = {}
    for number, words in enumerate(rows, start=1):
        for word in words:
            found.setdefault(int(hashing.of_whole(points_of(word))), number)
    hashes = np.array(sorted(found), np.uint64)
    return Classes(hashes, np.array([found[int(one)] for one in hashes], np.int64))
