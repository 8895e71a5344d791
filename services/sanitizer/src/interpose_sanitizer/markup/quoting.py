"""Markup that a text shows as code instead of being made of it, and markup that it only speaks of."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Set

from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.mentions import is_mentioned
from interpose_sanitizer.shadow import fold_text

_FENCES = ("```", "~~~")
_BEFORE_FENCE = re.compile(r"(?:\A|\n)[ \t>]{0,12}\Z")
_LONGEST_BEFORE = 13
_IN_LINE = 400
_AROUND = 240


class Code:
    """Where a text that is no page by itself holds code: between fences, or between backticks in one line."""

    def __init__(self, text: str, pairs: Set[str]) -> None:
        self._text = text
        is_page = "<html" in text[:4_000].lower()
        marks = [] if is_page else [mark for mark in _FENCES if mark[:2] in pairs]
        self._is_possible = not is_page and ("`" in text or bool(marks))
        self._fences = sorted({place for mark in marks for place in _fences(text, mark)})

    def around(self, span: Span) -> Span | None:
        """The code that a span stands in; None where it stands in none. A fence that is never closed is none."""
        if not self._is_possible:
            return None
        opened = bisect_right(self._fences, span[0])
        if opened & 1 and opened < len(self._fences) and span[1] <= self._fences[opened]:
            return self._fences[opened - 1], self._fences[opened] + 3
        before = self._text[max(span[0] - _IN_LINE, 0) : span[0]].rpartition("\n")[2]
        after = self._text[span[1] : span[1] + _IN_LINE].partition("\n")[0]
        if before.count("`") & 1 and "`" in after:
            return span[0] - len(before) + before.rfind("`"), span[1] + after.find("`") + 1
        return None

    def is_only_named(self, span: Span) -> bool:
        """Whether a span stands in code or quotation marks, and the text around says that it speaks of attacks."""
        start, end = self.around(span) or span
        before = fold_text(self._text[max(start - _AROUND, 0) : start])
        after = fold_text(self._text[end : end + _AROUND])
        if (start, end) != span:
            before, after = f'{before.rstrip()} "', f' code" {after.lstrip()}'
        return is_mentioned(f"{before}x{after}", (len(before), len(before) + 1), Family.HIDDEN_MARKUP)


def _fences(text: str, mark: str) -> Iterator[int]:
    """Where lines begin that are a fence: the first mark in a line, with nothing but a quotation before it."""
    place = text.find(mark)
    while place >= 0:
        start = max(place - _LONGEST_BEFORE, 0)
        before = _BEFORE_FENCE.search(text[start:place])
        if before is not None and (before[0][:1] == "\n" or start + before.start() == 0):
            yield start + before.start() + (before[0][:1] == "\n")
        line_end = text.find("\n", place)
        place = text.find(mark, line_end) if line_end >= 0 else -1
