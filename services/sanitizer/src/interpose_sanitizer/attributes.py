"""Values of attributes of HTML, and sections of characters in XML: an attack in one takes nothing around it."""

import re

from interpose_sanitizer.findings import Span

BEFORE, AFTER, NAMED = 400, 800, 100
"""How far is looked, in characters: for the tag, for the end of the value, and for a name that a match looked at."""
_ATTRIBUTE = re.compile(r"(?<![\w:@.-])[A-Za-z_:@][\w:.-]{0,40}\s?=\s?([\"'])")
_TAG_BEGUN = re.compile(r"<[A-Za-z][\w-]{0,30}\s[^<>]{0,400}\Z")
_VALUE_ENDS = re.compile(r"\s{0,8}/?>|\s{1,8}[A-Za-z_:@][\w:.-]{0,40}\s?[=/>]")
"""A name of HTML and the mark that its value begins with; all of a tag before it; and what stands behind the value."""
_SECTION, _SECTION_ENDS = "<![CDATA[", "]]>"


def within(text: str, matched: Span, taken: Span) -> Span:
    """What a match takes; of one in a value, no more than that, and the name where it looked at it."""
    held = value(text, matched)
    if held is None:
        return taken
    is_named = matched[0] >= held[0] - NAMED and "<" not in text[matched[0] : held[0]]
    return max(taken[0], held[0]) if is_named else taken[0], min(taken[1], held[1])


def value(text: str, span: Span) -> Span | None:
    """The value of an attribute of HTML, or the section of characters, in which a span ends; None, where it ends in
    none."""
    window = max(span[0] - BEFORE, 0)
    last = max(_ATTRIBUTE.finditer(text, window, span[1]), key=re.Match.start, default=None)
    if last is None or not _TAG_BEGUN.match(text, max(text.rfind("<", window, last.start()), 0), last.start()):
        return _section(text, span) if _SECTION_ENDS in text[span[1] : span[1] + AFTER] else None
    end = text.find(last[1], last.end(), span[1] + AFTER)
    return (last.end(), end) if end >= span[1] and _VALUE_ENDS.match(text, end + 1) else None


def _section(text: str, span: Span) -> Span | None:
    """The section of characters around a span. What ends none that was begun is a sign as any other."""
    begin = text.rfind(_SECTION, max(span[0] - BEFORE, 0), span[0])
    end = text.find(_SECTION_ENDS, begin, span[1] + AFTER) if begin >= 0 else -1
    return (begin + len(_SECTION), end) if end >= span[1] else None
