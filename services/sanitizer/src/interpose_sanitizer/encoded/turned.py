"""Sentences that were turned round as a whole: they begin with their full stop, and end with their capital.

It is told by marks alone, in any script that has capitals, and needs no word that gives it away; so what it says may be
in a cipher besides.
"""

import re
from collections.abc import Iterator

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.source import Source
from interpose_sanitizer.findings import Span

NAME = "turned"
SHORTEST = 16
"""Characters: a name that is written so is shorter."""
_BEGINS = re.compile(r"(?:(?<![^\s\"'“„«(\[>,;:|]))[.!?…]{1,3}+(?=[^\W_])[^\n<>|\"“”«»]{16,800}+")
_WORD = re.compile(r"[^\W\d_]{2,}+")


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """Each of them, as it reads from its end on; it goes whole."""
    found = [(span, source.text[slice(*span)][::-1]) for span in _sentences(source.text)]
    if found:
        yield Batch.of_payloads(NAME, found)


def _sentences(text: str) -> Iterator[Span]:
    for begun in _BEGINS.finditer(text):
        ends = [word.end() for word in _WORD.finditer(begun[0]) if _is_first(word[0])]
        if ends and ends[-1] >= SHORTEST:
            yield begun.start(), begun.start() + ends[-1]


def _is_first(turned: str) -> bool:
    """Whether a word that was turned round began a sentence."""
    return turned[-1].isupper() and turned[-2].islower()
