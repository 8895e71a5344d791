"""Words in brackets that are no tokens: names of columns and tables in SQL, labels of the values in a row.

Instruments and institutions are called INST. Such a name stands beside others in brackets: it is never closed, as the
turn of a user is, and nothing behind it orders.
"""

import re

from interpose_sanitizer import orders
from interpose_sanitizer.findings import Span

FAR, ROW = 1_500, 300
"""How far around it the end of a turn and other names are looked for, and how long a row is, in characters."""
FEW, OTHERS = 3, 2
"""Words of a value; and other labels in its row."""
_INST = r"\[inst\]"
_NAME = r"\[[a-z][\w ]{0,40}\]"
_TURN = re.compile(
    r"\[\s{0,4}/\s{0,4}(?:inst|sys|user|system)\s{0,4}\]|<{1,2}\s?/?\s?sys\s?>|<\|?/?(?:s|im_\w{1,8})\|?>"
)
"""What would make a turn of it."""
_QUALIFIES = re.compile(rf"{_INST}\.{_NAME}|{_NAME}\.{_INST}")
_BEFORE = re.compile(
    r"(?:\b(?:select|distinct|as|from|join|on|by|into|update|table|where|and|or)\s{1,8}|[.,=(<>]\s{0,8}|\]\s)$"
)
_AFTER = re.compile(
    r"\.\[|\s{0,4}(?:[,);=]|$)|\s{1,8}(?:(?:on|where|as|join|left|inner|group|order|set|from|with|and|or)\b|--)"
)
_COMMENTED = re.compile(r"--[^\n\[]{0,80}$")
_IS_A_NAME = re.compile(
    r" (?:is|=|stands for|means)(?: [a-z]{1,12}){0,3} (?:alias|table|column|view|schema|short|abbreviation)\b"
)
_LABEL = re.compile(r"\[/?[a-z]{2,8}\]")
_WORDS = re.compile(r"[a-z]{2,}+|[^\x00-\x7f]")
_VALUE_ENDS = re.compile(r"\[|\n|$")
_PARTS = re.compile(r"(?<=[.!?;,])\s|\n|--")


def holds(text: str, span: Span) -> bool:
    """Whether the brackets at a span of a shadow are such a name."""
    if text[slice(*span)].strip() != "[inst]":
        return False
    begin, end = max(span[0] - FAR, 0), span[1] + FAR
    if _TURN.search(text, begin, end):
        return False
    span = span[0], span[0] + len(text[slice(*span)].rstrip())
    return _is_of_sql(text, span) or _is_of_row(text, span)


def _is_of_sql(text: str, span: Span) -> bool:
    """Whether it is a name of SQL where one may stand, in a text that has it before or behind another."""
    if _QUALIFIES.search(text, max(span[0] - FAR, 0), span[1] + FAR) is None:
        return False
    before = text[max(span[0] - ROW, 0) : span[0]]
    if _COMMENTED.search(before):
        return _IS_A_NAME.match(text, span[1]) is not None
    return bool(_BEFORE.search(before) and _AFTER.match(text, span[1], span[1] + ROW))


def _is_of_row(text: str, span: Span) -> bool:
    """Whether it labels a short value among others, and neither that nor what stands below orders."""
    begin = text.rfind("\n", max(span[0] - ROW, 0), span[0]) + 1
    end = text.find("\n", span[1], span[1] + ROW)
    row = text[begin : end if end >= 0 else span[1] + ROW]
    others = {one for one in _LABEL.findall(row) if one != "[inst]"}
    value = text[span[1] : _VALUE_ENDS.search(text, span[1], span[1] + ROW).start()]  # type: ignore[union-attr]
    if len(others) < OTHERS or len(_WORDS.findall(value)) > FEW:
        return False
    below = text[span[1] : span[1] + FAR].partition("\n\n")[0]
    return not orders.begin_any(_PARTS.split(_LABEL.sub("\n", below)))
