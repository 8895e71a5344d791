"""How far a match of a pattern can go: over how many words.

What stands between two white spaces is a word if there is a letter or a digit in it, however long it is; signs alone
are part of the gap around them, however many. All of it is read off the pattern. What that repeats without end goes on
for OPEN words, what it repeats word by word for LISTED, and no further: nobody writes so, and who pads a phrase with
that much could as well end its sentence.
"""

import re
from functools import cache, lru_cache
from typing import Any, NamedTuple

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.tokens import MOST_REMEMBERED, Unknown, signs

OPEN, LISTED = 100, 12
MOST = 1_500
"""Words that any match may go over."""

_BLANKS = " \t\n\r\f"
_LETTERS = re.compile(r"[^\W_]|[^\x00-\xbf\u2000-\u203f\w]")
"""What makes a word of what stands between white spaces: all but the signs that are between words (`wordblocks`)."""
_EVERY = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x3100), 0x4E00, 0xAC00, 0xFF01]))
_CODE = re.compile(r"\\x\{([0-9A-Fa-f]+)\}")
_NO_GAP = re.compile(r"\[(?:\\.|[^\]\\])+\]|\n *")
_COUNT = re.compile(r"\{([0-9]+)(,?)([0-9]*)\}")


class Breadth(NamedTuple):
    """The most words that something goes over, and whether some of it goes on without end: that is not counted."""

    words: int = 0
    is_open: bool = False

    def __add__(self, other: tuple[Any, ...]) -> "Breadth":
        more = Breadth(*other)
        return Breadth(self.words + more.words, self.is_open or more.is_open)

    def __or__(self, other: "Breadth") -> "Breadth":
        return Breadth(max(self.words, other.words), self.is_open or other.is_open)

    @property
    def most_words(self) -> int:
        """All of them."""
        return min(self.words + OPEN * self.is_open, MOST)


_NOTHING, _GAP = Breadth(), Breadth(1)
_ALL = Breadth(MOST, is_open=True)


def breadth(pattern: str) -> Breadth:
    """That of a pattern, as rules write it."""
    try:
        return _read(pattern.lstrip(" "))
    except Unknown:
        return _ALL


@lru_cache(maxsize=MOST_REMEMBERED)
def _read(pattern: str) -> Breadth:
    every = row = last = _NOTHING
    part = ""
    for token, inside in signs(pattern):
        match token.lastgroup:
            case "layout":
                continue
            case "repeat":
                last = _repeated(last, token[0], part)
            case "bar":
                every, row, last = every | (row + last), _NOTHING, _NOTHING
            case "open":
                row, last, part = row + last, _read(inside), f"{token[0]}{inside})"
            case _:
                row, last, part = row + last, _said(token), token[0]
    return every | (row + last)


def _said(token: re.Match[str]) -> Breadth:
    match token.lastgroup:
        case "gap" | "any":
            return _GAP
        case "listed" | "kind" | "blank" | "one":
            return _GAP if _may_be(token[0], _BLANKS) else _NOTHING
        case "code":
            return _GAP if chr(int(token["code"], 16)) in _BLANKS else _NOTHING
    return _NOTHING


def _repeated(last: Breadth, how: str, part: str) -> Breadth:
    """A part several times. Blanks and signs alone are one gap, however often they are repeated."""
    if last == _NOTHING or how[0] == "?" or (part[0] != "(" and _is_gap(part)):
        return last
    count = _COUNT.match(how)
    if count is None or (count[2] and not count[3]):
        least = last.words * int(count[1] if count else 1)
        return last._replace(words=max(LISTED, least)) if _is_listed(part) else Breadth(least, is_open=True)
    most = int(count[3] or count[1])
    # Of single characters every other one is blank at most.
    return last._replace(words=last.words * (most if part[0] == "(" else -(-most // 2)))


@cache
def _is_listed(part: str) -> bool:
    """Whether it is some words of a list with a gap between them."""
    return part[0] == "(" and any(gap in _NO_GAP.sub("", part) for gap in " ~")


@cache
def _is_gap(one: str) -> bool:
    every = _EVERY + one + "".join(chr(int(code, 16)) for code in _CODE.findall(one))
    return one in (" ", "~") or not _may_be(one, "".join(filter(_LETTERS.match, every)))


@cache
def _may_be(one: str, characters: str) -> bool:
    """Whether what matches one character matches any of these."""
    compiled = re2.compile(one)
    return any(compiled.fullmatch(character) is not None for character in characters)
