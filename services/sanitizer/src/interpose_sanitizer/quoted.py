"""Quotations: the marks around an attack, and whether a sentence of prose goes on around them."""

import re

from interpose_sanitizer.findings import Span

INSIDE = 240
"""How far marks may be from what they quote, in characters."""
PAIRS = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”",
    "\u2018": "\u2019",
    "«": "»",
    "\u2039": "\u203a",
    "„": "“”",
    "\u201a": "\u2018\u2019",
    "「": "」",
    "『": "』",
    "《": "》",
}
"""What opens a quotation, and everything that may close it."""
TURNED = {"»": "«", "”": "”"}
"""The same in languages that turn marks round: they open only behind a blank or bracket and right before a word."""
LEAD, FEWEST_LETTERS = 100, 5
"""What is looked at before a quotation and behind it; and how many letters of a script without spaces lead to one."""
_MARKS = re.compile(f"[{re.escape(''.join({*PAIRS, *''.join(PAIRS.values()), *TURNED}))}]")
_AT_EDGES = "".join(PAIRS) + "".join(PAIRS.values()) + " \n:"
_TURNED = re.compile(r"(?<![^\s(\[{])[»”](?=\w)")
_OPENS = re.compile(r"(?:^|[\s(\[{,:;/=`\"'-]|[^\x00-\x7f]|(?:^|[\s(\[{,=])[rbuf])$")
_CLOSES = re.compile(r"[\s)\]}.,;:!?/`\"'-]|$|[^\x00-\x7f]")

_WORD = r"[^\W\d_]++(?:['\u2019-][^\W\d_]++)*+"
_SPACELESS = r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"
_LEADS = re.compile(rf"(?:^|[ (]){_WORD}[,:]? {_WORD}[,:]? ?$|{_SPACELESS}{{{FEWEST_LETTERS}}}[:, ]?$")
"""What a sentence says before it quotes: two words, of which none is a number or an address."""
_GOES_ON = re.compile(rf"[,)]? {_WORD}[,.;:!?)]? {_WORD}|[)]?[.,;:!?](?:\s|$)|,?{_SPACELESS}{{2}}")
_SENTENCE = re.compile(r"[.!?。](?=\s)|[。\n|<>=;{}\[\]]")
_ENDED = frozenset(".!?…。")


def quotation(text: str, span: Span) -> Span | None:
    """The nearest quotation marks around a span, with themselves; None when there are none in its line."""
    left = text[max(span[0] - INSIDE, 0) : span[0]].rpartition("\n")[2]
    right = text[span[1] : span[1] + INSIDE].partition("\n")[0]
    for found in reversed(list(_MARKS.finditer(left))):
        mark, place = found[0], span[0] - len(left) + found.start()
        closing = _fellows(text, place)
        if closing:
            end = _closing(text, right, span[1], closing)
            return None if end is None else (place, end)
        if mark not in PAIRS or mark in TURNED.values():
            return None
    return None


def _fellows(text: str, place: int) -> str:
    """What may close the quotation that the mark at a place opens; nothing where it opens none."""
    if _TURNED.match(text, place):
        return TURNED[text[place]]
    return PAIRS.get(text[place], "") if _OPENS.search(text[max(place - 2, 0) : place]) else ""


def _closing(text: str, right: str, base: int, marks: str) -> int | None:
    for found in _MARKS.finditer(right):
        place = base + found.end()
        if found[0] in marks and _CLOSES.match(text[place : place + 1]):
            return place
    return None


def sentence(text: str, marks: Span) -> str | None:
    """What a sentence of prose says around a quotation; None where none leads to it and goes on behind it or ends.

    No row of data, no log and no title of a link does: they have numbers, addresses and signs there.
    """
    start, end = marks
    before = _SENTENCE.split(text[max(start - LEAD, 0) : start])[-1]
    behind = text[end : end + LEAD]
    has_ended = text[end - 2 : end - 1] in _ENDED and behind.startswith(" ")
    if has_ended or any(map(str.isdigit, before)) or not (_LEADS.search(before) and _GOES_ON.match(behind)):
        return None
    return f"{before} {_SENTENCE.split(behind)[0]}"


def inside_marks(text: str, span: Span) -> Span:
    """A match without the quotation marks at its ends: some rules look at what stands before an order."""
    said = text[span[0] : span[1]]
    left = len(said) - len(said.lstrip(_AT_EDGES))
    return span[0] + left, max(span[0] + len(said.rstrip(_AT_EDGES)), span[0] + left)
