"""How much of a text an attack takes with it: what is recognised gives it away, what it asks for stands around it.

All of it looks at the text itself, where capitals and marks still tell sentences apart, and no further than a few
hundred characters from what was recognised. Quotation marks, tags and fields end a sentence as well: what is data
beside the attack stays.
"""

import re
from enum import StrEnum
from typing import assert_never

from interpose_sanitizer import attributes, orders, quoted
from interpose_sanitizer.findings import Span
from interpose_sanitizer.quoted import JOINED, PAIRS, TURNED

BEFORE, AFTER, TURN, NAMED = 400, 800, 4_000, 100
"""How far is looked, in characters."""
QUOTATIONS = PAIRS | TURNED
LONG = 45
"""Characters of a line that may break off in a sentence."""


class Reach(StrEnum):
    """What is taken beside the match."""

    MATCH = "match"
    SENTENCE = "sentence"
    """The sentence around it."""
    LINE = "line"
    """The rest of its line, too."""
    TURN = "turn"
    """What stands behind it, until the next token or closing tag of its paragraph; its line, where there is none."""
    NEXT = "next"
    """The sentence around it, and the next in its line: what a phrase like "ignore the previous instructions" makes
    room for, in whatever language."""
    ORDERS = "orders"
    """The sentence around it, and those behind it that order: see `orders`."""
    BLOCK = "block"
    """For a heading or an opening tag: all until its closing tag; the rest of its line, and what follows from it; the
    paragraph below, where the line ends with it."""


STOPS = "\u3002\uff01\uff1f\u0964\u061f\u06d4\u1362\u104b\u17d4\u0589\u0f0d"
"""What ends a sentence without a space behind it, in other scripts."""
_WRAPPED = (
    r"[ \t>]{0,40}(?:``[^`\n]{1,200}``[ \n]|(?![a-z]+ [\w.]{1,40}(?:\(| ?[={]))"
    r"[a-zß-öø-ÿα-ωа-яё]+(?:[,'\n]|\Z|[ ](?![=:({])))"
)
"""How a line begins in which a sentence goes on: with a word, or with code in the marks of reStructuredText."""
_GOES_ON = re.compile(rf"\n{_WRAPPED}")
_CLOSES = (
    r"""(?=(?<!\\)["”»]\s{0,8}(?:[,}\]:;]|$))|(?=["”»]\n)|(?=\\?["']\s{0,8}[,}\]])|(?=-->)|(?=\s?\*/)|(?=\\[nr])"""
    r"""|(?=<(?:/|!|[A-Za-z][a-z0-9_]*\b[^<>]{0,200}>[^<]))"""
)
# Runs are taken whole or not at all: tried from each of their characters they would take the square of their length.
_ENDS = re.compile(rf"(?<![.!?…])[.!?…]++(?=[\"')\]}}»«”*_]*(?:\s|$|<|\\n))|[{STOPS}]|(?=\n(?!{_WRAPPED}))|{_CLOSES}")
ENDED = frozenset(".!?\u2026" + STOPS)
"""What a sentence ends with, in any script."""
_SAME_LINE = re.compile(r"[ \t]{0,8}[^\W_]")
_STOPPED = re.compile(r"[.!?…]++(?=\s)|(?=\n)|(?=\*/)")
_LINE_ENDS = re.compile(rf"(?=\n)|{_CLOSES}")
_TURN_ENDS = re.compile(r"(?=<\s{0,8}[|/\uff5c])|(?=\[\s{0,8}[/|])|(?=<[|]?[a-z]+_[a-z_]+[0-9]?>)|\n[ \t]{0,40}\n")
_ENDING = re.compile(
    r"(?:(?<!header)[<|_/▁\s\]]e(?:nd(?!_header|_of_role)|o[tmds](?:_id)?\b)[^>]{0,20}|\|(?:return|call)\s?\||/)[^<]{0,24}[>\]]$|^[<\[]\s?/[^<>\[\]]*[>\]]$",
    re.IGNORECASE,
)
_TOKEN = re.compile(r".[^\]>]*[\]>](?=\s*\n)|.*", re.DOTALL)
_APOSTROPHE = re.compile(r"(?<!\w)'")
_NEXT_TOKEN = re.compile(r"[<\[][^<>\[\]\n]{1,40}[>\]]")
_CLOSED = re.compile(r".[^\]>]*+[\]>]++[^\]>]*\[\s?/[^\[\]<>]{1,40}\]\Z", re.DOTALL)
"""A turn with its token, and the tag that closes it."""
_OF_A_RESULT = re.compile(r"[<\[]\s?[a-z_]*(?:result|response|output|observation)s?\W{0,2}\Z", re.IGNORECASE)
"""Opens what a tool answers: what stands below one that nothing closes is as likely what it did answer."""
_OF_ALL = re.compile(r"end.?of.?text", re.IGNORECASE)
_BEFORE_A_TURN = re.compile(r"<<\s?/\s?sys\s?>>", re.IGNORECASE)
"""The end of what a system says within the turn of a user, who goes on."""
_OF_THE_MODEL = re.compile(r"(?:assistant|model|chatbot)\W", re.IGNORECASE)
_LAST_CHANNEL = re.compile(r"(?:assistant|model)\s?<\|channel\|>\s?final\s?<\|message\|>\Z", re.IGNORECASE)
_BLANK = re.compile(
    r"(?:[ \t]{0,20}(?:system|user|human|tool|developer)?[ \t:]{0,4}(?:\n|(?:\\n){1,3}))?", re.IGNORECASE
)
_BEGINS = re.compile(
    rf"(?<![.!?…])[.!?…]++[\"')\]}}»«”*_]*+\s+|[{STOPS}]|\n(?!{_WRAPPED})[ \t]*"
    rf"|(?<!\w)(?:[\"“„«\u2018'`「({{\[]|[»”](?=\w))|(?<={JOINED})[“«「『《(]|>\s*|:(?!//)\s*"
    r"|\*/\s*|<!--\s*|(?:#++|//++|\*++|--++|@\w++)\s+|\\[nr]"
    r"|(?m:^)(?i:hi|hello|hey|dear|good (?:morning|day|evening)|hallo|liebe[rs]?|guten tag|bonjour|hola|ciao)\b"
    r"[^\n.!?:;]{0,40},[ \t]*\n\s*"
)
LONGEST_ENTRY, SHORTEST_ENTRY = 24, 16
"""Characters of a line that says something by itself, as in a log, and of one of which no other begins alike."""
_ENTRY = re.compile(rf"(?:\A|\n)(?=[^\n]{{1,{LONGEST_ENTRY}}}\n)([a-z0-9\[]\S*)[^\n]*[^\s.,:;!?-]\n\Z")
_COMMENT = re.compile(r"(?:\+|-(?!#\s))?[ \t]{0,40}(?://|#|--|;)")
_WORD = re.compile(r"(?<!\\)\w|(?<=\\)[^\Wnrt]|<")
"""How a word begins; the escape of a line break begins none."""
_NO_WORDS = "".join(chr(point) for point in range(0x80) if not chr(point).isalnum())
_OPENING = re.compile(r"<\s?([A-Za-z][\w-]{0,30})")
_SAID = re.compile(r"\w[^\n]{0,80}\w")
_OF_A_PAGE = r"(?:p|div|li|ul|ol|td|th|tr|span|br|b|i|em|strong|a|h[1-6]|section)\b"
_REST_OF_TAG = re.compile(rf"<?/{_OF_A_PAGE}[^<>]{{0,20}}>(?:\s{{0,8}}<{_OF_A_PAGE}[^<>]{{0,100}}>){{0,8}}")
"""The end of an element of a page, and the beginnings of others right behind it."""
_BELOW = re.compile(
    r"(?:[ \t]{0,20}\n){1,3}[ \t]{0,20}\S[^\n]{0,400}(?:\n[ \t]{0,20}[^\s\-*#=<\[{][^\n]{0,400}){0,4}"
    r"(?:\n[-=*#<\[]{1,8}[^\n]{0,12}\b(?i:end|stop|next)\b[^\n]{0,60})?"
)
"""The paragraph below a heading, and the mark that ends it."""


def extended(text: str, span: Span, reach: Reach, said: str = "") -> Span:
    """The span of this text with what its reach takes beside it. `said` is what it says, if it was disguised."""
    match reach:
        case Reach.MATCH:
            return span
        case Reach.SENTENCE:
            span = _from_word(text, span)
            begin, end = _begin(text, span), _end(text, span, _ENDS, AFTER, ended=".!?\n" + STOPS)
            end = _end_of_comment(text, begin, span[1], end)
            begin, end = _between_entries(text, span, (begin, end))
            end = min(_quoted(text, begin, span[1], end), quoted.end_of_what_is_said(text, span, end))
            return attributes.within(text, span, (begin, end))
        case Reach.LINE:
            span = _from_word(text, span)
            end = _end(text, span, _LINE_ENDS, AFTER)
            return attributes.within(text, span, (span[0], quoted.end_of_what_is_said(text, span, end)))
        case Reach.TURN:
            return _turn(text, span, said)
        case Reach.NEXT | Reach.ORDERS:
            sentence = extended(text, span, Reach.SENTENCE)
            return sentence[0], _next(text, sentence[1]) if reach is Reach.NEXT else behind(text, sentence)
        case Reach.BLOCK:
            return _block(text, span)
        case _:
            assert_never(reach)


def behind(text: str, sentence: Span) -> int:
    """The end of the orders that follow a sentence."""
    value = attributes.value(text, sentence)
    if value:
        return min(orders.followed(text, sentence[1]), value[1])
    return orders.followed(text, _end_of_quotation(text, *sentence))


def _next(text: str, end: int) -> int:
    """The end of the sentence that begins behind a place in the same line; the place itself, where none does."""
    begun = _SAME_LINE.match(text, end)
    if begun is None or text[end - 1] not in ENDED:
        return end
    return _end(text, (end, begun.end()), _ENDS, AFTER)


def _turn(text: str, span: Span, said: str) -> Span:
    """What a token begins: nothing, where a quotation ends with it. One that nothing ends takes its line, or the next
    where nothing is left of it."""
    token = "".join(filter(str.isprintable, _TOKEN.match(said or text[slice(*span)])[0]))  # type: ignore[index]
    # What stands right behind the end of all text is what a model would be told next.
    is_spoken_behind = _OF_ALL.search(token) and text[span[1] : span[1] + 1].isalnum()
    if _is_closed_in(text, span) or _CLOSED.match(text, *span):
        return span
    if _ENDING.search(token) and not (is_spoken_behind or _BEFORE_A_TURN.search(token)):
        return span
    limit = min(span[1] + TURN, len(text))
    found = _TURN_ENDS.search(text, span[1], limit)
    is_ended = found is not None and found[0] == ""
    if _is_of_the_model(text, span) and text.startswith("\n", span[1]):
        # What stands below is as likely what comes behind the attack as a model's words, unless its turn is ended.
        ending = _NEXT_TOKEN.match(text, found.start()) if found and is_ended else None
        return (span[0], ending.start()) if ending and _ENDING.search(ending[0]) else span
    if found and is_ended:
        return span[0], found.start()
    if _OF_A_RESULT.search(token):
        return span
    line = _LINE_ENDS.search(text, _BLANK.match(text, span[1], limit).end(), limit)  # type: ignore[union-attr]
    return span[0], orders.followed(text, max(line.start() if line else limit, span[1]))


def _is_of_the_model(text: str, span: Span) -> bool:
    """Whether a token begins what a model says, in its last channel where there are several."""
    is_near = _OF_THE_MODEL.search(text, max(span[0] - 12, 0), span[1])
    return bool(is_near or _LAST_CHANNEL.search(text, max(span[0] - 60, 0), span[1]))


def _is_closed_in(text: str, span: Span) -> bool:
    """Whether a quotation, or code in prose, that began in its line closes right behind a span."""
    closing = text[span[1] : span[1] + 1]
    before = text[max(text.rfind("\n", 0, span[0]) + 1, span[0] - NAMED) : span[0]]
    if closing == "'":
        return len(_APOSTROPHE.findall(before)) % 2 == 1
    if closing in ('"', "`"):
        return before.count(closing) % 2 == 1
    opened = (before.rfind(mark) > before.rfind(closing) for mark, fellows in PAIRS.items() if closing in fellows)
    return closing != "" and any(opened)


def _block(text: str, span: Span) -> Span:
    """What a heading or an opening tag heads."""
    tag = _OPENING.match(text, *span)
    closed = re.compile(rf"</\s?{tag[1]}\s?>", re.IGNORECASE).search(text, span[1], span[1] + TURN) if tag else None
    if closed:
        return span[0], closed.end()
    _, end = extended(text, span, Reach.LINE)
    if _SAID.search(text, span[1], end):
        return span[0], orders.followed(text, end)
    below = _BELOW.match(text, end, min(end + AFTER, len(text)))
    return span[0], below.end() if below else end


def _from_word(text: str, span: Span) -> Span:
    """The span from its first word on: a rule may have looked at the mark before it, or at the tag that ends there."""
    is_closing = text.find("</", max(span[0] - 1, 0), span[0] + 2) >= 0
    tag = _REST_OF_TAG.match(text, *span) if is_closing else None
    span = (tag.end(), span[1]) if tag else span
    word = _WORD.search(text, *span)
    return (word.start(), span[1]) if word else span


def _begin(text: str, span: Span) -> int:
    window = max(span[0] - BEFORE, 0)
    # With the first character of what was recognised: some marks only open right before a word.
    begins = [found.end() for found in _BEGINS.finditer(text, window, span[0] + 1)]
    for begin in reversed(begins):
        if begin <= span[0] and not (_is_closed(text, begin, span[0]) or _goes_on(text, begin)):
            return begin
    return 0 if window == 0 else span[0]


def _goes_on(text: str, begin: int) -> bool:
    """Whether what begins there is a line in which the sentence of a long one before goes on."""
    line = text.rfind("\n", 0, begin)
    above = text[max(line - LONG, 0) : max(line, 0)]
    return (
        not text[line + 1 : begin].strip()
        and len(above) == LONG
        and "\n" not in above
        and bool(_GOES_ON.match(text, line))
    )


def _is_closed(text: str, begin: int, matched: int) -> bool:
    """Whether a quotation that begins there has ended before a place: it is a part of the sentence around it."""
    marks = QUOTATIONS.get(text[begin - 1 : begin], "")
    return any(text.find(mark, begin, matched) >= 0 for mark in marks)


def _end_of_comment(text: str, begin: int, matched: int, end: int) -> int:
    """The end of a sentence; of one in a comment of code, no later than its line: what follows is code."""
    line = text.rfind("\n", max(begin - BEFORE, 0), begin) + 1
    stop = text.find("\n", matched, end)
    return stop if stop >= 0 and _COMMENT.match(text, line, begin) else end


def _between_entries(text: str, matched: Span, sentence: Span) -> Span:
    """A sentence; of one between short lines of a log, its own line."""
    begin, end = text.rfind("\n", 0, matched[0]) + 1, text.find("\n", matched[1], sentence[1])
    entry = _ENTRY.search(text, max(begin - LONGEST_ENTRY - 2, 0), begin)
    if end < 0 or entry is None:
        return sentence
    following = text[end + 1 : end + LONGEST_ENTRY + 2].partition("\n")[0]
    is_like = len(following) <= LONGEST_ENTRY and following.split()[:1] == [entry[1]]
    return (max(begin, sentence[0]), end) if is_like or len(following) <= SHORTEST_ENTRY else sentence


def _quoted(text: str, begin: int, matched: int, end: int) -> int:
    """The end of a sentence; of one that begins behind a quotation mark, its fellow: what follows speaks of it. In a
    string of JSON one that is escaped is none."""
    marks = QUOTATIONS.get(text[begin - 1 : begin])
    escaped = "" if text[begin - 2 : begin - 1] == "\\" else r"(?<!\\)"
    found = re.compile(rf"{escaped}[{marks}](?:(?!\w)|(?={JOINED}))").search(text, matched, end) if marks else None
    return found.start() if found else end


def _end_of_quotation(text: str, begin: int, end: int) -> int:
    """The end of a sentence; of one that ends with a quotation mark that it opened itself, what stands behind that."""
    if text[end : end + 1] == '"' and (text.count('"', begin, end) - text.count('\\"', begin, end)) % 2:
        if text[end + 1 : end + 2] in ("", "\n"):
            return end + 1
        return _end(text, (begin, end + 1), _ENDS, AFTER)
    return end


def _end(text: str, span: Span, ends: re.Pattern[str], far: int, *, ended: str = "") -> int:
    span = span[0], _end_of_words(text, span)
    if text[span[1] - 1] in ended and not _is_in_a_name(text, span[1]):
        # A rule may have looked at the line break behind it, which is not the attack's.
        return span[0] + len(text[slice(*span)].rstrip("\n"))
    limit = min(span[1] + far, len(text))
    found = ends.search(text, span[1], limit)
    return found.end() if found else limit


def _end_of_words(text: str, span: Span) -> int:
    """The end of a match; of one that looked at what stands behind its sentence, the end of that."""
    last = span[0] + len(text[slice(*span)].rstrip(_NO_WORDS))
    found = _STOPPED.search(text, last, span[1]) if span[0] < last < span[1] else None
    return found.end() if found and found.end() < span[1] else span[1]


def _is_in_a_name(text: str, end: int) -> bool:
    """Whether the full stop before this place stands in an address or a number."""
    return text[end - 1] == "." and text[end : end + 1].isalnum()
