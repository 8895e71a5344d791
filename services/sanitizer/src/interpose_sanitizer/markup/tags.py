"""Where the tags, comments and raw texts of a page stand. A parser gives a tree; edits need places.

It reads as browsers do where that matters, and where a text is broken it reads on instead of swallowing the rest: a
quotation mark or an element that is never closed must not hide what follows from the search. One pass; whatever is
looked for in vain is not looked for again.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from interpose_sanitizer.findings import Span

LONGEST_VALUE = 1 << 22

TWICE = ""
"""Stands among the values of a tag that has two of one name: one of them is not among the values."""

_UNSHOWN = (
    *("template", "noscript", "datalist", "canvas", "object", "audio", "video", "desc", "metadata", "text"),
    *("annotation", "defs", "details", "dialog", "foreignobject", "mj-preview"),
)
_RAW = ("script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes")
_BARE = "|".join("".join(f"[{one}{one.upper()}]" for one in name) for name in (*_UNSHOWN, *_RAW))
_OPEN = re.compile(rf"<(?=[!?/a-zA-Z])(!--|[!?][^<>]|/[^a-zA-Z<>]|[a-zA-Z][^\s/<>]{{0,40}}[\s/]|(?:{_BARE})>)[^<>]*")
"""Of the tags only those that begin an element and say something: attributes, or a name that is not shown."""
_ESCAPED = r"""\\{1,7}"([^"\\]*+(?:\\(?!\\{0,6}")[^"\\]*+)*+)\\{1,7}\""""
"""A value in quotation marks that a string of JSON escapes, perhaps within another."""
_ATTRIBUTE = re.compile(
    rf"""([^\s"'<>/=]{{1,80}})(?:\s{{0,8}}=\s{{0,8}}"""
    rf"""(?:"([^"]{{0,{LONGEST_VALUE}}})"|'([^']{{0,{LONGEST_VALUE}}})'|{_ESCAPED}"""
    rf"""|([^\s"'>][^\s>]{{0,{LONGEST_VALUE}}}))|)"""
)
"""Only tried between the ends of a tag, in which at most one mark of each kind is open: nothing is tried twice."""
_OPENED = re.compile(r"""=\s{0,8}(\\{1,7}"|["'])""")
PARAGRAPH = re.compile(r"\n[ \t\r]{0,8}\n")
_RECORD = re.compile(r"\s{0,80}[\[{]")
_CLOSING = {name: re.compile(r"<(\\?)/" + "".join(f"[{one}{one.upper()}]" for one in name)) for name in _RAW}
"""In strings of JSON the slash may have a backslash before it; in a page that is how a script writes the tag."""


class Attribute(NamedTuple):
    """An attribute, its name in small letters, where it stands, and its value without quotation marks."""

    name: str
    span: Span
    start: int
    end: int


class Tag(NamedTuple):
    """A tag that begins an element, from its `<` to behind its `>`; its attributes begin at `inside`.

    Those in which the same is written share their `values`, which are told by name with the value as it is written;
    where it stands `attributes` tells, for the few of interest.
    """

    name: str
    start: int
    inside: int
    end: int
    values: dict[str, str]


class Raw(NamedTuple):
    """An element whose content is no markup; one that is never closed ends with its paragraph."""

    tag: Tag
    content: Span


@dataclass(slots=True)
class Page:
    """What was read, each in the order of the text. `comments` and `declarations` are without their marks."""

    tags: list[Tag] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    declarations: list[Span] = field(default_factory=list)
    raws: list[Raw] = field(default_factory=list)
    quoting: list[Span] = field(default_factory=list)
    """Tags whose quotation marks may hold other tags."""


def attributes(text: str, tag: Tag) -> Iterator[Attribute]:
    """The attributes of a tag, in order; one without a value is empty."""
    for found in _ATTRIBUTE.finditer(text, tag.inside, tag.end - 1):
        value = found.lastindex or 1
        yield Attribute(
            found[1].lower(), found.span(), found.start(value) if value > 1 else found.end(1), found.end(value)
        )


def _values(written: str) -> dict[str, str]:
    """The attributes that are written in a tag."""
    found = _ATTRIBUTE.findall(written)
    values = {name.lower(): double or single or escaped or bare for name, double, single, escaped, bare in found}
    if len(values) < len(found):
        values[TWICE] = ""
    return values


def read(text: str) -> Page:
    """The tags of a text, whatever it is."""
    return _Reader(text).page


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._is_record = _RECORD.match(text) is not None
        self._never: set[str] = set()
        """What does not come any more: closing marks, closing tags."""
        self.page = Page()
        self._read()

    def _read(self) -> None:
        text, tags, resume = self._text, self.page.tags, 0
        known: dict[str, dict[str, str]] = {}
        for found in _OPEN.finditer(text):
            start, end = found.span()
            if start < resume:
                continue
            mark = found[1]
            if mark[0] in "!?/":
                resume = self._unshown(start, found.end(1), mark)
                continue
            inside = found.end(1)
            written = text[inside:end]
            if mark[-1] == ">":
                end = inside
            elif "'" in written or written.count('"') & 1 or not text.startswith(">", end):
                end = self._end(inside, end)
            else:
                end += 1
            if end:
                if mark[-2] == ":":
                    continue  # the address in `<https://…>`
                if end != inside + len(written) + 1:
                    written = text[inside : end - 1]
                values = known.get(written)
                if values is None:
                    values = known[written] = _values(written)
                tags.append(Tag(mark[:-1].lower(), start, inside, end, values))
                resume = self._behind_raw(tags[-1]) if tags[-1].name in _CLOSING else end

    def _end(self, start: int, stop: int) -> int:
        """Behind the `>` of a tag whose attributes begin at `start`, 0 when there is none.

        The first `<` or `>` stands at `stop`.
        """
        rest, is_closed = self._text[start:stop], self._text.startswith(">", stop)
        if "'" not in rest and not rest.count('"') & 1 and (is_closed or '"' not in rest):
            return stop + 1 if is_closed else 0
        end = self._exact_end(start) or self._find(">", start) + 1
        self.page.quoting.append((start, end))
        return end

    def _exact_end(self, start: int) -> int:
        """The same where quotation marks may hold the `>`; when that once fails to the end, it is not tried again."""
        if "tag" in self._never:
            return 0
        position, end = start, self._find(">", start)
        while end >= 0:
            opened = _OPENED.search(self._text, position, end)
            if opened is None:
                return end + 1
            closed = self._find(opened[1], opened.end())
            position = opened.end() if closed < 0 else closed + 1
            if position > end:
                end = self._find(">", position)
        self._never.add("tag")
        return 0

    def _find(self, what: str, start: int) -> int:
        if what in self._never:
            return -1
        found = self._text.find(what, start)
        if found < 0:
            self._never.add(what)
        return found

    def _unshown(self, start: int, behind: int, mark: str) -> int:
        """Notes a comment or a declaration; where to read on."""
        if mark != "!--":
            return self._declaration(start, behind)
        if self._text.startswith((">", "->"), behind):
            return behind
        ends = [end for end in (self._find("-->", behind), self._find_odd_end(behind)) if end >= 0]
        if not ends:
            paragraph = PARAGRAPH.search(self._text, behind)
            self.page.comments.append((behind, paragraph.start() if paragraph else len(self._text)))
            return paragraph.end() if paragraph else len(self._text)
        self.page.comments.append((behind, min(ends)))
        return min(ends) + 3

    def _find_odd_end(self, behind: int) -> int:
        """`--!>` ends a comment as well. The next one is remembered: it is far away, or nowhere."""
        if self._odd_end < behind and self._odd_end >= 0:
            self._odd_end = self._find("--!>", behind)
        return self._odd_end

    _odd_end: int = 0

    def _declaration(self, start: int, behind: int) -> int:
        closing = "]]>" if self._text.startswith("![CDATA[", start + 1) else ">"
        end = self._find(closing, behind)
        if end < 0:
            return behind
        self.page.declarations.append((start + 2, end))
        return end + len(closing)

    def _behind_raw(self, tag: Tag) -> int:
        """Notes a raw text; where to read on. One that is never closed is no raw text: what follows is looked at."""
        if tag.name in self._never:
            return tag.end
        closing = self._closing(tag)
        if closing is None:
            self._never.add(tag.name)
            paragraph = PARAGRAPH.search(self._text, tag.end)
            self.page.raws.append(Raw(tag, (tag.end, paragraph.start() if paragraph else len(self._text))))
            return tag.end
        self.page.raws.append(Raw(tag, (tag.end, closing.start())))
        return closing.start()

    def _closing(self, tag: Tag) -> re.Match[str] | None:
        ends = _CLOSING[tag.name].finditer(self._text, tag.end)
        return next((one for one in ends if self._is_record or not one[1]), None)
