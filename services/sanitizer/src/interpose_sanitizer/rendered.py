"""Examples of what a template of prompts renders, as the documents of models print them: a block of code with tokens.

The prose before the block says that it is about templates, and nothing in the block orders: whoever reads its turns as
turns is told of a friendly librarian, or asked for the time. What is not known to be so harmless is none. What stands
behind such a block is said in no turn but that of a model: one that anybody else takes is closed in it.
"""

import re

from interpose_sanitizer import codelines, innocent, orders
from interpose_sanitizer.findings import Span

FENCE = "```"
FIRST_LINE = 16
"""Characters of the mark and the name of the language behind it."""
FAR, LONGEST, LINE = 20_000, 1_500, 400
"""How far before it the marks of blocks are counted, and how long a block and a line are at most, in characters."""
_SHOWN = re.compile(
    r"(?:^|(?<=\n))([a-z][\w.-]{1,30}):? (?:[^\n]{0,120} )?(?:chat )?template"
    r"[^\n]{0,80}\bexample\w{0,10} ?[:=](?:\s?['\"])?(?=\n|<|\[)"
)
"""An entry of a log below which a template is shown."""
_OF_ANOTHER = r"\n[a-z_]{3,30}: [a-z_]{2,30} {0,12}= "
"""An entry of another program behind a blank line: it gives values."""
_TOKENS = re.compile(r"<{1,2}[^<>\n]{1,40}>{1,2}|\[/?[a-z_]{1,20}\]")
_PARTS = re.compile(r"(?<=[.!?])\s|(?<=。)|\n")
_BLANK_LINE = re.compile(r"\n[ \t\r]{0,8}\n")
_OTHERS = "(?:system|user|developer|human|tool|ipython)"
"""Who takes a turn that no model takes."""
_OPENS = r"(?:<\|(?:im_start|start_header_id|start|turn|start_of_role)\|?>|<start_of_turn>|<\|)\s?"
_BEHIND = r"\s{0,8}(?:<\|(?:end_header_id|message|end_of_role)\|>|\|>)?"
_LEFT_OPEN = re.compile(
    rf"(?:{_OPENS}{_OTHERS}\b{_BEHIND}|\[inst\]|<<sys>>|#{{2,4}} ?(?:instruction|input|{_OTHERS}):?)[^<\[#]{{0,400}}\Z"
)
_CLOSED = re.compile(
    r"(?:<\|(?:im_end|eot_id|eom_id|end|endoftext|end_of_text)\|>|</s>|<end_of_turn>|<turn\|>|<eos>|\[/inst\]"
    rf"|{_OPENS}(?:assistant|model){_BEHIND})\s{{0,40}}\Z"
)
_SPEAKER = re.compile(r"^(?:system|user|assistant|human|model|tool)[ :]{1,2}")
_QUESTION = re.compile(
    r"(?:(?:what|which|who|when|where|why|how)\b[^.!?\n]{1,200}"
    r"|(?:the )?(?:capital|population|name|meaning|colou?r|size|area|height|length|date|year|author|distance|time)"
    r" (?:of|in|for|between|from) [^.!?\n]{1,60})\?"
)
_SAYS = re.compile(
    r"(?:system|user|assistant|human|model|tool)?[ :]{0,2}"
    r"(?:hello|hi there|hi|hey|sure|yes|no|thanks|thank you|of course|good (?:day|morning|evening))?[ ,.!]{0,3}"
    r"(?:$|(?:you are (?:[a-z][a-z-]{1,20}, )?an?|i am|i.m|it is|it.s|there (?:is|are)"
    r"|the [a-z]{1,20}(?: [a-z]{1,20})? (?:is|are|was|has))\b)"
)
"""How a sentence begins in such an example that is no such question."""
_ORDERS = re.compile(r"://|[@/\\$`]|\byou (?:must|are (?:now|no longer|free|allowed))\b|\b(?:want|need|let) you\b")
"""What orders in words that `orders` does not know, an address, a path, and code."""


def block(text: str, span: Span) -> Span | None:
    """The block of code around a span, without its marks, if all that is said in it is harmless; else None.

    Both are of a shadow.
    """
    logged = _logged(text, span)
    if logged is not None:
        return logged if is_harmless(text[slice(*logged)]) else None
    inside = _fenced(text, span) or _apart(text, span)
    if inside is None:
        return None
    said = text[slice(*inside)]
    return inside if is_harmless(said) and not _LEFT_OPEN.search(said) else None


def _fenced(text: str, span: Span) -> Span | None:
    """What stands between the marks of a block."""
    begin = text.rfind(FENCE, max(span[0] - LONGEST, 0), span[0])
    end = text.find(FENCE, span[1], span[1] + LONGEST)
    if min(begin, end) < 0 or text.count(FENCE, max(begin - FAR, 0), begin) % 2:
        return None
    line = text.find("\n", begin, begin + FIRST_LINE)
    return max(line, begin + len(FENCE)), end


def _apart(text: str, span: Span) -> Span | None:
    """Lines that are set apart below a line that announces them: whole turns, and no order behind them."""
    blanks = list(_BLANK_LINE.finditer(text, max(span[0] - LONGEST, 0), span[0]))
    if not blanks:
        return None
    begin = blanks[-1].end()
    above = text[max(blanks[-1].start() - LINE, 0) : blanks[-1].start()].rstrip("*_ \t\r")
    following = _BLANK_LINE.search(text, span[1], span[1] + LONGEST)
    end = following.start() if following else min(span[1] + LONGEST, len(text))
    said = text[begin:end]
    if not above.endswith(":") or said.lstrip()[:1] not in ("<", "[") or not _CLOSED.search(said):
        return None
    return None if following and order_below(text[following.end() : following.end() + LINE]) else (begin, end)


def is_taken_up(text: str, marks: Span) -> bool:
    """Whether a quotation leaves a turn open that no model takes, and what stands behind it orders."""
    inside = text[marks[0] + 1 : marks[1] - 1]
    return bool(_LEFT_OPEN.search(inside)) and order_below(text[marks[1] : marks[1] + LINE])


def order_below(below: str) -> bool:
    """Whether a sentence orders in the paragraph that stands below."""
    parts = [part.strip() for part in _PARTS.split(_BLANK_LINE.split(below)[0])]
    return any(" " in part and orders.begins(part, (0, len(part))) for part in parts)


def _logged(text: str, span: Span) -> Span | None:
    """What stands in a log below an entry that shows an example, up to the next entry of the same program."""
    entries = list(_SHOWN.finditer(text, max(span[0] - LONGEST, 0), span[0] + 1))
    if not entries:
        return None
    begin = entries[-1].end()
    following = re.compile(rf"\n(?:{re.escape(entries[-1][1])}:? |{_OF_ANOTHER})").search(text, begin, begin + LONGEST)
    end = following.start() if following else min(begin + LONGEST, len(text))
    is_whole = following is not None or end == len(text)
    if following and following[0].startswith("\n\n") and not _is_over(text, begin, end):
        return None
    end = begin + len(text[begin:end].rstrip("\n'\""))
    return (begin, end) if is_whole and span[1] <= end else None


def _is_over(text: str, begin: int, end: int) -> bool:
    """Whether an example is whole before an entry of another program, which only gives values."""
    entry = text[end : end + LINE].lstrip("\n").partition("\n")[0]
    return _CLOSED.search(text, begin, end) is not None and not codelines.is_prose(entry)


def is_harmless(said: str) -> bool:
    """Whether what a text says between its tokens is known to order nothing."""
    words = _TOKENS.sub("\n", said)
    return _ORDERS.search(words) is None and all(_says(part.strip()) for part in _PARTS.split(words))


def asks(part: str) -> bool:
    """Whether it asks what anybody may ask."""
    return _QUESTION.fullmatch(part) is not None


def _says(part: str) -> bool:
    """Whether it asks such, or only tells something; in other languages than English, whether all of it is known."""
    if _is_innocent(part) or (part.isascii() and asks(part)):
        return True
    return part.isascii() and _SAYS.match(part) is not None and not orders.begins(part, (0, len(part)))


def _is_innocent(part: str) -> bool:
    """Whether it is, behind the name of who says it."""
    return innocent.is_innocent(part) or innocent.is_innocent(_SPEAKER.sub("", part, count=1))
