"""Where a decoded text could be language at all. Nobody asks the rules about the rest.

Most of what decodes says nothing: keys and pictures have rows of letters by chance, and base64 in base64 is a text
to be decoded, not read. To match rules on that takes far longer than on prose, and finds nothing. So only what is near
a row of letters that stand beside each other as they do in words, or of signs of one script, is asked about. Where all
around is noise, such a row has to be longer, and surer.
"""

import string
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from interpose_sanitizer.encoded.cues import pairs
from interpose_sanitizer.encoded.rows import Mask, dilated, eroded
from interpose_sanitizer.encoded.source import Indexes, Octets, mapped
from interpose_sanitizer.encoded.writing import ACCENTED, are_written, latin_letters, scripts
from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import Points, points_of, summed, united

REACH = 120
"""How far an attack may reach from where it reads like language, in characters."""
LONGEST_WORD = 40
"""No language has a longer word, and no rule needs one: digits of some other encoding."""
_SIGNS = 16
"""So many letters and gaps are looked at together, whatever stands between them."""
_LIKELY, _UNTOLD = 19, 17
"""Four times how often two letters stand side by side, on average, in what could be words; and a little less."""
_END = "\x1e" * _SIGNS
_ACCENTED, _RARE, _GAP, _NOTHING = 27, 28, 29, 30
"""Kinds of sign besides the letters, which are 1 to 26, and what stands between two texts, which is 0."""
_AROUND, _NOISE = 256, 19
"""So many letters and gaps around a row are noise when they stand side by side less likely than that, four times."""
_BLOCK = 32
"""So many of them are judged together."""
_LONG, _SURE = 24, 22
"""What a row in noise has to have: so many letters, and so likely."""
_FEW_ALIKE, _MANY_ALIKE, _SIGNS_AROUND = 4, 8, 64
"""Signs of one script in a row; the same in noise; and how many around a row are noise when half are never written."""
_FOR_LETTERS = dict(zip("0134579@$!|", "oieastgasii", strict=True))
_IS_DIGIT = bytes(octet < 0x80 and (chr(octet).isalnum() or octet in b"+/=") for octet in range(256))


def _kind(octet: int) -> int:
    sign = _FOR_LETTERS.get(chr(octet), chr(octet).lower())
    if sign in string.ascii_lowercase:
        return ord(sign) - ord("a") + 1
    return _GAP if sign in " \t\r\n" else _RARE if sign in "#%&*;=^`{}~\\+" else 0 if sign in _END else _NOTHING


_KINDS = bytes(map(_kind, range(256)))


@cache
def _table() -> NDArray[np.int32]:
    """How likely two kinds of sign stand side by side, at their numbers as one."""
    table = np.full((32, 32), _UNTOLD, np.int32)
    table[1:27, 1:27] = 4 * pairs()[1:, 1:]
    table[_ACCENTED, 1:_ACCENTED] = table[1:_ACCENTED, _ACCENTED] = 20
    table[_GAP, 1:_RARE] = table[1:_RARE, _GAP] = 23
    table[_RARE, :] = table[:, _RARE] = 0
    return table.ravel()


def readable(texts: Sequence[str]) -> list[tuple[int, Span]]:
    """What of some texts could be language: the number of the text and a span of it, in order."""
    if not texts:
        return []
    joined = _END.join(texts) + _END
    ends = np.cumsum(np.fromiter(map(len, texts), np.intp, len(texts)) + len(_END)) - len(_END)
    begins = np.append(0, ends[:-1] + len(_END))
    first, last = _rows(joined, begins)
    number = np.searchsorted(begins, last, "right") - 1
    start, end = np.maximum(first - REACH, begins[number]), np.minimum(last + 1 + REACH, ends[number])
    is_new = np.append(True, start[1:] > np.maximum.accumulate(end)[:-1])[: len(start)]
    places = np.flatnonzero(is_new)
    start, number = start[places], number[places]
    end = np.maximum.reduceat(end, places) if len(places) else end
    spans = zip((start - begins[number]).tolist(), (end - begins[number]).tolist(), strict=True)
    return list(zip(number.tolist(), spans, strict=True))


def _rows(text: str, begins: Indexes) -> tuple[Indexes, Indexes]:
    """The first and the last place of each row that could be words, in order; texts begin at these places."""
    first, last = _by_letters(text, begins)
    if text.isascii():
        return first, last
    also, until = _by_script(text, begins)
    first, last = np.append(first, also), np.append(last, until)
    order = np.argsort(first, kind="stable")
    return first[order], last[order]


def _by_letters(text: str, begins: Indexes) -> tuple[Indexes, Indexes]:
    """Those of Latin letters."""
    kinds = _kinds(text)
    kept = np.flatnonzero(kinds != _NOTHING)
    sums = _summed(kinds[kept])
    steps = _SIGNS - 1
    likely = np.flatnonzero(sums[steps:] - sums[:-steps] >= steps * _LIKELY)
    is_noise = _are_noise(kept, sums, begins).take(likely // _BLOCK)
    if is_noise.any():
        noisy = likely[is_noise]
        likely = united(likely[~is_noise], noisy[_are_sure(sums, noisy)])
    likely = _thinned(likely)
    return kept[likely], kept[likely + steps]


def _thinned(rows: Indexes) -> Indexes:
    """Of rows that begin one behind the other the first, the last, and some between, which cover as much."""
    is_edge = np.ones(len(rows) + 1, np.bool_)
    is_edge[1:-1] = np.diff(rows) > 1
    left: Indexes = rows[is_edge[:-1] | is_edge[1:] | (rows % _SIGNS == 0)]
    return left


def _are_noise(places: Indexes, sums: NDArray[np.int64], begins: Indexes) -> Mask:
    """For so many letters and gaps each whether they stand within noise, all of one text."""
    first = np.arange(0, len(places) + 1, _BLOCK)
    last = np.minimum(first + _BLOCK, len(places)) - 1
    texts = np.searchsorted(begins, places.take(first, mode="clip"), "right")
    edges = np.append(np.searchsorted(places, begins), len(places))
    start = np.maximum(first + _BLOCK // 2 - _AROUND // 2, edges[texts - 1])
    end = np.minimum(first + _BLOCK // 2 + _AROUND // 2, edges[texts])
    end = np.minimum(end, len(sums) - 1)
    is_likely = sums[end] - sums[np.minimum(start, end)] >= (end - start) * _NOISE
    found: Mask = ~is_likely & (last < edges[texts]) & (end - start >= _AROUND // 4)
    return found


def _are_sure(sums: NDArray[np.int64], likely: Indexes) -> Mask:
    """Which rows are part of longer ones that are surely words."""
    best = np.zeros(len(likely), np.bool_)
    for before in range(0, _LONG - _SIGNS + 1, 4):
        start = np.maximum(likely - before, 0)
        end = np.minimum(start + _LONG - 1, len(sums) - 1)
        best |= sums[end] - sums[start] >= (end - start) * _SURE
    return best


def _around(places: Indexes, rows: Indexes, begins: Indexes, width: int, last: int) -> tuple[Indexes, Indexes]:
    """From where to where signs stand around rows, in the same text, by their numbers among those at some places."""
    texts = np.searchsorted(begins, places[rows], "right")
    edges = np.append(np.searchsorted(places, begins), last)
    return np.maximum(rows - width // 2, edges[texts - 1]), np.minimum(rows + width // 2, edges[texts])


def likelihoods(points: Points) -> NDArray[np.int64]:
    """Four times how likely signs stand side by side, from the beginning up to each, whatever they could encode."""
    return _summed(_kinds_of(points))[: points.size]


def _summed(kinds: Octets) -> NDArray[np.int64]:
    told = kinds.astype(np.intp)
    return summed(_table()[told[:-1] << 5 | told[1:]])


def _kinds(text: str) -> Octets:
    """The kind of each character; none of digits of some other encoding."""
    points = points_of(text)
    are_digits = eroded(mapped(_small(points), _IS_DIGIT).view(np.bool_), LONGEST_WORD, 1)
    kinds = _kinds_of(points)
    if are_digits.any():
        kinds = np.where(dilated(are_digits, LONGEST_WORD - 1)[: len(kinds)], np.uint8(_NOTHING), kinds)
    return kinds


def _kinds_of(points: Points) -> Octets:
    ascii_only = mapped(_small(points), _KINDS)
    if not (points > 0x7F).any():
        return ascii_only
    return np.where(points < 0x80, ascii_only, _accented().take(np.minimum(points, ACCENTED[-1][1])))


def _small(points: Points) -> Octets:
    return np.minimum(points, 0x80).astype(np.uint8)


@cache
def _accented() -> Octets:
    """The kind of each letter that Latin ones are written with besides those of ASCII."""
    table = np.full(ACCENTED[-1][1] + 1, _NOTHING, np.uint8)
    for number, letter in latin_letters():
        table[number] = _kind(ord(letter)) if letter.isascii() else _ACCENTED
    return table


def _by_script(text: str, begins: Indexes) -> tuple[Indexes, Indexes]:
    """Those of signs of one other script, whatever ASCII stands between them."""
    points = points_of(text)
    places = np.flatnonzero(points >= 0x80)
    points = points[places]
    written, script = are_written(points), scripts(points)
    alike = written[:-1] & written[1:] & (script[:-1] == script[1:])
    few, many = (np.flatnonzero(eroded(alike, count - 1, 1)) for count in (_FEW_ALIKE, _MANY_ALIKE))
    before = summed(written)
    around, until = _around(places, few, begins, _SIGNS_AROUND, len(places))
    is_noise = 2 * (before[until] - before[around]) < until - around
    few = few[~(is_noise & (until - around >= _SIGNS_AROUND // 4))]
    first = places[np.append(few, many)]
    last = places[np.append(few + _FEW_ALIKE - 1, many + _MANY_ALIKE - 1)]
    is_one = np.searchsorted(begins, first, "right") == np.searchsorted(begins, last, "right")
    return first[is_one], last[is_one]
