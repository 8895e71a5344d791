"""A shadow cut into sentences, as arrays: each is judged by itself.

Stops, blank lines, fields of data and tags end one, but for tags that say nothing and leave no gap (`tags`). A line
that breaks off in a sentence is part of it; one that is short, or before one that begins with a sign, a number, a
capital, a label or code, is not, but for the marks of comments (`comments`). Rows of one sign are read as two of it,
and of the same words some rounds at once (`repeats`).
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from interpose_sanitizer import literals, reach
from interpose_sanitizer.classifier import comments, repeats, scripts, tables, tags
from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import EVERY, Mask, Places, Points, blanked, following, is_digit, preceding, summed
from interpose_sanitizer.shadow import Shadow

WRAPPED, SHORT, LABEL = 50, 20, 24
"""Characters of a line that may break off in a sentence, of one that does not go on with it, and of a label before a
colon, which begins one."""
LONGEST = 64
"""Words and signs of a sentence: a longer one is judged in pieces."""

_OTHER, _WORD, _BLANK, _LINE, _STOP, _FULL, _CLOSING = range(7)
_SIGNS = {
    _BLANK: " \t",
    _LINE: "\n",
    _STOP: ".!?…",
    _FULL: reach.STOPS,
    _CLOSING: "\"')]}»\u201c\u201d\u2019*_`",
}
_NO_WORDS = (
    *((0x80, 0xAA), (0xAB, 0xB5), (0xB6, 0xBA), (0xBB, 0xC0)),
    *((0x2000, 0x2C00), (0x3000, 0x3040), (0x1F000, 0x1FB00)),
)
Lengths = npt.NDArray[np.float64]
_RESERVED = re.compile(r"\bexample\.(?:com|net|org)\b")
"""Hosts of nobody (RFC 2606, section 3)."""
_BACKSLASH, _QUOTE, _LESS, _GREATER, _BAR = (ord(one) for one in '\\"<>|')
_LABELS = [ord(one) for one in ":={"]
"""What stands near the beginning of a line that is a label's, or code."""


_BOXED = [ord(one) for one in "]>}|"]
"""What a line that ends with it does not break off with."""
_BEHIND_FIELD = [ord(one) for one in ",:}]"]
_IN_TAG = [ord(one) for one in "/!|abcdefghijklmnopqrstuvwxyz"]


class Cut(NamedTuple):
    """The characters of sentences without what is blank at their edges, but where a long one is cut, and one space for
    each gap within.

    `places` says where each stands in the shadow, `number` in which sentence, `words` which of them begin a word or are
    a sign, and `stops` where those end.
    """

    points: Points
    places: Places
    number: npt.NDArray[np.int64]
    words: Places
    stops: Places

    @property
    def sentences(self) -> int:
        """How many there are."""
        return int(self.number[-1]) + 1 if self.number.size else 0

    @property
    def lengths(self) -> Lengths:
        """How many words each of them has. Signs, numbers, codes with a digit and single letters are none; two
        syllables are one in a script that writes no spaces."""
        first, digits = self.points.take(self.words), summed(is_digit(self.points))
        is_plain = digits.take(self.words) == digits.take(self.stops)
        is_syllable = scripts.is_spaceless(first)
        is_long = is_syllable | (self.stops - self.words > 1)
        is_word = of_words(first) & is_plain & is_long
        size = np.where(is_syllable, 0.5, 1.0) * is_word
        return np.bincount(self.number.take(self.words), size, minlength=self.sentences).astype(np.float64)

    def span(self, number: int) -> Span:
        """Where one of them stands in the shadow."""
        first, last = np.searchsorted(self.number, (number, number + 1)).tolist()
        return int(self.places[first]), int(self.places[last - 1]) + 1

    @property
    def edges(self) -> tuple[Places, Places]:
        """Where each of them begins in the shadow, and where it ends."""
        begins = np.append(True, self.number[1:] != self.number[:-1])[: self.number.size]
        return self.places[begins], self.places[np.append(begins[1:], True)[: begins.size]] + 1

    def touched(self, spans: Iterable[Span]) -> Mask:
        """Which of them some spans of the shadow touch."""
        touched = np.zeros(self.sentences, np.bool_)
        for begin, end in spans:
            first, last = np.searchsorted(self.places, (begin, end)).tolist()
            touched[self.number[first:last]] = True
        return touched


def of_words(points: Points) -> Mask:
    """Which characters are of words, and no signs."""
    return np.asarray(_kinds().take(points) == _WORD)


@cache
def _kinds() -> npt.NDArray[np.uint8]:
    kinds = np.full(EVERY, _WORD, np.uint8)
    kinds[:0x80] = [_WORD if chr(point).isalnum() or chr(point) in "'_" else _OTHER for point in range(0x80)]
    for begin, end in _NO_WORDS:
        kinds[begin:end] = _OTHER
    for kind, signs in _SIGNS.items():
        kinds[[ord(sign) for sign in signs if sign not in "'_"]] = kind
    return kinds


@cache
def _of_labels() -> Mask:
    """Which characters are labels' or code's; the last place is for all beyond ASCII."""
    return np.isin(np.arange(0x81), _LABELS)


def cut(shadow: Shadow) -> Cut:
    """The sentences of a shadow."""
    points = comments.without(_without_rules(_with_line_breaks(shadow.points)), shadow.text)
    points, tagged = tags.without(_without_reserved(points, shadow.text), shadow.text)
    kinds = _kinds().take(points)
    blank = (kinds == _BLANK) | (kinds == _LINE)
    said = np.flatnonzero(~blank)
    ends = _stopped(points, kinds, blank) | _of_lines(points, kinds, said, shadow.is_capital) | tagged
    ends |= _of_data(points, blank) | tables.separators(points)
    ends[list(literals.ends(shadow.text))] = True
    number = np.cumsum(preceding(ends), dtype=np.int64)
    gaps = (np.diff(said) > 1) & (np.diff(number.take(said)) == 0)
    is_kept = ~blank
    is_kept[said[:-1][gaps] + 1] = True
    kept = np.flatnonzero(is_kept)
    kinds, number = kinds.take(kept), number.take(kept)
    points = np.where((kinds == _LINE) | (kinds == _BLANK), np.uint32(ord(" ")), points.take(kept))
    begins, stops = _words(points, kinds, number)
    return Cut(points, kept, _no_longer(points, number, begins, stops), begins, stops)


def _with_line_breaks(points: Points) -> Points:
    """The text with line breaks for those that it spells."""
    slashes = points == _BACKSLASH
    if not bool(slashes.any()):
        return points
    begins = slashes & following((points == ord("n")) | (points == ord("r")))
    return np.where(begins | preceding(begins), np.uint32(0x0A), points)


def _without_reserved(points: Points, text: str) -> Points:
    """The text with blanks for the hosts that are reserved for examples: most attacks that were written to learn from
    send to one, and so does what is honest elsewhere."""
    reserved = [host.span() for host in _RESERVED.finditer(text)] if "example." in text else []
    return blanked(points, *np.array(reserved).T) if reserved else points


def _without_rules(points: Points) -> Points:
    """The text with blanks within rows of the same sign: a line that is drawn says no more than its ends.

    One blank each may stand between: # # # #
    """
    kinds = _kinds().take(points)
    is_sign = (kinds == _OTHER) | (kinds == _CLOSING)
    is_same, is_apart = (is_sign & _is_again(points, far) for far in (1, 2))
    is_apart &= following(kinds == _BLANK)
    inner = (is_same & preceding(is_same)) | (is_apart & preceding(is_apart, 2))
    return np.where(inner, np.uint32(ord(" ")), points) if bool(inner.any()) else points


def _is_again(points: Points, far: int) -> Mask:
    """For each place whether the same stands so far behind it."""
    return np.append(points[far:] == points[:-far], np.zeros(far, np.bool_))[: points.size]


def _stopped(points: Points, kinds: npt.NDArray[np.uint8], blank: Mask) -> Mask:
    """Behind which characters a sentence ends by its own mark."""
    ends = following(blank)
    ends[-1:] = True
    closed = (kinds == _CLOSING) & ends
    ends |= following(points == _LESS)
    single = preceding((kinds == _WORD) & ~is_digit(points)) & ~preceding(kinds == _WORD, 2)
    stops = (kinds == _STOP) & (ends | following(closed)) & ~(single & (points == ord(".")))
    return np.asarray(stops | (kinds == _FULL), np.bool_)


def _of_lines(points: Points, kinds: npt.NDArray[np.uint8], said: Places, capital: Mask) -> Mask:
    """Behind which characters a sentence ends with its line."""
    ends = np.zeros(points.size, np.bool_)
    lines = np.flatnonzero(kinds == _LINE)
    if not lines.size or not said.size:
        return ends
    long = (np.diff(lines, prepend=-1) > WRAPPED) & ~np.isin(points.take(np.maximum(lines - 1, 0)), _BOXED)
    following_said = np.searchsorted(said, lines)
    behind = said.take(np.minimum(following_said, said.size - 1))
    goes_on = (
        long
        & (following_said < said.size)
        & (kinds.take(behind) == _WORD)
        & ~(is_digit(points.take(behind)) | capital.take(behind))
    )
    # A blank line: between this line break and what is said next stands another.
    nearest = np.append(lines[1:], points.size)
    goes_on &= (nearest > behind) & (nearest - lines > SHORT)
    labels = np.append(np.flatnonzero(_of_labels().take(points, mode="clip")), points.size + LABEL)
    goes_on &= labels.take(np.searchsorted(labels, behind)) - behind > LABEL
    ends[lines[~goes_on]] = True
    return ends


def _of_data(points: Points, blank: Mask) -> Mask:
    """Behind which characters a field of data or a tag ends, or stands before the next."""
    ends: Mask = points == _GREATER
    last = points.size - 1
    quotes, bars, tags = (np.flatnonzero(points == sign) for sign in (_QUOTE, _BAR, _LESS))
    ends[quotes[np.isin(points.take(np.minimum(quotes + 1, last)), _BEHIND_FIELD) & (quotes < last)]] = True
    ends[bars[(bars > 0) & (bars < last) & blank.take(bars - 1) & blank.take(np.minimum(bars + 1, last))]] = True
    ends[tags[np.isin(points.take(np.minimum(tags + 1, last)), _IN_TAG) & (tags > 0) & (tags < last)] - 1] = True
    return ends


def _words(points: Points, kinds: npt.NDArray[np.uint8], number: npt.NDArray[np.int64]) -> tuple[Places, Places]:
    """Where words and signs begin, and where they end."""
    word = kinds == _WORD
    goes_on = word & preceding(word) & np.append(False, number[1:] == number[:-1])[: number.size]
    spaceless = scripts.is_spaceless(points)
    if bool(spaceless.any()):
        goes_on &= ~(spaceless | preceding(spaceless)) | scripts.is_joined(points)
    said = (kinds != _BLANK) & (kinds != _LINE)
    return np.flatnonzero(said & ~goes_on), np.flatnonzero(said & ~following(goes_on)) + 1


def _no_longer(points: Points, number: npt.NDArray[np.int64], begins: Places, stops: Places) -> npt.NDArray[np.int64]:
    """The numbers of sentences, those in one row, with new ones within rows of the same words and what is too long."""
    of_words = number.take(begins)
    first = np.append(True, of_words[1:] != of_words[:-1])[: of_words.size]
    first |= repeats.cut(points, number, begins, stops)
    halves = summed(np.where(scripts.is_spaceless(points.take(begins)), 1, 2))
    rank = (halves[:-1] - np.maximum.accumulate(np.where(first, halves[:-1], 0))) // (2 * LONGEST)
    fresh = np.zeros(number.size, np.int64)
    fresh[begins[first | (rank != np.append(0, rank[:-1])[: rank.size])]] = 1
    return np.cumsum(fresh) - 1
