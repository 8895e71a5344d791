"""How late a match may as well begin, and how early end. RE2 finds the first word at which a pattern can start, and the
longest way from there: either may be a chance word of a line, a field or an element beside, and what its reach takes
would go as far."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.findings import Span
from interpose_sanitizer.reach import QUOTATIONS, Reach

MOST_EDGES = 8
"""Of one match, from its end. Each costs a search of what stands behind it."""
_END = r'\n|\\n|--!?>|"\s*(?:[}\])]{1,3}\s*)?[,:]\s*[{\[]?\s*"'
"""What a phrase does not go on behind; behind a tag or a mark it may."""
_ENDS = re2.compile(_END)
_EDGE = re2.compile(_END + r"|<[^<>\n]{0,200}>|\]:\s|;\s|\s\|\s|\s#{1,8}\s")
_FELLOWS = {opened.encode(): re2.compile(f"[{QUOTATIONS[opened]}]") for opened in '"\u201c\u201e\u00ab\u300c'}
"""What closes a quotation that opens so: what stands behind speaks of it."""
_WIDENED: Sequence[Reach] = (Reach.SENTENCE, Reach.ORDERS)
"""What begins with its sentence wherever in it the match begins."""


def tightened(compiled: Any, data: bytes, span: Span, reach: Reach) -> Span:
    """The match that begins behind the last line break, field, clause or tag in it behind which there still is one, and
    ends before the first line break or field before which there is one then; before the end of a quotation, where it
    begins with one."""
    if reach not in _WIDENED:
        return span
    edges = [edge.span() for edge in islice(_EDGE.finditer(data, *span), MOST_EDGES * 8)]
    for _, behind in reversed(edges[-MOST_EDGES:]):
        found = compiled.search(data, behind, span[1])
        if found is not None:
            span = int(found.start()), int(found.end())
            break
    for edge in chain(_closings(data, span), islice(_ENDS.finditer(data, *span), MOST_EDGES)):
        found = compiled.search(data, span[0], edge.start()) if edge.start() > span[0] else None
        if found is not None:
            return int(found.start()), int(found.end())
    return span


def _closings(data: bytes, span: Span) -> Iterator[Any]:
    """Where in a match the quotation may end that it begins with, or that is opened right before it."""
    for opened, closes in _FELLOWS.items():
        if data.startswith(opened, span[0]):
            yield from islice(closes.finditer(data, span[0] + len(opened), span[1]), MOST_EDGES)
        elif data.endswith(opened, 0, span[0]):
            yield from islice(closes.finditer(data, *span), MOST_EDGES)
