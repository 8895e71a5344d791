"""Where a sentence begins and ends in a shadow, in bytes, and what of it is only a greeting or a label.

Letters of a shadow are all small, so that capitals tell nothing: a line that breaks off in a sentence is part of it,
one that begins with a name, a number or a sign of a list is not. Fields of data, tags and blank lines end one as well.
"""

from typing import Any

import re2  # type: ignore[import-untyped]

from interpose_sanitizer import literals, reach
from interpose_sanitizer.findings import Span

BEFORE, AFTER = 320, 640
"""How far is looked around what leads to a sentence."""

_BREAK = re2.compile(
    rf"[.!…][\"')\]”»]*\s|[{reach.STOPS}]"
    r"|\n[ \t]*\n|\\n"
    r"|\n[ \t]*(?:[\-*•#>|+\[]|//|/[*]|[0-9]|[^\s:]{1,24}(?: [^\s:]{1,16}){0,2}:\s|[^\s:]{1,24}:"
    r"|[a-z]{3} [ 0-9][0-9] [0-9]{2}:)|[;{}][ \t]*\n"
    r"|\"\s*[,}\]:]|[{,\[]\s*\"|\s[|]\s|<[/!|a-z][^<>]{0,80}>"
    rf"|\"\n|{literals.BETWEEN}"
)
_MARKS = b".!"
_QUESTION = re2.compile(r"[?]\s")
_APART = re2.compile(r"[ \t]*\n[ \t]*(?:\n|[^\s:]{1,24}(?: [^\s:]{1,16})?:\s)")
_OPENING = re2.compile(
    r"\s*(?:(?:hi|hello|hey|hallo|bonjour|hola|ciao|ola)(?: [a-z]{1,20})?(?:,|!| [-\x{2013}]) +"
    r"|[\"'>|*\-\s]{0,8}[^\s:\"]{1,24}(?: [^\s:\"]{1,16})?: +)"
)
_MARGIN = b" \t\n\"'`*_>|"


def around(data: bytes, lead: Span, earliest: int) -> Span:
    """The sentence around a lead; it begins no earlier than that."""
    window = max(lead[0] - BEFORE, earliest)
    begin = max((found.end() for found in _BREAK.finditer(data[window : lead[0]])), default=0)
    return window + begin, end(data, lead[1])


def end(data: bytes, place: int) -> int:
    """Where the sentence around a place ends, behind its mark: the place itself may be right behind that."""
    begin, window = max(place - 1, 0), min(place + AFTER, len(data))
    found: Any = _BREAK.search(data[begin:window])
    return window if found is None else begin + int(found.start()) + (data[begin + found.start()] in _MARKS)


def following(data: bytes, place: int) -> Span | None:
    """The sentence that follows the one which ends here; None at the end of a paragraph, and before a label."""
    if place >= len(data) or _APART.match(data, place):
        return None
    return place, end(data, min(place + 2, len(data)))


def holding(data: bytes, sentence: Span, said: Span) -> Span:
    """As much of a sentence as `said` is in: a quotation in it, or all of it up to its question mark."""
    begin, stop = sentence
    marks = data[begin : said[0] + 1]
    closing = data.find(b'"', said[1], stop + 1)
    if marks.count(b'"') % 2 and closing >= 0:
        return begin + marks.rindex(b'"') + 1, closing
    behind = max(said[1] - 1, begin)
    mark: Any = _QUESTION.search(data[behind:stop])
    return begin, stop if mark is None else behind + int(mark.start()) + 1


def proper(data: bytes, span: Span) -> Span:
    """A span without its greeting or label, and without blanks and quotation marks at its ends; all, if that is all."""
    said: bytes = data[slice(*span)]
    opening: Any = _OPENING.match(said)
    begin = span[0] + (int(opening.end()) if opening is not None and opening.end() < len(said) else 0)
    said = data[begin : span[1]]
    if not said.strip(_MARGIN):
        return span
    return begin + len(said) - len(said.lstrip(_MARGIN)), begin + len(said.rstrip(_MARGIN))
