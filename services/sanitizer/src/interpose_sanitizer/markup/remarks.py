"""Remarks that texts of other kinds hold and do not show: of templates, in LaTeX and reStructuredText, on terminals.

Comments of code are shown to whoever reads code: they hide nothing.
"""

import re
from collections.abc import Iterator, Set

from interpose_sanitizer.findings import Span
from interpose_sanitizer.markup.places import SHORTEST, Place

_TEMPLATES = (("{#", "#}"), ("{{!", "}}"), ("<%#", "%>"), ("<%--", "--%>"), ("{% comment", "endcomment"), ("%%", "%%"))
_COMMENTS = (("\\iffalse", "\\fi"), ("\\begin{comment}", "\\end{comment}"))
_LATEX = re.compile(
    r"\\(?:documentclass|begin|section|subsection|chapter|usepackage|item|textbf|emph|cite|label|title)\b"
)
_UNSHOWN_IN_LATEX = re.compile(
    r"(?<!\\)%([^\n]{8,2000})"
    r"|\\(?:[hv]?phantom|textcolor(?:\[[^\[\]\n]{0,20}\])?\{white\}|colorbox\{white\})\{([^{}]{8,2000})\}"
    r"|\{[^{}\n]{0,80}\\color(?:\[[^\[\]\n]{0,20}\])?\{white\}([^{}]{8,2000})\}"
    r"|\\fontsize\{0?\.?[01](?:pt)?\}\{[^{}]{0,10}\}(?:\\selectfont)?([^{}\n]{8,2000})"
)
_UNSHOWN_IN_FORMULAS = re.compile(
    r"\\(?:color\{(?:white|transparent|#fff(?:fff)?)\}|textcolor\{white\}|[hv]?phantom)\s{0,4}\{?\s{0,4}"
    r"(?:\\(?:text|mbox|mathrm|textrm|textsf|texttt)\s{0,4}\{)?([^{}\\]{8,2000})"
)
_RST = re.compile(r"^\.\. [a-z-]{3,30}::|^(?:={3,200}|-{3,200}|~{3,200}|\^{3,200})$", re.MULTILINE)
_UNSHOWN_IN_RST = re.compile(
    r"^\.\. (?!\[|_|\||[a-z-]{3,30}::)([^\n]{8,2000}(?:\n[ \t]{2,8}[^\n]{1,2000}){0,20})", re.MULTILINE
)
_UNSHOWN_ON_TERMINALS = re.compile(r"\x1b\[(?:[0-9;]{0,8};)?(?:8|30;40|40;30|37;47|47;37|97;107)m([^\x1b]{8,4000})")


def places(text: str, pairs: Set[str]) -> Iterator[Place]:
    """Every such remark; these pairs of signs stand in the text."""
    for opening, closing in _TEMPLATES:
        if opening[:2] not in pairs:
            continue
        yield from (Place("comment", span, text[slice(*span)]) for span in _between(text, opening, closing))
    if "\\" in text and _LATEX.search(text):
        yield from _found(_UNSHOWN_IN_LATEX, text, "comment")
    elif "\\" in text:
        yield from _found(_UNSHOWN_IN_FORMULAS, text, "concealed")
    for opening, closing in _COMMENTS if "\\" in text else ():
        yield from (Place("comment", span, text[slice(*span)]) for span in _between(text, opening, closing))
    if ".. " in text and _RST.search(text):
        yield from _found(_UNSHOWN_IN_RST, text, "comment")
    if "\x1b[" in text:
        yield from _found(_UNSHOWN_ON_TERMINALS, text, "concealed")


def _between(text: str, opening: str, closing: str) -> Iterator[Span]:
    start = text.find(opening)
    while start >= 0:
        start += len(opening)
        end = text.find(closing, start)
        if end < 0:
            return
        if end - start >= SHORTEST:
            yield start, end
        start = text.find(opening, end + len(closing))


def _found(pattern: re.Pattern[str], text: str, what: str) -> Iterator[Place]:
    for found in pattern.finditer(text):
        group = found.lastindex or 0
        yield Place(what, found.span(group), found[group])
