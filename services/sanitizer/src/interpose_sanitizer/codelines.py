"""Lines of code: their strings and comments, and whether what is left says nothing but what programs say.

A line of prose has three words in a row that no language of programs knows, or a name that says a whole sentence.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_PIECES = re.compile(
    r"\"(?:[^\"\\\n]|\\.){0,400}\"|'(?:[^'\\\n]|\\.){0,400}'|`[^`\n]{0,400}`"
    r"|(?:(?<=[=(,:])|(?<=[=(,:] ))/(?:[^/\\\n]|\\.){1,200}/"
    r"|(?:(?<=\s)|^)(?:///?|#{1,8}|--|/?\*{1,8})(?=\s)[^\n]{0,800}"
)
"""A string of a line, an expression, or a comment."""
_MARKED = frozenset("\"'`")
_SIGN = re.compile(r"\s{0,40}(?:///?|#{1,8}|--|/?\*{1,8})\s{0,40}")
_KEYWORD = re.compile(
    r"\b(?:if|else|elif|for|while|in|not|and|or|is|return|def|class|import|from|as|with|const|let|var|static|public"
    r"|private|void|int|char|bool|string|auto|new|await|async|fn|func|function|struct|type|end|then|do|case|yield|mut)\b"
)
_WORD = r"[a-z][a-z'-]{0,20}"
_PROSE = re.compile(rf"(?:^|\s){_WORD}[,:]? {_WORD}[,:]? (?:{_WORD}(?=[\s.,;:!?]|$)|[0-9$@])")
_LONG_NAME = re.compile(
    r"\b(?=\w{0,80}_(?:the|all|every|my|your?|this|that|to)_)[a-z]{1,20}(?:_[a-z0-9]{1,20}){4,12}\b"
)
_CODE = re.compile(
    r"[;{}(\[,]\s{0,40}$|^\s{0,40}[}\])]|[\w)\]\"'`] ?(?:[+:]?=|<<|->|=>) ?\S"
    r"|[\w\]]\(|^\s{0,40}(?:else|end|fi|try|return)\b"
)


class Line(NamedTuple):
    """A line of a shadow, and where its strings, expressions and comments are."""

    said: str
    pieces: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, said: str) -> "Line":
        """Taken apart."""
        return cls(said, tuple(found.span() for found in _PIECES.finditer(said)))

    def piece(self, begin: int, end: int) -> tuple[int, int] | None:
        """The string, expression or comment around a place of it."""
        return next((one for one in self.pieces if one[0] <= begin and end <= one[1]), None)

    def strings(self) -> Iterator[str]:
        """What its strings hold."""
        return (self.said[begin + 1 : end - 1] for begin, end in self.pieces if self.said[begin] in _MARKED)

    def comment(self) -> str:
        """What its comment says."""
        last = self.said[slice(*self.pieces[-1])] if self.pieces else ""
        return _SIGN.sub("", last, count=1) if _SIGN.match(last) and self.is_comment(self.pieces[-1]) else ""

    def is_comment(self, piece: tuple[int, int]) -> bool:
        """Whether a piece is a comment: these end with their line."""
        is_expression = self.said[piece[0]] == "/" and self.said[piece[0] + 1 : piece[0] + 2] not in ("/", "*")
        return self.said[piece[0]] not in _MARKED and not is_expression

    def is_code(self) -> bool:
        """Whether it is a line of a program, or nothing but a comment."""
        bare = self._bare()
        return (not bare.strip() and bool(self.pieces)) or (bool(_CODE.search(bare)) and not is_prose(bare))

    def is_program(self) -> bool:
        """Whether something of it is neither string nor comment, and all that is code."""
        return self.is_code() and bool(self._bare().replace('""', "").strip())

    def _bare(self) -> str:
        """The line with nothing in its strings, and without its comment."""
        parts, begin = [], 0
        for start, end in self.pieces:
            parts += [self.said[begin:start], "" if self.is_comment((start, end)) else '""']
            begin = end
        return "".join([*parts, self.said[begin:]])


def is_prose(bare: str) -> bool:
    """Whether what has no strings in it has three words in a row, or a name as long as a sentence."""
    return _PROSE.search(_KEYWORD.sub("()", bare)) is not None or _LONG_NAME.search(bare) is not None
