"""Turns in which something is said, but only what people try a model with: printed in a log, or in an example.

The line of a log begins with its time and names what it prints, as those beside it do; an example stands in lines of
its own that are indented below words that lead to it, or in marks behind a label. No turn is left open there that what
stands behind could be said in.
"""

import re

from interpose_sanitizer import called, codelines, rendered, trifles
from interpose_sanitizer.findings import Span

FAR, LONGEST = 2_000, 1_500
"""How long a line of a log and an example are at most, in characters."""
HEAD, BELOW = 60, 400
"""Where the time of a line of a log ends at the latest; and what stands below an example."""
FEWEST_ENGLISH = 2
"""So many such words make prose English."""
_ENGLISH = re.compile(r"\b(?:the|is|are|was|this|that|these|with|and|of|by|from|it|for|which|when|as|until|because)\b")
_CLAIMS = re.compile(
    r"://|[@$]|\b(?:wants? you|you (?:must|are|may|will|shall)|your|hereby"
    r"|the user (?:has|wants|asked|agreed|approve\w?)|obeys?|credentials?|passwords?|inbox)\b"
)
"""What speaks to somebody who could obey, or says what a user is said to want."""
_TIME = re.compile(
    rf"[^\n]{{0,{HEAD}}}?\b[0-9]{{1,2}}:[0-9]{{2}}:[0-9]{{2}}\b|(?:info|debug|warning|error|trace)\b[:\]]"
)
_PRINTS = re.compile(r"\b(?:prompts?|input|rendered|messages?|text)[\"']?(?:: ?|=| ?= ?)(['\"`])(?=<|\[)")
_ENDS = {mark: re.compile(rf"{mark}(?=[,;)\]}}]| [a-z_]{{2,20}}=|[ \t\r]{{0,8}}(?:\n|\Z))") for mark in "'\"`"}
_LABEL = re.compile(r"[ \t>*-]{0,8}[^\W\d_][^\n`:]{0,40}:(?:\*\*)? ?`")
"""What a line says of the example behind it."""
_INDENTED = re.compile(r"(?: {4}|\t)[^\n]*")
_SPEAKS = re.compile(
    r"(?:<[|/]{0,2}|\|?>|#{2,4}) ?"
    r"(system|users?|assistant|human|model|tool|developer|chatbot|ipython|functions)(?![a-z])"
)
"""Who takes a turn, beside a token."""
_MODELS = ("assistant", "model", "chatbot")
_CLOSES = re.compile(
    r"(?:<[|/]{0,2}(?:[a-z]{1,8}_)?(?:end(?!_header|_of_role)[\w\u2581]{0,16}|eo[tms]\w{0,8}|s|call|tool_call)\|?>"
    r"|\[ ?/ ?(?:inst|tool_results|available_tools) ?\])(?:\s|\\[nr]){0,8}\Z"
)
_ENDED = frozenset(".!?)")
"""What no sentence ends with that leads to an example."""
_WORDED = re.compile(r"(?:[^\W\d_]{2,20}[,:]? ){2}[^\W\d_]{2,20}")


def holds(text: str, span: Span) -> bool:
    """Whether a token of a shadow stands in such turns."""
    shown = _indented(text, span) or _labelled(text, span)
    inside = shown or _printed(text, span)
    if inside is None or not (shown is None or tells(text[shown[1] : shown[1] + BELOW])):
        return False
    said = text[slice(*inside)]
    return trifles.are_all(said) and _is_closed(said)


def tells(below: str) -> bool:
    """Whether the paragraph behind an example orders nothing, as far as its language is known: prose of another one
    speaks of tokens."""
    said = below.lstrip("` \n").partition("\n\n")[0]
    if rendered.order_below(said) or _CLAIMS.search(said):
        return False
    return not said or len(_ENGLISH.findall(said)) >= FEWEST_ENGLISH or called.names(said)


def _is_closed(said: str) -> bool:
    """Whether nothing could be said behind it but by a model."""
    if _CLOSES.search(said):
        return True
    speaks = list(_SPEAKS.finditer(said))
    return bool(speaks) and speaks[-1][1] in _MODELS


def _printed(text: str, span: Span) -> Span | None:
    """What a line of a log prints of a prompt, around a span: what it says besides are no sentences."""
    prints = list(_PRINTS.finditer(text, max(span[0] - FAR, 0), span[0] + 1))
    if not prints:
        return None
    begin = text.rfind("\n", max(prints[-1].start() - FAR, 0), prints[-1].start()) + 1
    last = _ENDS[prints[-1][1]].search(text, max(span[1], prints[-1].end()), span[1] + FAR)
    if last is None or not _TIME.match(text, begin):
        return None
    rest, _, below = text[last.end() : last.end() + FAR].partition("\n")
    if not rest.isascii() or codelines.is_prose(rest) or _CLAIMS.search(below[:BELOW]):
        return None
    above = text[max(begin - FAR, 0) : max(begin - 1, 0)].rpartition("\n")[2]
    beside = [line for line in (above, below.partition("\n")[0]) if line.strip()]
    return (prints[-1].end(), last.start()) if beside and all(map(_TIME.match, beside)) else None


def _indented(text: str, span: Span) -> Span | None:
    """The indented lines around a span, below a blank line that has prose above it."""
    blank = text.rfind("\n\n", max(span[0] - LONGEST, 0), span[0] + 2)
    end = text.find("\n\n", span[1], span[1] + LONGEST)
    end = len(text) if end < 0 else end
    if blank < 0 or end - blank > LONGEST or not all(map(_INDENTED.fullmatch, text[blank + 2 : end].split("\n"))):
        return None
    above = text[max(blank - LONGEST, 0) : blank].rpartition("\n")[2]
    return (blank + 2, end) if _WORDED.search(above) and above.rstrip()[-1] not in _ENDED else None


def _labelled(text: str, span: Span) -> Span | None:
    """What stands between two marks behind a label, in a line that holds nothing else."""
    begin = text.rfind("\n", max(span[0] - LONGEST, 0), span[0]) + 1
    end = text.find("\n", span[1], span[1] + LONGEST)
    line = text[begin : end if end >= 0 else span[1] + LONGEST].rstrip()
    label = _LABEL.match(line)
    is_whole = label is not None and line.endswith("`") and line.count("`") == len("``")
    return (begin + label.end(), begin + len(line) - 1) if is_whole and label else None
