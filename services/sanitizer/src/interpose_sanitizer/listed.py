"""Tokens of chat templates that are only listed: each stands in marks of its own, with nothing to say between.

Programs list where a model is to stop, and documents name what opens a turn and what closes it.
"""

import re
from collections.abc import Sequence

from interpose_sanitizer import orders
from interpose_sanitizer.findings import Span

FAR = 240
"""How far around a token its list is looked for, in characters."""
_SIGN = r"(?:<{1,2}[|/]?\s?[^\W_][^\s<>\"'`]{0,48}>{1,2}|\[/?[a-z_]{2,20}\]|#{2,4} ?[a-z]{4,16}:?)(?:\\n){0,2}"
_MARKED = rf"(?:\"{_SIGN}\"|'{_SIGN}'|`{_SIGN}`)"
_AND = "(?:and|or|to|und|oder|et|ou|y|o|e|i|en|och|og|ve|или|和|或|と|및)"
_BETWEEN = rf"\s{{0,8}}(?:[,;|/&\u3001\uff0c]\s{{0,8}}(?:{_AND}\s{{1,4}})?|{_AND}\s{{0,4}})"
_STOPS = r"(?:stop|eos|bos|pad|token)\w{0,12}[\"']?\s{0,4}[:=(]\s{0,4}"
_USED = r"(?![\s,;:|>-]{0,8}(?:system|user|assistant|developer|model|human|tool)\b)"
"""No list ends before the name of who speaks."""
_NUMBERED = rf"{_MARKED}\s?:\s?[0-9]{{1,7}}"
"""One in the vocabulary of a tokenizer."""
_STATED = re.compile(
    r"(?:eos|pad|eot|stop)_token(?:_id)?[\"'`]?(?: ?[=:] ?| (?:to|as|is) )"
    r"<\|(?:endoftext|im_end|e[on][a-z_]{0,20})\|>[ \t]{0,8}$"
)
"""The end of a turn in a line that says what it is, with nothing behind it."""
_DASHED = rf"\n[ \t]{{0,16}}-[ \t]{{1,4}}{_MARKED}(?=\s)"
_NEXT_KEY = r"(?=\s{0,12}(?:\Z|[#}\]]|-[ ]|[\w.-]{1,40}:))"
CELL = re.compile(r"(?<![<|])\|(?![\w>])")
"""What stands between two cells of a row, and in no token."""
_ROW = re.compile(
    rf"[ \t]{{0,4}}\|[ \t]{{0,8}}{_MARKED}(?:[ \t]{{1,8}}\|[^|<>\[\]@:/$\n]{{1,80}}){{1,6}}\|[ \t\r]{{0,8}}"
)
"""A row of a table of Markdown whose first cell holds a token."""
_COLUMNS = re.compile(rf"({_SIGN}) {{2,40}}[0-9]{{1,7}} {{2,40}}([^|<>\[\]@:/$\n.0-9]{{1,60}})")
"""A row of a table by blanks: a token, its number, and some words about it."""
OF_A_TEMPLATE = re.compile(
    r"\b(?:turns?|sequences?|tokens?|messages?|roles?|results?|documents?|padding|stop|masks?|separat\w{1,6}|preamble"
    r"|special|reserved|end of|start of|beginning of)\b"
)
_EDGE = re.compile(r"^(?:start|end) of (?:an? |the )?(?=[a-z]{1,20}$)")
_SPEAKS = re.compile(
    r"(?:system|user|assistant|developer|model|human|tool)|.{0,60}\b(?:you|your|must|now|please)\b.{0,60}"
)
_LIST = re.compile(
    rf"(?:[\[({{]\s{{0,8}}{_MARKED}(?:\s{{0,8}},\s{{0,8}}{_MARKED}){{1,12}},?\s{{0,8}}[\])}}]"
    rf"|{_STOPS}(?:[\[({{]\s{{0,8}}{_MARKED},?\s{{0,8}}[\])}}]|(?:{_DASHED}){{2,12}}{_NEXT_KEY})"
    rf"|{_NUMBERED}(?:\s{{0,2}},\s{{0,8}}{_NUMBERED}){{1,40}}|{_MARKED}(?:{_BETWEEN}{_MARKED}){{1,12}}){_USED}"
)


def holds(text: str, span: Span) -> bool:
    """Whether all of a span of a shadow stands in such a list, and no other one is near, between which something could
    be said."""
    begin = max(span[0] - FAR, 0)
    if _is_stated(text, span):
        return True
    end, line, near = rows(text, span, FAR, 2 * FAR)
    if _is_tabled(end, line, near) or _is_in_columns(end, line, near):
        return True
    lists = list(_LIST.finditer(text, begin, min(span[1] + FAR, len(text))))
    return len(lists) == 1 and lists[0].start() <= span[0] and span[1] <= lists[0].end()


def rows(text: str, span: Span, before: int, behind: int) -> tuple[int, str, list[str]]:
    """Where in its line a token ends, that line, and those above it and below it, as far as they stand so near."""
    begin = text.rfind("\n", max(span[0] - before, 0), span[0]) + 1
    line, *below = text[begin : span[1] + behind].split("\n")[:2]
    above = text[max(begin - before, 0) : begin].split("\n")[-2:-1]
    return span[1] - begin, line.rstrip("\r"), [row.rstrip("\r") for row in (*above, *below)]


def _is_tabled(end: int, line: str, near: Sequence[str]) -> bool:
    """Whether it stands alone in the first cell of a row, as that of the row above it or below it does, and the other
    cells say what it is: none of them orders, names who speaks, or holds another."""
    if _ROW.fullmatch(line) is None or end > line.find("|", line.find(">")):
        return False
    beside = [row for row in near if _ROW.fullmatch(row)]
    return bool(beside) and all(_tells(row) for row in (line, *beside))


def _is_in_columns(end: int, line: str, near: Sequence[str]) -> bool:
    """The same in a table by blanks, whose rows have a number besides, and speak of templates."""
    here = _COLUMNS.fullmatch(line)
    if here is None or end > here.end(1):
        return False
    cells = [found[2] for row in near if (found := _COLUMNS.fullmatch(row))]
    return bool(cells) and not any(_says_more(cell) or not OF_A_TEMPLATE.search(cell) for cell in (here[2], *cells))


def _tells(row: str) -> bool:
    """Whether no cell but the first one is more than some words about it."""
    cells = [cell.strip(" `*.") for cell in CELL.split(row)[2:]]
    return not any(map(_says_more, cells))


def _says_more(cell: str) -> bool:
    """Whether a cell names who speaks, speaks to somebody, or orders."""
    said = _EDGE.sub("", cell, count=1)
    return bool(_SPEAKS.fullmatch(cell)) or orders.begins(said, (0, len(said)))


def _is_stated(text: str, span: Span) -> bool:
    """Whether a line ends with it that says that it ends what a model says, and below nobody speaks."""
    begin = text.rfind("\n", max(span[0] - FAR, 0), span[0]) + 1
    line, _, below = text[begin : span[1] + FAR].partition("\n")
    return _STATED.search(line) is not None and _SPEAKS.match(below.lstrip()) is None
