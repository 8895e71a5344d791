"""The shadow: what a text says once everything that hides it is gone. Rules are matched on it; it is never returned.

It is made of folded characters (`folding`). Escape sequences of a terminal, our own markers, and the backslashes before
the commas of a calendar have no shadow: an attack split by any of them is still whole. Rules are matched on its bytes,
and the way back goes by two arrays: which character a byte belongs to, and where that came from.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from interpose_sanitizer import terminal
from interpose_sanitizer.findings import Family, Span
from interpose_sanitizer.folding import fold, table
from interpose_sanitizer.points import Mask, Places, Points, following, points_of, text_of

__all__ = ["Shadow", "Written", "fold", "fold_text", "marker", "source_of"]

_MARKER = re.compile(rf"\[sanitizer: (?:{'|'.join(Family)})\]")
_BEGUN = "[sanitizer: "
_PLAIN = bytes([0x09, 0x0A, *range(0x20, 0x7F)])
_CONTINUES, _CONTINUATION = 0xC0, 0x80
_BACKSLASH, _COMMA, _SEMICOLON = map(ord, "\\,;")


def marker(family: Family) -> str:
    """What stands in the place of an attack. It says nothing that a rule could match."""
    return f"[sanitizer: {family}]"


def fold_text(text: str) -> str:
    """The shadow of every character of a text."""
    return text_of(table().fold(points_of(text))[0])


@dataclass(frozen=True, slots=True)
class Written:
    """Characters, and where in the text each of them came from; `places` is None where that is its own place."""

    points: Points
    places: Places | None = None

    def only(self, kept: Places) -> "Written":
        """Those at these places of it, in their order."""
        return Written(self.points.take(kept), kept if self.places is None else self.places.take(kept))

    def folded(self) -> "Written":
        """The shadow of each of them."""
        points, places = table().fold(self.points)
        if self.places is None or places is None:
            return Written(points, self.places if places is None else places)
        return Written(points, self.places.take(places))


def source_of(text: str) -> Written:
    """A text without control sequences, our markers, and what escapes the marks of a calendar (RFC 5545, 3.3.11)."""
    points = points_of(text)
    gone = terminal.sequences(points) if "\x1b[" in text else np.zeros(points.size, np.bool_)
    if _BEGUN in text:
        gone |= _markers(text, points.size)
    if _is_escaped(text):
        gone |= (points == _BACKSLASH) & following((points == _COMMA) | (points == _SEMICOLON))
    return Written(points).only(np.flatnonzero(~gone)) if bool(gone.any()) else Written(points)


def _is_escaped(text: str) -> bool:
    return "\\," in text or "\\;" in text


def _markers(text: str, size: int) -> Mask:
    found = np.zeros(size, np.bool_)
    for marked in _MARKER.finditer(text):
        found[slice(*marked.span())] = True
    return found


class Shadow:
    """The shadow of one text, in UTF-8 (`data`), and the way back."""

    def __init__(self, text: str) -> None:
        # A return before a line feed would make a paragraph of every line.
        self._source = text.replace("\r\n", " \n") if "\r" in text else text
        self._places: Places | None = None
        is_whole = _BEGUN not in text and not _is_escaped(text)
        if is_whole and self._source.isascii() and not self._source.encode().translate(None, _PLAIN):
            self.data = self._source.lower().encode()
        else:
            self._cast(self.source.folded())

    @classmethod
    def of(cls, written: Written) -> Self:
        """The shadow that folded characters are."""
        shadow = cls.__new__(cls)
        shadow._source = ""
        shadow._cast(written)
        return shadow

    def _cast(self, written: Written) -> None:
        self.data = text_of(written.points).encode()
        self._places = written.places

    @cached_property
    def source(self) -> Written:
        """The text that casts it, for other readings."""
        return source_of(self._source)

    @property
    def folded(self) -> Written:
        """Its own characters, for other readings."""
        return Written(self.points, self._places)

    @cached_property
    def text(self) -> str:
        """It as a text."""
        return self.data.decode()

    @cached_property
    def points(self) -> Points:
        """It as code points."""
        return points_of(self.text)

    @property
    def is_plain(self) -> bool:
        """Whether it is that of the text as it stands, and no other reading."""
        return bool(self._source)

    @property
    def is_capital(self) -> Mask:
        """Which of its characters were written otherwise, as capitals are; none where that is not known."""
        if not self._source:
            return np.zeros(self.points.size, np.bool_)
        written = points_of(self._source)
        return np.asarray(self.points != (written if self._places is None else written.take(self._places)))

    @property
    def disguises(self) -> Places | None:
        """The places of the text at which it reads otherwise than these stand there; None where that is not told."""
        return None

    def characters(self, span: Span) -> Span:
        """The characters that some bytes are."""
        if self._starts is None:
            return span
        start, end = self._starts.searchsorted(span).tolist()
        return start, end

    @cached_property
    def _starts(self) -> Places | None:
        """Where each character begins, in bytes; None where each is one. Only attacks are worth the counting."""
        if self.data.isascii():
            return None
        return np.flatnonzero(np.frombuffer(self.data, np.uint8) & _CONTINUES != _CONTINUATION)

    def origin(self, span: Span) -> Span:
        """The span of the text itself that casts these characters, which are one or more."""
        if self._places is None:
            return span
        places = self._places[span[0] : span[1]]
        return int(places.min()), int(places.max()) + 1

    def origins(self, begins: Places, ends: Places) -> list[Span]:
        """The same for several spans of a reading in which the text goes on as it stands."""
        if self._places is not None:
            begins, ends = self._places.take(begins), self._places.take(ends - 1) + 1
        return list(zip(begins.tolist(), ends.tolist(), strict=True))

    def told(self, span: Span) -> Span | None:
        """What of the text is found where these characters match; None where this reading has nothing to say."""
        return self.origin(span)
