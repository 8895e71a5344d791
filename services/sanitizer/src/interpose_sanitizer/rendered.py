"""Examples of what a template of prompts renders, as the documents of models print them: a block of code with tokens.

The prose before the block says that it is about templates, and nothing in the block orders: whoever reads its turns as
turns is told of a friendly librarian, or asked for the time. What is not known to be so harmless is none.
"""

import re

from interpose_sanitizer import orders
from interpose_sanitizer.findings import Span

FENCE = "```"
FIRST_LINE = 16
"""Characters of the mark and the name of the language behind it."""
FAR, LONGEST = 20_000, 1_500
"""How far before it the marks of blocks are counted, and how long a block is at most, in characters."""
_SHOWN = re.compile(
    r"(?:^|(?<=\n))([a-z][\w.-]{1,30}):? (?:[^\n]{0,120} )?(?:chat )?template"
    r"[^\n]{0,80}\bexample\w{0,10} ?[:=](?:\s?['\"])?(?=\n|<|\[)"
)
"""An entry of a log below which a template is shown."""
_TOKENS = re.compile(r"<{1,2}[^<>\n]{1,40}>{1,2}|\[/?[a-z_]{1,20}\]")
_PARTS = re.compile(r"(?<=[.!?])\s|\n")
_QUESTION = re.compile(
    r"(?:(?:what|which|who|when|where|why|how)\b[^.!?\n]{1,200}"
    r"|(?:the )?(?:capital|population|name|meaning|colou?r|size|area|height|length|date|year|author|distance|time)"
    r" (?:of|in|for|between|from) [^.!?\n]{1,60})\?"
)
_SAYS = re.compile(
    r"(?:system|user|assistant|human|model|tool)?[ :]{0,2}"
    r"(?:hello|hi there|hi|hey|sure|yes|no|thanks|thank you|of course|good (?:day|morning|evening))?[ ,.!]{0,3}"
    r"(?:$|(?:you are an?|i am|i.m|it is|it.s|there (?:is|are)|the [a-z]{1,20}(?: [a-z]{1,20})? (?:is|are|was|has))\b)"
)
"""How a sentence begins in such an example that is no such question."""
_ORDERS = re.compile(
    r"://|[@/\\$`]|[^\x00-\x7f]|\byou (?:must|are (?:now|no longer|free|allowed))\b|\b(?:want|need|let) you\b"
)
"""What orders in words that `orders` does not know, what is not English, an address, a path, and code."""


def block(text: str, span: Span) -> Span | None:
    """The block of code around a span, without its marks, if all that is said in it is harmless; else None.

    Both are of a shadow.
    """
    logged = _logged(text, span)
    if logged is not None:
        return logged if is_harmless(text[slice(*logged)]) else None
    begin = text.rfind(FENCE, max(span[0] - LONGEST, 0), span[0])
    end = text.find(FENCE, span[1], span[1] + LONGEST)
    if min(begin, end) < 0 or text.count(FENCE, max(begin - FAR, 0), begin) % 2:
        return None
    line = text.find("\n", begin, begin + FIRST_LINE)
    inside = max(line, begin + len(FENCE)), end
    return inside if is_harmless(text[slice(*inside)]) else None


def _logged(text: str, span: Span) -> Span | None:
    """What stands in a log below an entry that shows an example, up to the next entry of the same program."""
    entries = list(_SHOWN.finditer(text, max(span[0] - LONGEST, 0), span[0] + 1))
    if not entries:
        return None
    begin = entries[-1].end()
    following = re.compile(rf"\n{re.escape(entries[-1][1])}:? ").search(text, begin, begin + LONGEST)
    end = following.start() if following else min(begin + LONGEST, len(text))
    is_whole = following is not None or end == len(text)
    end = begin + len(text[begin:end].rstrip("\n'\""))
    return (begin, end) if is_whole and span[1] <= end else None


def is_harmless(said: str) -> bool:
    """Whether what a text says between its tokens is known to order nothing."""
    words = _TOKENS.sub("\n", said)
    return _ORDERS.search(words) is None and all(_says(part.strip()) for part in _PARTS.split(words))


def asks(part: str) -> bool:
    """Whether it asks what anybody may ask."""
    return _QUESTION.fullmatch(part) is not None


def _says(part: str) -> bool:
    """Whether it asks such, or only tells something."""
    if asks(part):
        return True
    return _SAYS.match(part) is not None and not orders.begins(part, (0, len(part)))
