"""Lines that stand on their heads: letters that look like others upside down, to be read from the last to the first.

Of a line in which most words are such all is read; of another one what stands between the first and the last of them.
Signs of a phonetic alphabet in an honest line say nothing that way, and what stands above and below is none of it.
"""

import re
from collections.abc import Iterator

import numpy as np

from interpose_sanitizer import lookalikes
from interpose_sanitizer.findings import Span
from interpose_sanitizer.partial import stretches, widened
from interpose_sanitizer.points import Places, Points, text_of
from interpose_sanitizer.shadow import Shadow, Written

FEWEST = 3
"""Letters on their heads in a text that is read so."""
_HEADS, _WORD = re.compile(f"[{lookalikes.HEADS}]"), re.compile(r"\S++")
_SAYS = re.compile(r"\w")
_LINE_FEED = ord("\n")


class Turned(Shadow):
    """What stands on its head, read from its end, and the places of the text where it stands."""

    _marks: Places

    @classmethod
    def at(cls, marks: Places, written: Written) -> "Turned":
        """The shadow that folded characters are, which stand at these places of the text."""
        turned = cls.of(written)
        turned._marks = marks
        return turned

    @property
    def disguises(self) -> Places | None:
        return self._marks

    def told(self, span: Span) -> Span | None:
        """A span of the text, with the lines that are turned with it."""
        return widened(self.origin(span), stretches(self._marks, self._marks))


def read(source: Written) -> Turned | None:
    """What stands on its head in a text, turned; None where hardly a letter does."""
    if not lookalikes.are_overturned(source.points, FEWEST):
        return None
    rows = [np.arange(begin, end) for begin, end in _rows(text_of(source.points))]
    turned = [_turned(source.points, row) for row in reversed(rows)]
    places, marks = np.concatenate([place for _, place in turned]), np.concatenate(rows)
    if source.places is not None:
        places, marks = source.places.take(places), source.places.take(marks)
    return Turned.at(marks, Written(np.concatenate([points for points, _ in turned]), places).folded())


def _turned(points: Points, row: Places) -> tuple[Points, Places]:
    """A row from its end, and the end of a line behind it."""
    read = lookalikes.overturned(points.take(row))[::-1]
    return np.append(read, np.uint32(_LINE_FEED)), np.append(row[::-1], row[0])


def _rows(text: str) -> list[Span]:
    """The lines, or what of them is such; those that follow each other as one."""
    rows: list[Span] = []
    for line in _lines(text):
        words = [word.span() for word in _WORD.finditer(text, *line)]
        headed = [word for word in words if _HEADS.search(text, *word)]
        said = sum(_SAYS.search(text, *word) is not None for word in words)
        begin, end = line if 2 * len(headed) >= said else (headed[0][0], headed[-1][1])
        follows = bool(rows) and rows[-1][1] + 1 == begin
        rows.append((rows.pop()[0] if follows else begin, end))
    return rows


def _lines(text: str) -> Iterator[Span]:
    """The lines in which a letter stands on its head."""
    end = -1
    while found := _HEADS.search(text, end + 1):
        begin, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
        end = len(text) if end < 0 else end
        yield begin, end
