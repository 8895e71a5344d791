"""Orders that are to be read from the last word to the first."""

from collections.abc import Iterator
from dataclasses import replace

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.encoded import cues
from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.source import Source
from interpose_sanitizer.findings import Span

NAME = "words-backwards"
LONGEST, FEWEST_KEYS = 400, 3
"""Characters of a line that is turned round, and words of attacks in it."""
_VERBS = "ignore|disregard|forget|override|bypass|reveal|print|show|send|forward|delete|disable|tell|transfer"
_OBJECTS = "all|any|every|everything|the|your|my|our|its|this|that|these|those|previous|prior"
_ORDER = re2.compile(rf"(?i)\b(?:{_VERBS}) (?:{_OBJECTS})\b")
_TURNED = re2.compile(rf"(?i)\b(?:{_OBJECTS}) (?:{_VERBS})\b")
"""How an order begins, and how that reads from its end on: a line that holds only the latter may be meant so."""


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """The lines that could be such."""
    turned = [*_lines(source)]
    if turned:
        yield replace(Batch.of_payloads(NAME, turned), is_plain=True)


def _lines(source: Source) -> Iterator[tuple[Span, str]]:
    data, end = source.data, 0
    for found in _TURNED.finditer(data):
        if found.start() < end:
            continue
        begin, end = data.rfind(b"\n", 0, found.start()) + 1, data.find(b"\n", found.end()) % (len(data) + 1)
        octets = data[begin:end].removesuffix(b"\r")
        line = octets.decode()
        if len(line) <= LONGEST and len(cues.held(line)) >= FEWEST_KEYS and _ORDER.search(line) is None:
            yield source.characters((begin, begin + len(octets))), " ".join(line.split()[::-1])
