"""A text in the making that remembers where each of its characters came from."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from interpose_sanitizer.findings import Span

Edit = tuple[Span, str]
"""What to put in the place of a span."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """`text` as it came from `origin`, character by character; or, when it is `new`, in the place of `origin`."""

    text: str
    origin: Span
    new: bool = False


class Draft:
    """A text after some edits. Immutable; `origin` tells where a span of it lies in the text as it came."""

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        self._pieces = pieces
        self._starts: list[int] = []
        position = 0
        for piece in pieces:
            self._starts.append(position)
            position += len(piece.text)
        self.text = "".join(piece.text for piece in pieces)

    @classmethod
    def of(cls, text: str) -> Self:
        """A text that nobody has edited yet."""
        return cls([_Piece(text, (0, len(text)))])

    def edited(self, edits: Iterable[Edit]) -> Self:
        """The text after these edits, which are in order, do not overlap, and are not of empty spans."""
        pieces: list[_Piece] = []
        position = 0
        for (start, end), text in edits:
            pieces.extend(self._cut(position, start))
            pieces.append(_Piece(text, self.origin((start, end)), new=True))
            position = end
        pieces.extend(self._cut(position, len(self.text)))
        return type(self)([piece for piece in pieces if piece.text] or [_Piece("", (0, 0))])

    def origin(self, span: Span) -> Span:
        """Where the characters of `span`, which is not empty, came from: from the first one to the last."""
        return self._origin_of(span[0])[0], self._origin_of(span[1] - 1)[1]

    def _origin_of(self, position: int) -> Span:
        index = bisect_right(self._starts, position) - 1
        piece = self._pieces[index]
        if piece.new:
            return piece.origin
        start = piece.origin[0] + position - self._starts[index]
        return start, start + 1

    def _cut(self, start: int, end: int) -> Iterable[_Piece]:
        """The pieces between two positions, the first and the last of them cut."""
        index = max(bisect_right(self._starts, start) - 1, 0)
        while start < end:
            piece, begins = self._pieces[index], self._starts[index]
            until = min(end, begins + len(piece.text))
            text = piece.text[start - begins : until - begins]
            origin = piece.origin if piece.new else (piece.origin[0] + start - begins, piece.origin[0] + until - begins)
            yield _Piece(text, origin, piece.new)
            start, index = until, index + 1
