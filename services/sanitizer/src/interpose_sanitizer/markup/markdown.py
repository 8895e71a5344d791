"""Links, images and definitions of Markdown: where their addresses stand, and what nobody sees of them."""

import re
from collections import Counter
from collections.abc import Iterator, Set
from typing import NamedTuple

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.findings import Span
from interpose_sanitizer.markup.addresses import Fetch
from interpose_sanitizer.markup.places import SHORTEST, Place

_TARGET = re.compile(r"\]\(([^\n()]{0,4000}(?:\([^\n()]{0,1000}\)?[^\n()]{0,4000}){0,6})")
_DEFINITION = re.compile(r"^[ >]{0,3}\[([^\[\]\n]{1,200})\]:[ \t]{0,8}([^\n]{1,4000})", re.MULTILINE)
_NOTED = re.compile(r"\[\^([^\[\]\s]{1,80})\]")
_NOTE = re.compile(r"^ {0,3}\[\^([^\[\]\s]{1,80})\]:[ \t]{1,8}([^\n]{8,2000})", re.MULTILINE)
_TITLE = re.compile(r"""[ \t]["'(]""")
_ALTERNATIVE = re.compile(r"!\[([^\[\]]{8,2000})")
_REFERENCE = re.compile(r"!\[([^\[\]\n]{0,300})\](?:\[([^\[\]\n]{0,200})|)")
_ADDRESS = re.compile(
    r"https?:(?:[^\s\"'`<>\[\]{}=]{1,2000}|=(?:<[A-Za-z][^<>\n]{1,80}>)?|\[[^\[\]\n]{1,80}\]|\{{1,2}[^{}\n]{1,80}\}{1,2}){1,60}"
)
_TERMINAL = re.compile(r"\x1b\]8;[^;\x1b\x07\n]{0,200};([^\x1b\x07\n]{4,4000})")
"""A link as terminals show it."""
_SCHEMES = ("javascript:", "vbscript:", "data:text/html")
_PROGRAMS = re2.compile(f"(?i){'|'.join(_SCHEMES)}")
"""Most texts have none of them."""
_PROGRAM = re.compile(r"[^\s`]{8,4000}")
_AROUND = " \t\r\n(<:[{|"
"""What stands before an address that stands by itself; within tags and code it is something else."""
_LOOK_BACK = 300


class Address(NamedTuple):
    """An address in a text, and when it is asked for."""

    span: Span
    fetch: Fetch
    is_bare: bool = False
    """It stands in the text by itself, and only some programs make a link of it."""


def addresses(text: str, pairs: Set[str]) -> Iterator[Address]:
    """Every address of a link, an image or a definition; after them those that stand by themselves."""
    for found in _TARGET.finditer(text) if "](" in pairs else ():
        start, end = found.span(1)
        title = _TITLE.search(text, start + 1, end)
        is_image = text.rfind("![", max(start - _LOOK_BACK, 0), start) > text.rfind(
            "](", max(start - _LOOK_BACK, 0), start - 2
        )
        yield Address((start, title.start() if title else end), Fetch.AT_ONCE if is_image else Fetch.ON_CLICK)
    if "]:" in pairs:
        shown = (
            {(found[2] or found[1]).lower() for found in _REFERENCE.finditer(text)}
            if "![" in pairs
            else frozenset[str]()
        )
        for found in _DEFINITION.finditer(text):
            start, end = found.span(2)
            title = _TITLE.search(text, start + 1, end)
            fetch = Fetch.AT_ONCE if found[1].lower() in shown else Fetch.ON_CLICK
            yield Address((start, title.start() if title else end), fetch)
    for found in _TERMINAL.finditer(text) if "\x1b]8;" in text else ():
        yield Address(found.span(1), Fetch.ON_CLICK)
    yield from _alone(text)


def _alone(text: str) -> Iterator[Address]:
    """Addresses that stand in the text by themselves."""
    position = text.find("http")
    while position >= 0:
        found = _ADDRESS.match(text, position) if _stands_alone(text, position) else None
        if found:
            yield Address(found.span(), Fetch.ON_CLICK, is_bare=True)
        position = text.find("http", found.end() if found else position + 4)
    if not _PROGRAMS.search(text):
        return
    small = text.replace("\u0130", "I").lower()  # the one letter whose small form is longer
    for scheme in _SCHEMES:
        position = small.find(scheme)
        while position >= 0:
            found = _PROGRAM.match(text, position) if _stands_alone(text, position) else None
            if found:
                yield Address(found.span(), Fetch.ON_CLICK, is_bare=True)
            position = small.find(scheme, found.end() if found else position + len(scheme))


def _stands_alone(text: str, place: int) -> bool:
    before = text[max(place - 2, 0) : place]
    return not before or (before[-1] in _AROUND and before != "](")


def places(text: str, pairs: Set[str]) -> Iterator[Place]:
    """What Markdown does not show: titles of links, descriptions of images, definitions that only hold a remark."""
    for mark, pattern, what in (("](", _TARGET, "link-title"), ("]:", _DEFINITION, "definition")):
        for found in pattern.finditer(text) if mark in pairs else ():
            start, end = found.span(found.lastindex or 1)
            title = _TITLE.search(text, start, end)
            if title and end - title.end() >= SHORTEST:
                yield Place(what, (title.end(), end - 1), text[title.end() : end - 1])
    for found in _ALTERNATIVE.finditer(text) if "![" in pairs else ():
        yield Place("alt", found.span(1), found[1])
    yield from _unnamed_notes(text) if "]:" in pairs else ()


def _unnamed_notes(text: str) -> Iterator[Place]:
    """Footnotes that nothing refers to: what shows the text leaves them out."""
    named = Counter(found[1] for found in _NOTED.finditer(text))
    for found in _NOTE.finditer(text):
        if named[found[1]] == 1 and len(found[2]) >= SHORTEST:
            yield Place("definition", found.span(2), found[2])
