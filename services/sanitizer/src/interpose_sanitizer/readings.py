"""The other readings of a text: what it says to somebody who reads through a disguise. Each is made only where a sign
asks for it, from arrays, and all are matched in the same way.

Letters that look alike, digits for letters, what a terminal shows in the end, line breaks that are spelled out. And one
in which letters that stand apart are joined (`Pieced`), for which words may be joined as well.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from interpose_sanitizer import knitting, leet, lookalikes, mending, overturned, spacing, tagless, terminal
from interpose_sanitizer.folding import table
from interpose_sanitizer.partial import Knit, Near, Pieced, in_reach
from interpose_sanitizer.points import Mask, Places, Points, following, preceding, text_of, united
from interpose_sanitizer.shadow import Shadow, Written
from interpose_sanitizer.signs import Sign, signs_in
from interpose_sanitizer.vocabulary import Vocabulary

_BACKSLASH, _SPACE, _LINE_FEED = ord("\\"), ord(" "), ord("\n")
_IS_BREAK = np.isin(np.arange(0x81), [ord(one) for one in "nrt"])
_OVERWRITES, _COMMAND, _SHORT = ("\b", "\r"), "\x1b]", "\x9b"
_APART = frozenset({Sign.SPACED, Sign.CHAINED, Sign.TAGGED, Sign.EMPHASISED, Sign.CELLS, Sign.BROKEN_OFF})
"""Signs of words that are taken apart, or put together."""


def others(text: str, shadow: Shadow, hidden: Places, words: Vocabulary | None = None) -> Iterator[Shadow]:
    """Every other reading of a text of which this is the plain shadow, and in which this is hidden.

    Of each no more than what stands near a place where it differs: elsewhere it says what another one says. And no more
    than what stands near one of these `words`, if they are known, where it is a word that differs.
    """
    for reading in _seen_through(text, shadow, hidden, words):
        yield reading
        if isinstance(reading, Near):
            yield from _reworded(reading, signs_in(reading.data))


def _seen_through(text: str, shadow: Shadow, hidden: Places, words: Vocabulary | None) -> Iterator[Shadow]:
    signs = signs_in(shadow.data)
    yield from _reworded(shadow, signs)
    if any(one in text for one in _OVERWRITES):
        yield from _written_over(shadow.source)
    if _SHORT in text:
        yield Shadow.of(shadow.source.only(terminal.without_short_sequences(shadow.source.points)).folded())
    if _COMMAND in text:
        yield Shadow.of(shadow.source.only(terminal.without_commands(shadow.source.points)).folded())
    loose: Written | None = None
    if not text.isascii():
        for read in (lookalikes.as_cyrillic, lookalikes.as_latin):
            points = read(shadow.source.points)
            if points is not None:
                loose = Written(points, shadow.source.places).folded()
                yield from _near(loose, *(_where(loose, some) for some in _alike(shadow.source, points)))
        signs |= signs_in(text_of(loose.points).encode()) if loose is not None else frozenset()
        turned = overturned.read(shadow.source)
        if turned is not None:
            yield turned
    if signs or hidden.size:
        yield from _of_signs(signs, loose or shadow.folded, hidden, words)
    if loose is not None and signs & _APART:
        # A letter by itself, and a word in a chain, look like another alphabet's; whole words do not.
        yield from _of_signs(signs & _APART, shadow.folded, hidden, words)


def _reworded(read: Shadow, signs: frozenset[Sign]) -> Iterator[Shadow]:
    """A reading with its words as they are meant, and one without the gaps between them."""
    for way, words in mending.found(read.data, signs).items():
        yield from _near(*mending.mended(_around(read, mending.where(read.data, words)), way))
    if Sign.BROKEN in signs or Sign.GLUED in signs:
        near = _around(read, knitting.where(read.data))
        knit = knitting.knit(near)
        if knit is not None:
            yield Knit.knitted(knit)


def _around(read: Shadow, places: Places | None) -> Written:
    """What is in reach of some places of a reading, in bytes; all of it, where they are too many to tell."""
    if places is None:
        return read.folded
    return in_reach(read.folded, np.array([read.characters((place, place))[0] for place in places.tolist()], np.int64))


def _of_signs(signs: frozenset[Sign], written: Written, hidden: Places, words: Vocabulary | None) -> Iterator[Shadow]:
    if Sign.TAGGED in signs:
        yield from _near(*_without(written, tagless.without_tags(written.points)))
    if Sign.EMPHASISED in signs:
        yield from _near(*_without(written, tagless.without_emphasis(written.points)))
    if Sign.CELLS in signs:
        yield from _near(*_blanked(written, tagless.between_letters(written.points)))
    if Sign.BROKEN_OFF in signs:
        for kept in tagless.without_breaks(written.points):
            yield from _near(*_without(written, kept))
    if Sign.CHAINED in signs:
        yield from _near(*_blanked(written, spacing.chains(written.points)))
    if Sign.ESCAPED in signs:
        yield from _near(*_unescaped(written))
    if Sign.LEET in signs or Sign.SPACED in signs:
        spelled = leet.spelled(written.points)
        if Sign.LEET in signs:
            yield from _of_digits(written, spelled, words)
        if Sign.SPACED in signs or hidden.size:
            yield from _pieced(Written(spelled[0], written.places), written.points, hidden)
    elif hidden.size:
        yield from _pieced(written, written.points, hidden)


def _of_digits(written: Written, spelled: Sequence[Points], words: Vocabulary | None) -> Iterator[Shadow]:
    """The readings with letters for digits: of the first what differs from what is written, and of each other what does
    from the first."""
    marks, known = leet.words(written.points, spelled)
    for before, read in zip((written.points, spelled[0], spelled[0]), spelled, strict=True):
        differs = read != before
        if bool(differs.any()):
            also = united(known, leet.beside(written.points, read, marks))
            told = _told(written.points, read, (marks, also), differs, words)
            yield from _near(Written(read, written.places), united(marks, also), told)


def _told(points: Points, read: Points, put: tuple[Places, Places], differs: Mask, words: Vocabulary | None) -> Places:
    """Where letters were put that matter to a rule, in words and beside them: of those places at which this reading
    differs from the last one."""
    marks, also = put
    if words is None:
        return united(marks, also)
    told = words.touched(read, marks[differs[marks]], also[differs[also]])
    addresses = leet.addresses(points, marks)
    return united(told, addresses[differs[addresses]])


def _alike(source: Written, points: Points) -> tuple[Places, Places]:
    """Where in the text letters were put that look alike; and those of them that may be meant so."""
    marks = lookalikes.words(source.points, points)
    # What folds to that letter anyway, as a dotless i does, is written so by whole languages.
    marks = marks[table().first.take(source.points.take(marks)) != points.take(marks)]
    told = lookalikes.beside_cyrillic(source.points, points, marks)
    return (marks, told) if source.places is None else (source.places.take(marks), source.places.take(told))


def _written_over(source: Written) -> Iterator[Shadow]:
    seen = terminal.written_over(source.points)
    if seen is not None:
        yield Shadow.of(source.only(seen).folded())


def _without(written: Written, kept: Places) -> tuple[Written, Places]:
    """No more than what is kept, and where letters came together."""
    return written.only(kept), tagless.joints(written.points, kept)


def _blanked(written: Written, places: Places) -> tuple[Written, Places]:
    """Spaces for what stands between words at some places, and these."""
    points = written.points.copy()
    points[places] = _SPACE
    return Written(points, written.places), places


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


def _pieced(written: Written, plain: Points, hidden: Places) -> Iterator[Pieced]:
    separated = spacing.separators(written.points, plain)
    marks = np.sort(np.concatenate([separated, _where(written, hidden)])) if hidden.size else separated
    if marks.size:
        places = separated if written.places is None else np.sort(written.places.take(separated))
        yield Pieced.joined(in_reach(written, marks, without=separated), places, hidden)


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
        yield Near.around(places, marks, in_reach(written, told))
