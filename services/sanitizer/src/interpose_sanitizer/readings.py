"""The other readings of a text: what it says to somebody who reads through a disguise. Each is made only where a sign
asks for it, from arrays, and all are matched in the same way.

Letters that look alike, digits for letters, what a terminal shows in the end, line breaks that are spelled out. And one
in which letters that stand apart are joined (`Pieced`), for which words may be joined as well.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from interpose_sanitizer import knitting, leet, lookalikes, mending, spacing, tagless, terminal
from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import Mask, Places, Points, following, preceding, text_of
from interpose_sanitizer.shadow import Shadow, Written
from interpose_sanitizer.signs import Sign, signs_in
from interpose_sanitizer.vocabulary import Vocabulary

_BACKSLASH, _SPACE, _LINE_FEED = ord("\\"), ord(" "), ord("\n")
_IS_BREAK = np.isin(np.arange(0x81), [ord(one) for one in "nrt"])
_OVERWRITES = ("\b", "\r")
REACH = 600
"""How far from what was put together a phrase with it may reach, in characters."""
BESIDE = 2
"""A mark may also be what lets a word begin or end."""
_END = 0x241E
_LINK, FEWEST_LINKS, _BRIDGE = 2, 4, 8
"""Marks that are so close, in characters that are read, make a stretch, so many of them; and so much is between two
that are one. A disguise that begins with an attack goes on with it."""


def stretches(read: Places, places: Places) -> Places:
    """Where a text is disguised letter by letter, as spans of it: its marks are at these places of it, and of what is
    read."""
    begins = np.flatnonzero(np.diff(read, prepend=-_LINK - 1) > _LINK)
    lasts = np.append(begins[1:], read.size) - 1
    long = lasts - begins >= FEWEST_LINKS - 1
    begins, lasts = begins[long], lasts[long]
    apart = read[begins[1:]] - read[lasts[:-1]] > _BRIDGE
    first, last = begins[np.append(True, apart)[: begins.size]], lasts[np.append(apart, True)[: begins.size]]
    return np.stack([places[first], places[last] + 1], axis=1)


def widened(span: Span, by: Places) -> Span:
    """A span with the stretches that it touches."""
    first, last = by[:, 1].searchsorted(span[0] - BESIDE), by[:, 0].searchsorted(span[1] + BESIDE)
    if first >= last:
        return span
    return min(span[0], int(by[first, 0])), max(span[1], int(by[last - 1, 1]))


@dataclass(frozen=True, slots=True)
class Pieced:
    """A reading in which letters are joined that stood apart in the text, by `separated` or by something `hidden`."""

    shadow: Shadow
    separated: Places
    hidden: Places

    def widened(self, span: Span) -> Span:
        """A span with the letters around it that stand apart as well."""
        return widened(span, stretches(self.separated - np.arange(self.separated.size), self.separated))

    def is_pieced(self, span: Span) -> bool:
        """Whether this much of the text was put together: anything that hid, or more than an initial."""
        hidden, separated = (np.diff(places.searchsorted(span))[0] for places in (self.hidden, self.separated))
        return bool(hidden > 0 or separated >= spacing.FEWEST)


@dataclass(frozen=True, slots=True)
class Knit(Pieced):
    """One of words that are broken or run together. What could be a name is one unless it goes on behind a blank."""

    joined: Places
    named: Places
    blanks: Places
    marks: Places

    @classmethod
    def of(cls, knit: knitting.Knit) -> Self:
        """The reading that this makes."""
        rest = (knit.joined, knit.named, knit.blanks, knit.marks)
        return cls(Shadow.of(knit.written), knit.blanks[:0], knit.broken, *rest)

    def is_pieced(self, span: Span) -> bool:
        """Whether this much of the text is broken or run together, and is no name."""
        of = (self.hidden, self.joined, self.named, self.blanks, self.marks)
        broken, joined, named, blanks, marks = (int(np.diff(places.searchsorted(span))[0]) for places in of)
        if span[1] - span[0] > REACH:
            return False
        return broken > 0 or joined > 0 or (named > 0 and blanks > 0 and not marks)


class Near(Shadow):
    """A reading of what stands near its `marks` alone, the places of the text at which it differs from the plain one.

    What holds none of them is found by the plain one, which knows what stands further around it.
    """

    marks: Places
    _read: Places

    @classmethod
    def around(cls, marks: Places, read: Places, written: Written) -> Self:
        """The shadow that folded characters are, with these marks: in the text, and in what is read there."""
        near = cls.of(written)
        near.marks, near._read = marks, read
        return near

    def widened(self, span: Span) -> Span:
        """A span with the stretch around it that is disguised in the same way."""
        return widened(span, self._stretches)

    @cached_property
    def _stretches(self) -> Places:
        return stretches(self._read, self.marks)

    def holds(self, span: Span) -> bool:
        """Whether one of the marks is in a span of the text, or beside it."""
        first, last = self.marks.searchsorted((span[0] - BESIDE, span[1] + BESIDE))
        return bool(first < last)


def others(text: str, shadow: Shadow, hidden: Places, words: Vocabulary | None = None) -> Iterator[Shadow | Pieced]:
    """Every other reading of a text of which this is the plain shadow, and in which this is hidden.

    Of each no more than what stands near a place where it differs: elsewhere it says what another one says. And no more
    than what stands near one of these `words`, if they are known, where it is a word that differs.
    """
    for reading in _seen_through(text, shadow, hidden, words):
        yield reading
        if isinstance(reading, Near):
            yield from _reworded(reading, signs_in(reading.data))


def _seen_through(text: str, shadow: Shadow, hidden: Places, words: Vocabulary | None) -> Iterator[Shadow | Pieced]:
    signs = signs_in(shadow.data)
    yield from _reworded(shadow, signs)
    if any(one in text for one in _OVERWRITES):
        yield from _written_over(shadow.source)
    loose: Written | None = None
    if not text.isascii():
        for read in (lookalikes.as_cyrillic, lookalikes.as_latin):
            points = read(shadow.source.points)
            if points is not None:
                loose = Written(points, shadow.source.places).folded()
                yield from _near(loose, *(_where(loose, some) for some in _alike(shadow.source, points)))
        signs |= signs_in(text_of(loose.points).encode()) if loose is not None else frozenset()
        turned = lookalikes.overturned(shadow.source.points)
        if turned is not None:
            yield Shadow.of(Written(turned, _backwards(shadow.source)).folded())
    if signs or hidden.size:
        yield from _of_signs(signs, loose or shadow.folded, hidden, words)


def _reworded(read: Shadow, signs: frozenset[Sign]) -> Iterator[Shadow | Pieced]:
    """A reading with its words as they are meant, and one without the gaps between them."""
    for way, words in mending.found(read.data, signs).items():
        yield from _near(*mending.mended(_around(read, mending.where(read.data, words)), way))
    if Sign.BROKEN in signs or Sign.GLUED in signs:
        near = _around(read, knitting.where(read.data))
        knit = knitting.knit(near)
        if knit is not None:
            yield Knit.of(knit)


def _around(read: Shadow, places: Places | None) -> Written:
    """What is in reach of some places of a reading, in bytes; all of it, where they are too many to tell."""
    if places is None:
        return read.folded
    return _in_reach(read.folded, np.array([read.characters((place, place))[0] for place in places.tolist()], np.int64))


def _of_signs(
    signs: frozenset[Sign], written: Written, hidden: Places, words: Vocabulary | None
) -> Iterator[Shadow | Pieced]:
    if Sign.TAGGED in signs:
        yield from _near(*_untagged(written))
    if Sign.CHAINED in signs:
        yield from _near(*_unchained(written))
    if Sign.ESCAPED in signs:
        yield from _near(*_unescaped(written))
    if Sign.LEET in signs or Sign.SPACED in signs:
        first, second = leet.spelled(written.points)
        if Sign.LEET in signs:
            marks = leet.words(written.points, first, second)
            for points, differs in ((first, first != written.points), (second, second != first)):
                told = _told(written.points, points, marks, differs, words)
                yield from _near(Written(points, written.places), marks, told)
        if Sign.SPACED in signs or hidden.size:
            yield from _pieced(Written(first, written.places), written.points, hidden)
    elif hidden.size:
        yield from _pieced(written, written.points, hidden)


def _told(points: Points, read: Points, marks: Places, differs: Mask, words: Vocabulary | None) -> Places:
    """Where letters were put that matter to a rule: of those places at which this reading differs from the last one."""
    if words is None or not bool(differs.any()):
        return marks if bool(differs.any()) else marks[:0]
    also = leet.beside(points, read, marks)
    told = words.touched(read, marks[differs[marks]], also[differs[also]])
    addresses = leet.addresses(points, marks)
    return np.union1d(told, addresses[differs[addresses]])


def _alike(source: Written, points: Points) -> tuple[Places, Places]:
    """Where in the text letters were put that look alike; and those of them that may be meant so."""
    marks = lookalikes.words(source.points, points)
    told = lookalikes.beside_cyrillic(source.points, points, marks)
    return (marks, told) if source.places is None else (source.places.take(marks), source.places.take(told))


def _written_over(source: Written) -> Iterator[Shadow]:
    seen = terminal.written_over(source.points)
    if seen is not None:
        yield Shadow.of(source.only(seen).folded())


def _untagged(written: Written) -> tuple[Written, Places]:
    kept = tagless.without_tags(written.points)
    return written.only(kept), tagless.joints(written.points, kept)


def _unescaped(written: Written) -> tuple[Written, Places]:
    """Line breaks of JSON in a text as spaces, and those that it takes back as nothing."""
    points = written.points
    slashes = points == _BACKSLASH
    continued = preceding(slashes) & (points == _LINE_FEED)
    broken = slashes | (preceding(slashes) & _IS_BREAK.take(np.minimum(points, 0x80)))
    blanked = Written(np.where(broken, np.uint32(_SPACE), points), written.places)
    gone = continued | following(continued)
    if not bool(gone.any()):
        return blanked, np.flatnonzero(broken)
    kept = ~gone
    return blanked.only(np.flatnonzero(kept)), np.flatnonzero((broken | preceding(gone))[kept])


def _backwards(source: Written) -> Places:
    return np.arange(source.points.size)[::-1] if source.places is None else source.places[::-1]


def _unchained(written: Written) -> tuple[Written, Places]:
    """Words that something joins, with spaces."""
    chained = spacing.chains(written.points)
    points = written.points.copy()
    points[chained] = _SPACE
    return Written(points, written.places), chained


def _pieced(written: Written, plain: Points, hidden: Places) -> Iterator[Pieced]:
    separated = spacing.separators(written.points, plain)
    marks = np.sort(np.concatenate([separated, _where(written, hidden)])) if hidden.size else separated
    if marks.size:
        places = separated if written.places is None else np.sort(written.places.take(separated))
        yield Pieced(Shadow.of(_in_reach(written, marks, without=separated)), places, hidden)


def _where(written: Written, places: Places) -> Places:
    """Where these places of the text are in what is written; of one that is not there, the next."""
    if written.places is None:
        return places
    return np.minimum(np.searchsorted(written.places, places), max(written.points.size - 1, 0))


def _near(written: Written, marks: Places, told: Places | None = None) -> Iterator[Near]:
    """What is written near its marks, or near what is `told` of them; nothing where there is none."""
    told = marks if told is None else told
    if told.size and written.points.size:
        places = marks if written.places is None else np.sort(written.places.take(marks))
        yield Near.around(places, marks, _in_reach(written, told))


def _in_reach(written: Written, marks: Places, without: Places | None = None) -> Written:
    """What is in reach of some places, in order; each piece of it ends with what a rule lets stand in no phrase."""
    apart = np.diff(marks) > 2 * REACH
    begins = np.maximum(marks[np.append(True, apart)] - REACH, 0)
    ends = np.minimum(marks[np.append(apart, True)] + REACH, written.points.size - 1) + 1
    lengths = ends - begins
    kept = np.repeat(begins - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))
    near = written.only(kept)
    near.points[np.cumsum(lengths)[ends < written.points.size] - 1] = _END
    if without is None:
        return near
    is_kept = np.ones(written.points.size, np.bool_)
    is_kept[without] = False
    return near.only(np.flatnonzero(is_kept.take(kept)))
