"""Where an element that is not shown ends, in a text that may be broken in any way."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from interpose_sanitizer.findings import Span
from interpose_sanitizer.markup import names
from interpose_sanitizer.markup.tags import PARAGRAPH, Page, Tag

_ANY = re.compile(r"<(?:\\(?=/))?(/?[a-zA-Z][^\s/<>]{0,40})")

MOST_UNCLOSED = 8
"""Names of elements whose end is looked for in vain."""


class Extents:
    """The ends of elements, asked for in order, none within another: no part of the text is looked at often."""

    def __init__(self, text: str, page: Page, is_page: bool) -> None:
        self._text, self._is_page = text, is_page
        self._opaque = sorted([*page.comments, *(raw.content for raw in page.raws), *page.quoting])
        self._unclosed: set[str] = set()
        self._paragraph = 0

    def end(self, tag: Tag) -> int:
        """Where the content of an element ends: at its own end tag, or else where one around it ends.

        In a text that is no page one that is never closed may be no element but a word, `<Object>`: at most its
        paragraph counts.
        """
        if tag.name in names.VOID or (self._text[tag.end - 2] == "/" and tag.name not in names.NEVER_EMPTY):
            return tag.end
        if tag.name not in self._unclosed and len(self._unclosed) < MOST_UNCLOSED:
            depth = 1
            for name, place in self._tags(tag.end, len(self._text)):
                depth += (name == tag.name) - (name == "/" + tag.name)
                if depth == 0 or (name == tag.name and name in names.ENDS_ITSELF):
                    return place
            self._unclosed.add(tag.name)
        if self._is_page:
            return self._end_around(tag, len(self._text))
        if self._paragraph < tag.end:  # asked for in order: what was found stays the next one until it is passed
            paragraph = PARAGRAPH.search(self._text, tag.end)
            self._paragraph = paragraph.start() if paragraph else len(self._text)
        return tag.end if tag.name in names.NOT_SHOWN else self._end_around(tag, self._paragraph)

    def _end_around(self, tag: Tag, end: int) -> int:
        opened, counted = list[str](), Counter[str]()
        for name, place in self._tags(tag.end, end):
            if name[0] != "/":
                if name not in names.VOID:
                    opened.append(name)
                    counted[name] += 1
            elif counted[name[1:]]:
                while (last := opened.pop()) != name[1:]:
                    counted[last] -= 1
                counted[last] -= 1
            else:
                return place
        return end

    def _tags(self, start: int, end: int) -> Iterator[tuple[str, int]]:
        """Tags between two places: names with a slash for those that end, and where they stand."""
        index = bisect_left(self._opaque, (start, 0))
        behind = self._opaque[index - 1][1] if index else 0
        for found in _ANY.finditer(self._text, start, end):
            place = found.start()
            while index < len(self._opaque) and self._opaque[index][0] <= place:
                behind = max(behind, self._opaque[index][1])
                index += 1
            if place >= behind:
                yield found[1].lower(), place


def outermost(spans: Iterator[Span]) -> Iterator[Span]:
    """Of spans in order, those that do not begin within an earlier one."""
    behind = 0
    for span in spans:
        if span[0] >= behind:
            behind = span[1]
            yield span
