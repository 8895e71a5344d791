"""JSON as a source: read by the strict parser's own walk, so that every value has its line and column."""

import json
from bisect import bisect_right
from itertools import accumulate

from interpose.config.source import Place, Source
from interpose.contracts.strict_place import Survey


def read_json(text: str) -> Source:
    """The text with the place of each value; duplicate keys and strange numbers are faults, a broken form ends it."""
    survey = Survey(text)
    is_whole = survey.run()
    lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    places = {path: _place(lines, offset) for path, offset in survey.places.items()}
    # The walk bounded depth, so that this parser, which recurses, reads what the walk has read.
    value = json.loads(text) if is_whole else None
    return Source(value, places, tuple(survey.faults), is_whole=is_whole)


def _place(lines: list[int], offset: int) -> Place:
    line = bisect_right(lines, offset)
    return line, offset - lines[line - 1] + 1
