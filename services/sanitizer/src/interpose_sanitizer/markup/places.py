"""The places of a page that it does not show, with what they say. Whether that matters is for others to judge."""

import heapq
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from interpose_sanitizer.findings import Span
from interpose_sanitizer.markup import names, styles
from interpose_sanitizer.markup.elements import Extents
from interpose_sanitizer.markup.shapes import Shape, Shapes, may_be_worded
from interpose_sanitizer.markup.tags import TWICE, Page, Raw, Tag, attributes
from interpose_sanitizer.markup.words import decoded, shown

SHORTEST = 8
"""Characters. Less says nothing, in any script."""
MOST_STYLES = 4_000
"""Of different ones in a text; where there are more, each counts as one that hides."""
LONGEST_WHOLE = 1_500
"""Of a longer element that is not shown only the lines go that carry something: pages keep whole parts ready."""

MOST_NAMES = 20
LONGEST_NAME = 20
"""Characters of an attribute's name that are told in a finding."""

_SPECIAL = names.ALWAYS_SHOWN | names.NOT_SHOWN | names.NOT_SHOWN_IN_PICTURES | {"svg"}
_NO_SIZE = frozenset({"0", "0px", "0%"})
_BREAK = re.compile(r"/\*|\n|\Z")
_SUMMARY = re.compile("</summary[^<>]{0,40}>", re.IGNORECASE)
"""What stands before is shown."""
_PICTURE = re.compile("<svg", re.IGNORECASE)
_HIDING = re.compile(
    r"(?:[\w-]{1,30}[-:])?(?:visually-?hidden|sr-only|screen-?reader(?:-[a-z]{2,8}){0,2}|hidden|invisible|off-?screen|d-none|opacity-0"
    r"|scale-0|collapsed?|text-\[0(?:px|rem|em)?\]|text-\[1px\]|hide|hid|text-transparent|text-hide)"
    r"|!?-?(?:left|top|right|bottom|inset(?:-[xy])?|translate-[xy]|m[lrtb]|indent)-\[-?[0-9]{3,6}(?:px|r?em|v[wh])?\]",
    re.IGNORECASE,
)
"""What class names of style sheets that everybody uses look like when they hide; a page may call its own so as well."""
_QUOTE = re.compile(r"[\"'`]")


class Place(NamedTuple):
    """Something that is not shown: what it is, where it stands, and what it says as plain text."""

    what: str
    span: Span
    text: str
    tag: Tag | None = None
    """It is an attribute of this tag: where its value stands is only asked of the few that matter."""

    def inside(self, text: str) -> Span:
        """Where in a text it stands, without what tells what it is."""
        if self.tag is None:
            return self.span
        return next((one.start, one.end) for one in attributes(text, self.tag) if one.name == self.what)


class Unshown:
    """What one page does not show."""

    def __init__(self, text: str, page: Page) -> None:
        self._text, self._page = text, page
        self._sheet, self._shapes = styles.Sheet(), Shapes()
        self._hides = lru_cache(maxsize=None)(lambda style: styles.hides(style, self._grounds))
        self._classes: dict[str, bool] = {"": False}
        self._is_page = "<html" in text[:4_000].lower()
        for raw in page.raws:
            if raw.tag.name == "style":
                self._sheet.add(text[slice(*raw.content)])
        self._picked = {name for name in self._sheet.names if name[0] == "["}

    @cached_property
    def _grounds(self) -> frozenset[str]:
        return styles.grounds(self._text)

    @cached_property
    def _in_pictures(self) -> bool:
        return _PICTURE.search(self._text) is not None

    def places(self) -> Iterator[Place]:
        """All of them, grouped by what they are."""
        for span in self._page.comments:
            yield Place("comment", span, shown(self._text[slice(*span)]))
        for start, end in self._page.declarations:
            if end - start <= LONGEST_WHOLE and self._is_unshown_declaration(start):
                yield Place("declaration", (start, end), self._text[start:end])
        for raw in self._page.raws:
            yield from self._raw(raw)
        yield from self._tags()

    def _is_unshown_declaration(self, start: int) -> bool:
        if self._text.startswith(("php", "xml version", "xml-"), start):
            return False
        return self._is_page or not self._text.startswith("[CDATA[", start)

    def _raw(self, raw: Raw) -> Iterator[Place]:
        content = self._text[slice(*raw.content)]
        if raw.tag.name == "title":
            if self._is_odd_title(raw.tag):
                yield Place("title", raw.content, decoded(content))
        elif raw.tag.name == "style":
            yield from _pieces("style", content, raw.content[0])
        elif raw.tag.name == "script":
            kind = raw.tag.values.get("type", "").lower()
            if "json" in kind or "importmap" in kind:
                yield from _literals(
                    "data", content, raw.content[0], content.replace("\\\\", "__").replace('\\"', "__")
                )
            elif kind.startswith("text/") and "javascript" not in kind and "babel" not in kind:
                yield Place("data", raw.content, shown(content))
            else:
                yield from _pieces("script", content, raw.content[0])

    def _is_odd_title(self, tag: Tag) -> bool:
        """Any but the one in a page's head."""
        before = [one.name for one in self._page.tags[:40] if one.start < tag.start]
        return len(before) == 40 or not names.IN_HEAD.issuperset(before)

    def _tags(self) -> Iterator[Place]:
        extents, behind, demanded = Extents(self._text, self._page, self._is_page), 0, 0
        worded: dict[int, list[tuple[str, str]]] = {}
        bare = list(self._bare_tags())
        tags = heapq.merge(self._page.tags, bare, key=lambda tag: tag.start) if bare else self._page.tags
        for tag in tags:
            words = worded.get(id(tag.values))
            if words is None:
                words = worded[id(tag.values)] = _words(tag.values, self._shapes.of(tag.values))
            if TWICE in tag.values:
                yield from self._worded(tag)
            elif words:
                yield from [Place(name, (tag.inside, tag.end), decoded(value), tag) for name, value in words]
            if tag.start >= behind and self._is_unshown(tag):
                behind = extents.end(tag)
                yield from self._element(tag.end, behind)
            elif tag.name in names.ON_DEMAND and tag.start >= max(behind, demanded) and "open" not in tag.values:
                demanded = extents.end(tag)
                summary = _SUMMARY.search(self._text, tag.end, min(demanded, tag.end + LONGEST_WHOLE))
                start = summary.end() if summary else tag.end
                yield from self._element(start, demanded, tag.name if self._is_offered(tag, summary) else "element")

    def _is_offered(self, tag: Tag, summary: re.Match[str] | None) -> bool:
        """Whether anything tells people that there is something to unfold."""
        return summary is None or bool(shown(self._text[tag.end : summary.start()]).strip())

    def _worded(self, tag: Tag) -> Iterator[Place]:
        for one in attributes(self._text, tag):
            if one.end - one.start >= SHORTEST and may_be_worded(one.name):
                yield Place(one.name, (one.start, one.end), decoded(self._text[one.start : one.end]))

    def _bare_tags(self) -> Iterator[Tag]:
        """Those without attributes that a style sheet hides by name."""
        bare = sorted(name for name in self._sheet.names if name[0] not in ".#[" and name not in names.ALWAYS_SHOWN)
        if bare:
            for found in re.finditer(f"<({'|'.join(bare[:MOST_NAMES])})>", self._text, re.IGNORECASE):
                yield Tag(found[1].lower(), found.start(), found.end(), found.end(), {})

    def _element(self, start: int, end: int, what: str = "element") -> Iterator[Place]:
        markup = self._text[start:end]
        if len(markup) < SHORTEST:
            return
        said = shown(markup)
        if len(said) <= LONGEST_WHOLE:
            yield Place(what, (start, end), said)
        else:
            yield from self._blocks(start, end, what)

    def _blocks(self, start: int, end: int, what: str) -> Iterator[Place]:
        """A long one by its parts: what stands between two tags that break the line."""
        begun = start
        for found in _BLOCK.finditer(self._text, start, end):
            if found.start() - begun >= SHORTEST:
                yield Place(what, (begun, found.start()), shown(self._text[begun : found.start()]))
            begun = found.end()
        if end - begun >= SHORTEST:
            yield Place(what, (begun, end), shown(self._text[begun:end]))

    def _is_unshown(self, tag: Tag) -> bool:
        if tag.name in _SPECIAL or tag.name in self._sheet.names:
            if tag.name in names.ALWAYS_SHOWN:
                return False
            if (
                tag.name in names.NOT_SHOWN
                or (tag.name in names.NOT_SHOWN_IN_PICTURES and self._in_pictures)
                or tag.name in self._sheet.names
                or (tag.name == "svg" and not _NO_SIZE.isdisjoint((tag.values.get("width"), tag.values.get("height"))))
            ):
                return True
        given = tag.values
        shape = self._shapes.of(given)
        if not shape.may_hide and not ((shape.is_named or self._picked) and self._is_named(given)):
            return False
        if given.get("role") == "tabpanel" or given.get("id", "").startswith(("S:", "B:", "P:")):
            return False  # shown on demand, or as soon as the page has loaded
        return (
            "hidden" in given
            or (TWICE in given and ("style" in given or "class" in given))
            or given.get("aria-hidden", "").lower() == "true"
            or ("style" in given and self._is_hiding(given["style"]))
            or self._is_named(given)
            or _is_drawn_away(given, self._is_hiding)
        )

    def _is_named(self, given: dict[str, str]) -> bool:
        """Whether a class or the id hides it."""
        classes = given.get("class", "")
        is_hidden = self._classes.get(classes)
        if is_hidden is None:
            is_hidden = self._is_hidden_class(classes) if len(self._classes) < MOST_STYLES else True
            if len(self._classes) < MOST_STYLES:
                self._classes[classes] = is_hidden
        return is_hidden or ("id" in given and "#" + given["id"] in self._sheet.names) or self._is_picked(given)

    def _is_picked(self, given: dict[str, str]) -> bool:
        """Whether a style sheet hides whatever has an attribute that it has."""
        return bool(self._picked) and any("[" + name in self._picked for name in given)

    def _is_hidden_class(self, classes: str) -> bool:
        each = classes.split(maxsplit=60)[:60]
        return not names.HIDDEN_CLASSES.isdisjoint(each) or any(
            "." + one in self._sheet.names or _HIDING.fullmatch(one) for one in each
        )

    def _is_hiding(self, style: str) -> bool:
        if self._hides.cache_info().currsize >= MOST_STYLES or len(style) > 4_000:
            return True
        return self._hides(style)


_BLOCK = re.compile(
    r"</?(?:p|div|li|ul|ol|h[1-6]|br|tr|td|th|table|section|article|main|aside|header|footer|nav|blockquote|pre|hr|dd|dt|dl"
    r"|form|figure|details|summary)\b[^<>]{0,4000}>",
    re.IGNORECASE,
)


def _words(given: Mapping[str, str], shape: Shape) -> list[tuple[str, str]]:
    return [(name, value) for name in shape.worded if len(value := given[name]) >= SHORTEST]


def _is_drawn_away(given: dict[str, str], hides: Callable[[str], bool]) -> bool:
    """The same said by attributes of their own, as pictures and old pages do."""
    drawn = [f"{name}:{given[name]}" for name in names.DRAWN if name in given]
    return bool(drawn) and hides(";".join(drawn))


def _pieces(what: str, code: str, base: int) -> Iterator[Place]:
    """Code by its lines and its long comments; of a very long line, what stands between quotation marks."""
    begun, position = 0, 0
    while position < len(code):
        found = _BREAK.search(code, position)
        end = found.start() if found else len(code)
        if end - begun > 600:
            yield from _literals(what, code[begun:end], base + begun, None)
        elif end - begun >= SHORTEST:
            yield Place(what, (base + begun, base + end), code[begun:end])
        if code.startswith("/*", end) and (closed := code.find("*/", end)) > 0:
            yield Place(what, (base + end + 2, base + closed), code[end + 2 : closed])
            end = closed + 1
        begun = position = end + 1


def _literals(what: str, code: str, base: int, masked: str | None) -> Iterator[Place]:
    """What stands between quotation marks: the strings of a JSON text whose escapes are masked, or of any code."""
    marks = [found.start() for found in (_QUOTE.finditer(code) if masked is None else re.finditer('"', masked))]
    pairs = pairwise(marks) if masked is None else zip(marks[::2], marks[1::2], strict=False)
    for start, end in pairs:
        if end - start > SHORTEST:
            said = code[start + 1 : end].replace("\\n", "\n").replace('\\"', '"')
            yield Place(what, (base + start + 1, base + end), said)
