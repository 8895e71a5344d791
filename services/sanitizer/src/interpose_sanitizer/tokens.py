"""The signs that a pattern of a rule is made of, as far as they are known here."""

import re
from collections.abc import Iterator

MOST_REMEMBERED = 20_000
"""Parts of patterns, most of them lists of words that many rules share."""

TOKEN = re.compile(
    r"(?P<layout>\n *)|(?P<repeat>[*+?]\??|\{[0-9]+(?:,[0-9]*)?\}\??)|(?P<letters>[a-z0-9]+(?![*+?{]))"
    r"|(?P<flags>\(\?[ms]+\))|(?P<open>\((?:\?:|(?!\?)))|(?P<close>\))|(?P<bar>\|)|(?P<gap> )|(?P<any>~)"
    r"|(?P<edge>[\^$])|(?P<listed>\[(?:\\.|[^\]\\])+\])|(?P<kind>\.|\\[dDwWS]|\\[pP](?:\{[^}]*\}|[A-Z]))"
    r"|(?P<blank>\\[snt])|(?P<border>\\b)|(?P<place>\\[BAz])|\\x\{(?P<code>[0-9A-Fa-f]+)\}|\\(?P<escaped>[^a-zA-Z0-9])"
    r"|(?P<one>[^(\\\[])",
    re.DOTALL,
)
"""One sign of a pattern, or several letters."""

_PARENTHESIS = re.compile(r"\\.|\[(?:\\.|[^\]\\])+\]|[()]", re.DOTALL)


class Unknown(Exception):
    """A pattern holds something that is not read here."""


def signs(pattern: str) -> Iterator[tuple[re.Match[str], str]]:
    """The signs of a pattern, each with what stands in it if it opens a group. Raises Unknown."""
    position = 0
    while position < len(pattern):
        token = TOKEN.match(pattern, position)
        if token is None or token.lastgroup == "close":
            raise Unknown
        begin = end = token.end()
        if token.lastgroup == "open":
            end = closed(pattern, begin)
        yield token, pattern[begin:end]
        position = end + (token.lastgroup == "open")


def closed(pattern: str, position: int) -> int:
    """Where the group ends that is open here. Raises Unknown."""
    opened = 1
    for sign in _PARENTHESIS.finditer(pattern, position):
        opened += (sign[0] == "(") - (sign[0] == ")")
        if not opened:
            return sign.start()
    raise Unknown
