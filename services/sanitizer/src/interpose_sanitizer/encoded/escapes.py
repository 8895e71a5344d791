"""Text in which characters are escaped, all of them or some: read as what the escapes stand for, where they stand."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import DEPTH, Budget
from interpose_sanitizer.encoded.forms import resolved
from interpose_sanitizer.encoded.names import NAMES
from interpose_sanitizer.encoded.rows import spread
from interpose_sanitizer.encoded.source import Indexes, Octets, Source, mapped, octets_of
from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import Points, summed

Places = NDArray[Any]

REACH = 240
"""How far an attack may reach from an escape that is part of it, in octets of what is resolved."""
_MARGIN = 2 * REACH + 32
"""The same in octets of the text itself, where two may stand for one."""
_JOINT = 0x1E
ENTITY, PERCENT, BACKSLASH, CODE_POINTS = "entity", "percent", "backslash", "code-points"
_JOINED, _SET = "joined", "typeset"
_AMPERSAND = b"&amp;"
_DOUBLED = re.compile(rb"&amp;(#[0-9xX]|[A-Za-z][A-Za-z0-9]{1,31};?)")
_KINDS = {
    ord("%"): PERCENT,
    ord("+"): PERCENT,
    ord("&"): ENTITY,
    ord("="): "quoted-printable",
    ord("U"): CODE_POINTS,
}
_KINDS |= {ord('"'): _JOINED, ord("'"): _JOINED, ord(")"): _SET}
_ENDS_WORD = bytes(octet in b" \t\r\n\"'<>`()[]{}" or octet >= 0x80 for octet in range(256))
_ENDS_STRING = bytes(octet in b"\r\n\"'" for octet in range(256))
_BEGINS_VALUE, _ENDS_VALUE = (
    bytes(bool(ends) or octet in signs for octet, ends in enumerate(_ENDS_WORD)) for signs in (b"=&?#;/", b"&#")
)
_ENDS_ROW = bytes(octet in b"\r\n[]" for octet in range(256))
_EDGES = {
    _JOINED: (_ENDS_STRING, _ENDS_STRING),
    _SET: (_ENDS_ROW, _ENDS_ROW),
    PERCENT: (_BEGINS_VALUE, _ENDS_VALUE),
}
"""What stands before a row of signs that goes whole, and behind it, where it is no word: of an address only a value."""
_SHORT = bytes({"n": 10, "r": 10, "t": 9, '"': 34, "/": 47}.get(chr(octet), 0) for octet in range(256))
"""What a backslash and one sign stand for, in JSON and elsewhere."""


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """Windows round the escapes of a source, resolved as deep as is looked."""
    reading = _Reading.of(source)
    windows = reading.windows()
    for encoding, group in groupby(sorted(windows, key=lambda window: window[1]), lambda window: window[1]):
        yield reading.batch(encoding, [window[0] for window in group])


class _Reading:
    """A source with its escapes resolved. `origin`: for each octet left, where it comes from; the end is the last."""

    def __init__(self, source: Source, data: bytes, origin: Places, escaped: NDArray[np.intp]) -> None:
        self._source, self._data = source, data
        self._origin, self._escaped = origin, escaped
        self._known: dict[bytes, NDArray[np.intp]] = {}

    @classmethod
    def of(cls, source: Source) -> "_Reading":
        """Resolved up to three times, as escapes may stand for parts of escapes."""
        made = resolved(source.data)
        if made == source.data or not _says_something(source, made):
            return cls(source, b"", np.zeros(0, np.int32), np.zeros(0, np.intp))
        data, made, origin = _near_changes(source.octets, octets_of(made))
        escaped = np.zeros(len(source.data) + 1, np.bool_)
        for depth in range(DEPTH):
            made = made if depth == 0 else resolved(data)
            if made == data:
                break
            escaped[origin[_changed(data, made)]] = True
            data, origin = _closed(made, origin)
        data, origin = _closed(_with_white_space(data), origin)
        return cls(source, data, origin, np.flatnonzero(escaped))

    def windows(self) -> list[tuple[Span, str]]:
        """Parts of what is left, with an escape in reach of each octet, and what kind the first one is of."""
        if len(self._escaped) == 0:
            return []
        places = np.searchsorted(self._origin, self._escaped)
        breaks = np.flatnonzero(np.diff(places) > 2 * REACH)
        first = places[np.concatenate(([0], breaks + 1))]
        last = places[np.concatenate((breaks, [len(places) - 1]))]
        kinds = self._source.octets[self._escaped[np.concatenate(([0], breaks + 1))]]
        starts = np.maximum(first - REACH, 0).tolist()
        ends = np.minimum(last + REACH, len(self._data)).tolist()
        spans = zip(starts, ends, strict=True)
        return [(span, _KINDS.get(kind, BACKSLASH)) for span, kind in zip(spans, kinds.tolist(), strict=True)]

    def batch(self, encoding: str, windows: list[Span]) -> Batch:
        """The windows as text, and the way back from them."""
        raw = [self._data[start:end] for start, end in windows]
        parts = [_text(data) for data in raw]
        if encoding == PERCENT:
            parts = [part.replace("+", " ") for part in parts]

        starts = _Starts(raw)

        def octets(index: int, span: Span) -> Span:
            first, last = starts.of(index, span)
            return windows[index][0] + first, windows[index][0] + last

        def place(index: int, span: Span) -> Span | None:
            start, end = octets(index, span)
            return self._place(start, end, encoding) if self._is_escaped(start, end, encoding) else None

        return Batch(encoding, parts, place, is_prose=True)

    def _is_escaped(self, start: int, end: int, encoding: str) -> bool:
        """Whether something there is. What is written plainly is for others to find."""
        first, last = np.searchsorted(self._escaped, [self._origin[start], self._origin[end]])
        written = self._data[start:end]
        return bool(first < last) or (encoding == PERCENT and b"+" in written and b" " not in written)

    def _place(self, start: int, end: int, encoding: str) -> Span:
        """With every escape and every sign of the same word on both sides: what is written in escapes goes whole."""
        begin, behind = int(self._origin[start]), int(self._origin[end])
        before, after = map(self._breaks, _EDGES.get(encoding, (_ENDS_WORD, _ENDS_WORD)))
        index = int(np.searchsorted(before, begin))
        begin = int(before[index - 1]) + 1 if index else 0
        index = int(np.searchsorted(after, behind))
        behind = int(after[index]) if index < len(after) else len(self._source.data)
        return self._source.characters((begin, behind))

    def _breaks(self, table: bytes) -> NDArray[np.intp]:
        if table not in self._known:
            is_break = mapped(self._source.octets, table).view(np.bool_).copy()
            is_break[self._escaped] = False
            self._known[table] = np.flatnonzero(is_break)
        return self._known[table]


def _says_something(source: Source, made: bytes) -> bool:
    """Whether anything but `&amp;` was resolved, or is an escape once that is."""
    if len(_changed(source.data, made)):
        return True
    return any(
        name in NAMES or name.startswith(b"&#") for name in (b"&" + rest for rest in _DOUBLED.findall(source.data))
    )


def _near_changes(octets: Octets, made: Octets) -> tuple[bytes, bytes, Places]:
    """What stands near the places at which something was resolved, before and after, and where it stands."""
    changes = np.flatnonzero(made != octets)
    is_new = np.diff(changes) > 2 * _MARGIN
    begins = np.maximum(changes[np.append(True, is_new)] - _MARGIN, 0)
    ends = np.minimum(changes[np.append(is_new, True)] + _MARGIN, len(octets))
    if 2 * int((ends - begins).sum()) > len(octets):
        return octets.tobytes(), made.tobytes(), np.arange(len(octets) + 1, dtype=np.int32)
    origin = np.append(spread(begins, ends - begins, 1), len(octets)).astype(np.int32)
    before, after = octets[origin[:-1]], made[origin[:-1]]
    joints = np.cumsum(ends - begins)[ends < len(octets)] - 1
    before[joints] = after[joints] = _JOINT
    return before.tobytes(), after.tobytes(), origin


def _changed(data: bytes, made: bytes) -> Indexes:
    """Which octets were part of an escape that says something. `&amp;` does not: pages are full of it."""
    octets = octets_of(data)
    is_changed = octets_of(made) != octets
    if _AMPERSAND in data:
        places = np.flatnonzero(octets[: 1 - len(_AMPERSAND)] == _AMPERSAND[0])
        for offset, octet in enumerate(_AMPERSAND):
            places = places[octets[places + offset] == octet]
        for offset in range(1, len(_AMPERSAND)):
            is_changed[places + offset] = False
    return np.flatnonzero(is_changed)


class _Starts:
    """Where in the octets of some texts, of which not all may be UTF-8, their characters begin."""

    def __init__(self, raw: list[bytes]) -> None:
        self._raw = raw
        self._starts: dict[int, Places] = {}

    def of(self, index: int, span: Span) -> Span:
        """A span of characters of the text with that number as one of octets."""
        data = self._raw[index]
        if data.isascii():
            return span
        if index not in self._starts:
            points = _points(data)
            widths = 1 + (points >= 0x80).astype(np.intp) + (points >= 0x800) + (points >= 0x10000)
            widths[(points >= _ESCAPED[0]) & (points <= _ESCAPED[1])] = 1
            self._starts[index] = summed(widths)
        first, last = self._starts[index][list(span)].tolist()
        return first, last


def _points(data: bytes) -> Points:
    """Code points; what is no UTF-8 as `surrogateescape` has it."""
    return np.frombuffer(data.decode("utf-8", "surrogateescape").encode("utf-32-le", "surrogatepass"), "<u4")


def _text(data: bytes) -> str:
    """As many characters as `surrogateescape` makes of it."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        points = _points(data)
        is_read = (points < _ESCAPED[0]) | (points > _ESCAPED[1])
        return np.where(is_read, points, np.uint32(_UNREADABLE)).tobytes().decode("utf-32-le")


_ESCAPED, _UNREADABLE = (0xDC80, 0xDCFF), 0xFFFD


def _with_white_space(data: bytes) -> bytes:
    """With line breaks and quotation marks where they stand behind a backslash."""
    if b"\\" not in data:
        return data
    octets = octets_of(data).copy()
    short = mapped(octets, _SHORT)
    places = np.flatnonzero((octets[:-1] == ord("\\")) & (short[1:] > 0))
    octets[places], octets[places + 1] = short[places + 1], 0
    return octets.tobytes()


def _closed(data: bytes, origin: Places) -> tuple[bytes, Places]:
    """Without the zeros."""
    closed = data.translate(None, b"\0")
    if len(closed) == len(data):
        return data, origin
    return closed, origin[np.append(np.flatnonzero(octets_of(data)), len(data))]
