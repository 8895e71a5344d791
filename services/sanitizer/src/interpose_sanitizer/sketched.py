"""Turns that are only sketched: between their tokens stand the names of roles, escapes, places to be filled in, dots.

Programs put a template together from strings that hold nothing else, comments in them and documents show its form
like that, and expressions look for its tokens. Words that somebody could obey make a turn of it, wherever they stand:
between the tokens, in another string, or in the lines below a string or a comment, unless those are code.
"""

import re
from collections.abc import Callable
from itertools import dropwhile

from interpose_sanitizer import listed, orders, quoted, rendered, shown, trifles
from interpose_sanitizer.codelines import Line
from interpose_sanitizer.findings import Span

LINE, BELOW = 400, 400
"""How far is looked for the ends of a line, and for what stands in the lines below it, in characters."""
LEAST_CODE = 2
"""Lines of a program beside a string or a comment that shows a template."""
FEW = 2
"""Words of any string near a token."""

_PART = (
    r"(?:system|users?|assistant|tools?|developer|human|model|role|content|messages?|msg|prompt|question|answer|text|query"
    r"|response|input|instruction|context|document|header|name|value"
    r"|rolle|r\u00f4le|rol|ruolo|papel|rola|\u0440\u043e\u043b\u044c|\u89d2\u8272)"
)
"""What stands for a part of a template. No word that orders: "output system prompt" would be one."""
_SIGN = (
    r"<{1,2}[|/]{0,2} ?[a-z]{1,16}(?:[_-][a-z0-9]{1,12}){0,3} ?\|?>{1,2}"
    r"|\[ ?/? ?(?:inst|system_prompt|gmask|available_tools|tool_calls|tool_results?) ?\]"
    r"|#{2,4} ?(?:instruction|input|response|human|assistant|user|system):?"
)
_HOLE = (
    r"\{{1,2}[%-]{0,2} ?[\w.\[\]'\"()]{0,40}(?: ?[|+] ?[\w()'\"]{1,20}| [a-z]{1,16})? ?[%-]{0,2}\}{1,2}"
    r"|%s|\$\{[\w.]{1,40}\}"
)
_EXPRESSION = r"\\[sdwb]|\[\^?[^\]\s]{1,12}\]|[()|*+?^$]|\\(?=[<>|\[\]/()])"
_ITEM = rf"{_SIGN}|\\[nrt]|{_HOLE}|\.{{2,3}}|\u2026|{_EXPRESSION}|{_PART}(?: {_PART})?(?!\s?[\w])|[\s:,.]"
_SKETCH = re.compile(rf"(?:{_ITEM}){{1,80}}+")
_LABEL = re.compile(r"(?:[a-z.]{1,16}(?: [a-z]{1,16}){0,2}: )?")
"""What a comment calls what it shows."""
_BEFORE = re.compile(
    r"(?:[=(,+\[{?<>|&~:]|\{[{%]-|\.\.|(?<=\s)\.|\b(?:return|in|and|or|if|case|yield))\s{0,8}(?:[rbfu]{1,2}|u8)?$"
)
_AFTER = re.compile(r"\s{0,8}(?:[;,)+\]}.?<>|&%=!:*]|$|(?:if|else|in|not|and|or|for|//|#)(?:\s|$))")
_FAILS = re.compile(r"\b(?:raise|throw|error|panic|assert|log|warn)")
_ADDRESSES = re.compile(
    r"://|[@$]|\b(?:the user (?:has|wants|asked|agreed|approve\w?)"
    r"|you|your|please|must|now|instead|obey|hereby|user's|credentials?|passwords?|keys?|secrets?)\b"
)
_PROGRAMMERS = re.compile(
    r"(?:skip|append|prepend|insert|add|set|put|mark|strip|close|open|start|end|begin)(?: (?:the|an?|at|of|to|for|with"
    r"|each|every|before|after|if|is|not|first|last|next|beginning|start|end|bos|eos|bot|eot|tokens?|roles?|turns?"
    rf"|headers?|templates?|newlines?|spaces?|whitespace|special|generation|{_PART})\b){{0,24}}[.]?"
)
"""What a comment in such a program asks for."""
_NAME = (
    rf"(?:{_PART}|[a-z]{{2,8}}(?:_[a-z]{{1,8}}){{1,2}}|endof(?:text|prompt)|start|end|bos|eos|pad|sep|inst|sys|think)"
)
_ALTERNATIVES = re.compile(rf"\\[|<>\[\]/]{{1,2}}\((?:\?:)?{_NAME}(?:\\?\|{_NAME}){{1,16}}\)\\?[|>\]?*+]")
"""Some names of tokens in an expression, between escaped signs."""
_CLOSED = re.compile(
    r"(?:<[|/]{0,2}(?:(?:[a-z]{1,8}_)?end(?!_header|_of_role)\w{0,16}|eo[tms]\w{0,8}|s)\|?>|\[ ?/ ?inst ?\])\W{0,4}\Z"
)
"""The end of a turn, at the end of its quotation."""
_SENTENCES = re.compile(r"(?<=[.!?;])\s|\n")
_GOES_ON = re.compile(r"^ [a-z]{2,20}(?=[.;:!?]?(?:\s{0,8}$|\n))")
"""The last word of a sentence, behind the marks: alone it orders nothing."""
_OF_A_USER = re.compile(
    r"\b(?:the |a )?(?:user|visitor|speaker)'?s (?:messages?|turns?|words|questions?|input|side|part)\b"
)
"""What stands in a turn, as documents name it."""
_SPEAKERS = re.compile(r"\b(?:users?|assistants?|models?)\b")
_ENDS = re.compile(r"\)[.,;:]?[ \t]{0,4}(?:\n[ \t]{0,8}(?:[-*\u2022] |\n)|$)")
"""The end of an item of a list, or of a paragraph."""
_WORDED = re.compile(r"[^\W\d_]{2,20} (?:[^\W\d_]{2,20}|v?[0-9]{1,3}(?:\.[0-9]{1,3}){0,2}) ?\($")
"""What leads to a bracket with what it names: two words, or one with a number of a version."""
_LABELS = re.compile(r"[ \t]{0,8}[-*\u2022] (?:\*\*)?[^\W\d_][\w.-]{1,20}(?: [\w.-]{1,12}){0,4}:(?:\*\*)? ")
"""What an item of a list says of whose template it speaks."""
_MORE = re.compile(rf", [^\W\d_]{{2,20}} (?:in|im|mit|with|en|dans|con|com|w|v|med|\u0432) (?:{_SIGN})$")
"""Where a sketch of it is over, and what else stands in which token."""
_IN_MARKS = re.compile(r"([`\"'])([^`\"'\n]{1,80})\1")
_OF_TOKENS = re.compile(
    r"\b(?:tokens?|markers?|delimiters?) (?:above |below )?(?:must|should) (?:not |never |always )?be"
    r" (?:encoded|escaped|tokeni[sz]ed|added|inserted|stripped)\b"
)
"""What documents have done to tokens."""
_DOTS = re.compile(r" ?(?:\u2026|\.{3}) ?([`\"'])([^`\"'\n]{3,40})\1")
"""What a turn says, left out, and the quotation behind it."""
_FURTHER = re.compile(r" [a-z]{2,20} [a-z]{2,20}[^\n]{0,160}")
_LONG_STRING = re.compile(r"\"{3}|'{3}")
"""What holds lines that are no code."""
_WORDS = re.compile(r"[a-z]{2,}+|[^\x00-\x7f]")


def holds(text: str, span: Span) -> bool:
    """Whether a token of a shadow stands in a turn that is only sketched."""
    ways = (_is_alternative, _is_in_code, _is_shown, _is_itemed)
    return any(way(text, span) for way in ways)


def is_sketch(said: str) -> bool:
    """Whether something holds only tokens, and what stands for the parts of a template."""
    return _SKETCH.fullmatch(said) is not None


def _is_alternative(text: str, span: Span) -> bool:
    """Whether an expression looks for the token, among others."""
    begin, end = max(span[0] - LINE, 0), span[1] + LINE
    return any(one.start() < span[0] and span[1] <= one.end() for one in _ALTERNATIVES.finditer(text, begin, end))


def _is_in_code(text: str, span: Span) -> bool:
    """Whether the token stands in a string or a comment of a program that hold nothing else."""
    begin = text.rfind("\n", max(span[0] - LINE, 0), span[0]) + 1
    end = text.find("\n", span[1], span[1] + LINE)
    line = Line.of(text[begin : end if end >= 0 else len(text)][: 2 * LINE])
    piece = line.piece(span[0] - begin, span[1] - begin)
    if piece is None or not _is_piece_of_code(line, piece):
        return False
    below = text[begin + len(line.said) : begin + len(line.said) + BELOW].partition(rendered.FENCE)[0]
    above = text[max(begin - BELOW, 0) : begin].rpartition(rendered.FENCE)[2].split("\n")
    if _LONG_STRING.search(below):
        return False
    here, _, further = below.lstrip("\n").partition("\n\n")
    lines = [Line.of(one) for one in here.split("\n") if one.strip()]
    if len(below) == BELOW and "\n" in here:
        lines = lines[:-1]  # What is cut off is no line.
    if not all(one.is_code() and _says_nothing(one) for one in lines):
        return False
    told = "\n".join(one for one in further.split("\n") if not Line.of(one).is_program())
    beside = [*lines, line, *(Line.of(one) for one in above)]
    return sum(one.is_program() for one in beside) >= LEAST_CODE and not _orders(told)


def _is_piece_of_code(line: Line, piece: Span) -> bool:
    """Whether all of a line with such a string or comment is code, and nothing in it says anything."""
    said = line.said[slice(*piece)]
    if line.is_comment(piece):
        return is_sketch(_LABEL.sub("", line.comment(), count=1)) and line.is_code() and _are_short(line)
    stands_in_code = _BEFORE.search(line.said[: piece[0]]) and _AFTER.match(line.said, piece[1])
    says_nothing = is_sketch(said[1:-1]) or trifles.are_all(said[1:-1])
    return bool(stands_in_code and says_nothing and line.is_program()) and _says_nothing(line)


def _says_nothing(line: Line) -> bool:
    """Whether neither a string nor a comment of a line holds what somebody could obey."""
    comment = line.comment()
    is_called = _PROGRAMMERS.fullmatch(comment) or is_sketch(_LABEL.sub("", comment, count=1))
    if comment and not is_called and _orders(comment):
        return False
    return _are_short(line) or (bool(_FAILS.search(line.said)) and not any(map(_orders, line.strings())))


def _are_short(line: Line) -> bool:
    """Whether the strings of a line hold no more than a few words together, but for what is known to be harmless."""
    ways = (is_sketch, rendered.is_harmless, trifles.are_all)
    told = [one for one in line.strings() if not any(way(one) for way in ways)]
    return sum(len(_WORDS.findall(one)) for one in told) <= FEW and "@" not in "".join(told)


def _orders(said: str) -> bool:
    """Whether something may order: words are known that do, and what speaks to somebody."""
    return _ADDRESSES.search(said) is not None or orders.begin_any(_SENTENCES.split(said))


def _is_shown(text: str, span: Span) -> bool:
    """Whether a sentence of prose shows the form of a turn, in marks, and asks for nothing."""
    marks = quoted.quotation(text, span)
    if marks is None or not is_sketch(text[marks[0] + 1 : marks[1] - 1]):
        return False
    marks = _with_its_end(text, marks)
    around = quoted.led(text, marks) or _bracketed(text, marks) or _labelled(text, marks) or _celled(text, marks)
    if around is None or _orders(_OF_A_USER.sub("it", around)):
        return False
    below = _GOES_ON.sub("", text[marks[1] : marks[1] + BELOW].partition("\n\n")[0], count=1)
    return bool(_CLOSED.search(text, *marks)) or not _orders(_OF_A_USER.sub("it", below))


def _with_its_end(text: str, marks: Span) -> Span:
    """A quotation; with the one behind it, if dots between them stand for what the turn says and that ends it."""
    dots = _DOTS.match(text, marks[1])
    return (marks[0], dots.end()) if dots and is_sketch(dots[2]) and _CLOSED.search(dots[2]) else marks


def _celled(text: str, marks: Span) -> str | None:
    """What the row of a table says whose cell holds nothing but a quotation, beside another row; None where there is
    none, or one of their cells says more than some words."""
    end, row, near = listed.rows(text, marks, LINE, LINE)
    before, behind = row[: end - marks[1] + marks[0]], row[end:]
    is_cell = before.rstrip().endswith("|") and behind.lstrip().startswith("|") and _is_row(row)
    rows = [row, *filter(_is_row, near)]
    cells = [cell.strip(" `*") for one in rows for cell in listed.CELL.split(one)]
    if not is_cell or len(rows) == 1 or not (all(map(_is_brief, cells)) and _tells_below(text, marks[1], _is_row)):
        return None
    return f"{before.strip()} {behind.strip()}"


def _is_brief(cell: str) -> bool:
    """Whether a cell holds a sketch or a few words, or prose of templates that neither orders nor names a speaker."""
    if is_sketch(cell) or len(_WORDS.findall(cell)) <= FEW:
        return True
    return bool(shown.tells(cell) and listed.OF_A_TEMPLATE.search(cell)) and _SPEAKERS.search(cell) is None


def _is_row(line: str) -> bool:
    """Whether a line begins and ends as a row of a table of Markdown does."""
    return len(bare := line.strip()) > 1 and bare.startswith("|") and bare.endswith("|")


def _is_itemed(text: str, span: Span) -> bool:
    """Whether an item of a list, beside another such, is nothing but a whole turn behind its label."""
    _, here, near = listed.rows(text, span, LINE, LINE)
    return _is_item(here) and any(map(_is_item, near)) and _tells_below(text, span[1], _is_item)


def _tells_below(text: str, end: int, is_one: Callable[[str], bool]) -> bool:
    """Whether below the rows of a table, or such items, nothing is said in their paragraph, nor orders the next."""
    further = text[end : end + 2 * BELOW].split("\n")[1:]
    below = list(dropwhile(is_one, further))
    return not below or (not below[0].strip() and shown.tells(_OF_TOKENS.sub("tokens are", "\n".join(below))))


def _is_item(line: str) -> bool:
    """Whether a line is such an item."""
    label = _LABELS.match(line)
    if label is None or _orders(label[0]):
        return False
    said = _MORE.sub("", _IN_MARKS.sub(r"\2", line[label.end() :].rstrip()))
    return is_sketch(said) and _CLOSED.search(said) is not None


def _labelled(text: str, marks: Span) -> str | None:
    """What an item of a list goes on with behind a label and a quotation; None where it has none, or does not."""
    before = text[max(marks[0] - quoted.LEAD, 0) : marks[0]].rpartition("\n")[2]
    further = _FURTHER.match(text, marks[1])
    return further[0] if further and _LABELS.fullmatch(before) else None


def _bracketed(text: str, marks: Span) -> str | None:
    """What its line says before a bracket in which nothing else stands; None where words go on behind it."""
    if text[marks[1] : marks[1] + 1] != ")" or not _ENDS.match(text, marks[1]):
        return None
    before = text[max(marks[0] - quoted.LEAD, 0) : marks[0]].rpartition("\n")[2]
    return before if _WORDED.search(before) else None
