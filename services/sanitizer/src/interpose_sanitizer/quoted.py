"""Quotations: the marks around an attack, and whether a sentence of prose goes on around them."""

import re
from collections.abc import Sequence
from functools import cache

from interpose_sanitizer import orders, wording
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
OPENS = frozenset((*PAIRS, *TURNED))
LEAD, FEWEST_LETTERS = 100, 5
"""What is looked at before a quotation and behind it; and how many letters of a script without spaces lead to one."""
NEAR = 20
"""Characters in which the last word of a quotation is looked for."""
WRAPPED = 50
"""Characters of a line that may break off in a sentence."""
_MARKS = re.compile(f"[{re.escape(''.join({*PAIRS, *''.join(PAIRS.values()), *TURNED}))}]")
_AT_EDGES = "".join(PAIRS) + "".join(PAIRS.values()) + " \n:"
_TURNED = re.compile(r"(?<![^\s(\[{])[»”](?=\w)")
_OPENS = re.compile(r"(?:^|[\s(\[{,:;/=`\"'-]|[^\x00-\x7f]|(?:^|[\s(\[{,=])[rbuf])$")
_CLOSES = re.compile(r"[\s)\]}.,;:!?/`\"'-]|$|[^\x00-\x7f]")

_WORD = r"[^\W\d_]++(?:['\u2019-][^\W\d_]++)*+"
_COLON = r"(?:[ \xa0\u202f]:|[,:])?[ \xa0\u202f]?"
"""What may stand between words and what they lead to: French leaves a blank before a colon."""
_SPACELESS = r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"
JOINED = _SPACELESS.replace("]", r"\uac00-\ud7af]")
"""Letters that stand right beside a mark of quotation: of scripts without spaces, and particles of Korean."""
_LEADS = re.compile(rf"(?:^|[ (]){_WORD}[,:]? {_WORD}{_COLON}$|{_SPACELESS}{{{FEWEST_LETTERS}}}[:, ]?$")
"""What a sentence says before it quotes: two words, of which none is a number or an address."""
_LEADS_BEHIND = re.compile(rf"{_WORD}[\"”“»]?[)][,:]? {_WORD}{_COLON}$")
"""The same behind a bracket."""
_GOES_ON = re.compile(
    rf"[,)]? {_WORD}[,.;:!?)]? {_WORD}|[)]?[.,;:!?](?:\s|$)|,?{_SPACELESS}{{2}}"
    rf"|[\u3001\u3002\uff01\uff0c\uff1b\uff1f]|[.,;!?]{_SPACELESS}|[\uac00-\ud7af]{{1,5}} {_WORD}"
)
_FOLLOWS = re.compile(rf"[)]?(?:[.,;:!?](?:\s|$)|,? {_WORD}|\s{{0,8}}$|\n)")
_BEGAN = re.compile(rf" {_WORD} {_WORD}[ ,.;:]")
_BEFORE_WORDS = " \n\t\u2013\u2014\u2015"
_DASH, _ASIDE = re.compile(r"[ \t]{0,8}[\u2013-\u2015][ \xa0]"), re.compile(r"[ ,.!?\u2026][ ]?[\u2013-\u2015][ ]")
_SENTENCE = re.compile(r"[.!?。](?=\s)|[。\n|<>=;{}\[\]]")
_WRAP = re.compile(rf"(?<=[^\n]{{{WRAPPED}}})\n(?:[ \t]{{0,8}}(?:>|#|//|\*)[ \t])?[ \t]{{0,8}}(?=[^\W\d_]|[\"'`“„«(])")
_ENDED = frozenset(".!?…。")
_AMBIGUOUS = frozenset("\"'`\u2019")
"""What ends a quotation and means something else as often: it opens one, or leaves a letter out."""
_HALF = r"[,;:(\u2013\u2014\u3001\uff0c\uff1b\uff1a\u060c\u061b-]"
"""What ends no sentence."""
_LETTER = re.compile(r"\w")


def quotation(text: str, span: Span) -> Span | None:
    """The nearest quotation marks around a span, with themselves; None when there are none in its line.

    A line that is wrapped goes on in the next one.
    """
    left = _unwrapped(text, max(span[0] - INSIDE, 0), span[0]).rpartition("\n")[2]
    place, closing = _open(text, left, span[0] - len(left))
    if not closing:
        return None
    end = _closing(text, _unwrapped(text, span[1], span[1] + INSIDE).partition("\n")[0], span[1], closing)
    return None if end is None else (place, end)


def _open(text: str, left: str, base: int) -> tuple[int, str]:
    """Where the innermost quotation begins that is still open behind some text, and what may close it; nothing, where
    none is. What was quoted before holds nothing that stands behind it."""
    opened = [(base, "")]
    for found in _MARKS.finditer(left):
        mark, place = found[0], base + found.start()
        fellow = _opener(opened, mark) if _CLOSES.match(text[place + 1 : place + 2]) else 0
        fellows = "" if fellow else _fellows(text, place)
        if fellow:
            del opened[fellow:]
        elif fellows:
            opened.append((place, fellows))
        elif mark not in PAIRS or mark in TURNED.values():
            opened = opened[:1]
    return opened[-1]


def _opener(opened: Sequence[tuple[int, str]], mark: str) -> int:
    """Which of some quotations a mark closes that closes any: the innermost; 0, where there is none."""
    return next((number for number in range(len(opened) - 1, 0, -1) if mark in opened[number][1]), 0)


def spoken(text: str, span: Span) -> Span | None:
    """What is said behind a dash at the beginning of a line, up to another dash, as novels of many languages print it;
    None where no line begins so that holds the span."""
    begin = span[1] - len(text[slice(*span)].lstrip(_BEFORE_WORDS))
    left = text[max(begin - INSIDE, 0) : begin].rpartition("\n")[2]
    dash = _DASH.match(left)
    if dash is None or _ASIDE.search(left, dash.end()):
        return None
    right = _ASIDE.split(text[begin : span[1] + INSIDE].partition("\n")[0])[0]
    return begin - len(left) + dash.end(), begin + len(right)


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
    before = _before(text, start)
    behind = _unwrapped(text, end, end + LEAD)
    has_ended = text[end - 2 : end - 1] in _ENDED and behind.startswith(" ")
    marks_left = len(_lone(text[start]).findall(text[end : end + LEAD].partition("\n")[0]))
    # What is set to something, and ends its line, says nothing with the line below.
    is_set = text[start - 1 : start] == "=" and text[end : end + 1] == "\n"
    if has_ended or is_set or any(map(str.isdigit, before)) or not _is_led(before, behind, marks_left):
        return None
    return f"{before} {_SENTENCE.split(behind)[0]}"


def is_led(text: str, place: int) -> bool:
    """Whether words of prose lead to a quotation that begins there, also behind a bracket."""
    before = _before(text, place)
    return (_LEADS.search(before) or _LEADS_BEHIND.search(before)) is not None


def _before(text: str, place: int) -> str:
    """What its sentence says before a quotation that begins there."""
    return _SENTENCE.split(_unwrapped(text, max(place - LEAD, 0), place))[-1]


def led(text: str, marks: Span) -> str | None:
    """What the sentence says in which words lead to a quotation, however it goes on; None where none do."""
    start, end = marks
    before = _before(text, start)
    behind = _unwrapped(text, end, end + LEAD)
    if _LEADS.search(before) is None or _FOLLOWS.match(behind) is None:
        return None
    return f"{before} {_SENTENCE.split(behind)[0]}"


@cache
def _lone(mark: str) -> re.Pattern[str]:
    """Such marks, but for apostrophes, as far as those can be told."""
    return re.compile(rf"(?<!\w){re.escape(mark)}|{re.escape(mark)}(?!\w)")


def _is_led(before: str, behind: str, marks_left: int) -> bool:
    """Whether words lead to a quotation and go on behind it, or it is the beginning of what they say: not, if one of
    its marks that are left in the line closes what none opened, for then a value of YAML has a quotation in it."""
    if _LEADS.search(before):
        return bool(_GOES_ON.match(behind))
    is_first = not before.strip(" \n-*") and _BEGAN.match(behind)
    return bool(is_first) and marks_left % 2 == 0


def _unwrapped(text: str, start: int, end: int) -> str:
    """A part of a text with blanks for the line breaks in it that only wrap a line: all stays in its place."""
    if text.find("\n", start, end) < 0:
        return text[start:end]
    begin = max(start - WRAPPED, 0)
    part = text[begin:end]
    return _WRAP.sub(lambda found: " " * len(found[0]), part)[start - begin :]


def end_of_what_is_said(text: str, matched: Span, end: int) -> int:
    """Where that ends which would be taken for a match: no further than the quotation in which that begins, since what
    stands behind is said by somebody else. Where that is a part of the match, goes on with what is said, or orders,
    marks tell nothing."""
    marks = quotation(text, (matched[0], matched[0]))
    if marks is None or marks[1] > end or text[marks[1] - 1] in _AMBIGUOUS:
        return end
    said = text[matched[0] : marks[1] - 1].rstrip()
    behind = (end - len(text[marks[1] : end].lstrip()), end)
    is_part = _LETTER.search(text, marks[1], max(matched[1], marks[1]))
    goes_on = is_part or _joins().search(said[-NEAR:].casefold()) or orders.begins(text, behind)
    return end if goes_on else matched[0] + len(said)


@cache
def _joins() -> re.Pattern[str]:
    """The end of what is said that says more: a comma, or a word that joins sentences."""
    then = wording.known()["told"]["then"]
    return re.compile(rf"(?:{_HALF}|(?:(?<!\w)|(?=[^\x00-\u2fff]))(?:{then}))\W{{0,4}}\Z")


def inside_marks(text: str, span: Span) -> Span:
    """A match without the quotation marks at its ends: some rules look at what stands before an order."""
    said = text[span[0] : span[1]]
    left = len(said) - len(said.lstrip(_AT_EDGES))
    return span[0] + left, max(span[0] + len(said.rstrip(_AT_EDGES)), span[0] + left)
