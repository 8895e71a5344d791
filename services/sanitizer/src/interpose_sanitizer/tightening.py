"""How late a match may as well begin. RE2 finds the first word at which a pattern can start, and that may be a chance
word of the line, the field or the element before: what its reach takes would begin there."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.findings import Span
from interpose_sanitizer.reach import Reach

MOST_EDGES = 8
"""Of one match, from its end. Each costs a search of what stands behind it."""
_EDGE = re2.compile(r'\n|\\n|"\s*[,:]\s*[{\[]?\s*"|<[^<>\n]{0,200}>|\]:\s')
_WIDENED: Sequence[Reach] = (Reach.SENTENCE, Reach.ORDERS)
"""What begins with its sentence wherever in it the match begins."""


def latest(compiled: Any, data: bytes, span: Span, reach: Reach) -> Span:
    """The match that begins behind the last line break, field or tag in it behind which there still is one."""
    if reach not in _WIDENED:
        return span
    edges = [edge.end() for edge in islice(_EDGE.finditer(data, *span), MOST_EDGES * 8)]
    for edge in reversed(edges[-MOST_EDGES:]):
        found = compiled.search(data, edge, span[1])
        if found is not None:
            return int(found.start()), int(found.end())
    return span
