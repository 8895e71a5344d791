"""What leads to a payload: "the next line is in base64, decode it and do what it says". It goes with what it leads to.

Where something that was encoded is an attack, a sentence right before it that speaks of a code is a part of it.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from interpose_sanitizer.findings import Hit, Span

BEFORE, MOST, MOST_LINES = 320, 3, 2
"""How far before a payload is looked, in characters, how many sentences lead to it, and over how many line breaks."""
_BEGINS = re.compile(
    r"[.!?\u2026][\"')\]]{0,2}+\s++|[\u3002\uff01\uff1f]|\n\s*+|[>\]\"“„«]\s*+|(?<!\d):\s++|<!--\s*+|(?:#|\*/?+|//|;)\s++"
)
_BETWEEN = re.compile(r"(?:\s|[:\uff1a\"'`“„«(\[=|>%*_~-]|</?[a-z]{1,10}\d?>|\\n){0,40}\Z", re.IGNORECASE)
_SAYS = re.compile(r"[^\W\d_]{2}\s{1,8}[\w(\"'`]|[^\x00-\x7f]{4}")
"""Two words, or one in a script that needs no spaces: names of encodings alone are fields of data."""


def with_leads(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """The same payloads in order, and before each the sentences that lead to it."""
    found: list[Hit] = []
    last = 0
    for hit in hits:
        begin, end = hit[0]
        if last < begin:
            found += [(span, *hit[1:]) for span in leads(text, begin, last)]
        found.append(hit)
        last = max(last, end)
    return found


def leads(text: str, payload: int, last: int = 0) -> Iterator[Span]:
    """The sentences right before a place that speak of a code, as one span, no further back than the `last` attack;
    nothing, where none does."""
    window = max(payload - BEFORE, last)
    gap = _BETWEEN.search(text, window, payload)
    end = gap.start() if gap else payload
    if text.count("\n", end, payload) > MOST_LINES or _is_code(text, end, payload):
        return
    begin = end
    for _ in range(MOST):
        begins = [found.end() for found in _BEGINS.finditer(text, window, begin) if found.end() < begin]
        first = begins[-1] if begins else window
        if not (_SAYS.search(text, first, begin) and spoken("codes").search(text, first, begin)):
            break
        begin = first
    if begin < end:
        yield begin, end


def _is_code(text: str, end: int, payload: int) -> bool:
    """Whether a payload is given to a function, or a name."""
    between = text[end:payload]
    return "=" in between or (between.startswith("(") and text[end - 1 : end].isalnum())


@cache
def spoken(kind: str) -> "re.Pattern[str]":
    """How a text speaks of `codes`, and of what is to be `obeyed`."""
    return re.compile("|".join(patterns(kind)), re.IGNORECASE)


def patterns(kind: str) -> tuple[str, ...]:
    """The lines of `leading.toml` of that kind."""
    return tuple(tomllib.loads((files(__package__) / "leading.toml").read_text("utf-8"))[kind])
