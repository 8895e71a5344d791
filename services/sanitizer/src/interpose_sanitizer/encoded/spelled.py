"""Text that is spelled word by word: a word for each letter, or each word in base64 by itself."""

import re
from binascii import Error, a2b_base64
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, groupby, islice, pairwise
from typing import NamedTuple

import numpy as np
import re2  # type: ignore[import-untyped]

from interpose_sanitizer.encoded.batch import Batch, Place
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.radix import OTHER, follows
from interpose_sanitizer.encoded.radixes import BASE64
from interpose_sanitizer.encoded.rows import Mask, bounds
from interpose_sanitizer.encoded.source import Indexes, Octets, Source, mapped
from interpose_sanitizer.findings import Span

MOST_SPELLED = 5_000
"""Of one kind in one text. What is left is refused."""
_NATO = (
    "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo "
    "sierra tango uniform victor whiskey xray yankee zulu"
)
_ALSO = {"alfa": "a", "juliett": "j", "whisky": "w", "x-ray": "x", "x ray": "x"}
_GERMAN = (
    "anton berta cäsar dora emil friedrich gustav heinrich ida julius kaufmann ludwig martha nordpol otto paula quelle "
    "richard samuel theodor ulrich viktor wilhelm xanthippe ypsilon zacharias"
)
_LETTERS = {word: word[0] for word in f"{_NATO} {_GERMAN}".split()} | _ALSO
_BETWEEN = r"[\s,;:./|_>-]{1,6}(?:(?:break|space|stop|pause|next)[\s,;:./|_>-]{1,6})?"
_FEWEST = 10
_USUAL = (
    *("echo", "tango", "alfa", "alpha", "oscar", "india", "november", "sierra"),
    *("emil", "ida", "theodor", "anton", "otto", "nordpol", "samuel", "richard"),
)
_FEWEST_USUAL = 3
"""The most common letters: no sentence does without several of them."""
_WORD = re.compile("|".join(sorted(map(re.escape, _LETTERS), key=len, reverse=True)), re.IGNORECASE)
_IS_GAP = bytes(octet in b" \t\r\n,.;|\"'>#*" for octet in range(256))
_LONGEST_GAP = 8
_ENDS_WORD = bytes(octet in b" \t\r\n," for octet in range(256))
_SHORTEST = 12


class _Row(NamedTuple):
    """What is spelled at one place, piece by piece."""

    span: Span
    words: list[str]


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """Both kinds."""
    rows, cut = _first(_nato(source), len(source.text))
    if rows:
        yield Batch.of_payloads("nato", [(row.span, "".join(row.words)) for row in rows], cut)
    rows, cut = _first(_words(source), len(source.text))
    if rows:
        yield Batch("base64-words", [" ".join(row.words) for row in rows], _across(rows), cut=cut)


def _first(found: Iterator[_Row], end: int) -> tuple[list[_Row], frozenset[int]]:
    """So many, and one that nobody judges from where the next one begins."""
    rows = list(islice(found, MOST_SPELLED))
    rest = next(found, None)
    if rest is None:
        return rows, frozenset()
    return [*rows, _Row((rest.span[0], end), [])], frozenset({len(rows)})


def _across(rows: Sequence[_Row]) -> Place:
    """The whole row, but for what lies in one of its words: that is a payload of its own."""

    def place(index: int, span: Span) -> Span | None:
        ends = [*accumulate(len(word) + 1 for word in rows[index].words)]
        is_within = bisect_right(ends, span[0]) == bisect_right(ends, max(span[1] - 1, span[0]))
        return None if is_within and ends else rows[index].span

    return place


@cache
def _rows_of_names() -> "re2._Regexp":
    names = "|".join(sorted(map(re2.escape, _LETTERS), key=len, reverse=True))
    return re2.compile(rf"(?i)(?:(?:{names}){_BETWEEN}){{{_FEWEST},}}(?:(?:{names})\b)?")


def _nato(source: Source) -> Iterator[_Row]:
    """The letters of the words of the radio alphabet. What stands between two of them most often is no gap."""
    if _rows_of_names().search(source.data) is None:
        return
    small = source.text.lower()
    if sum(word in small for word in _USUAL) < _FEWEST_USUAL:
        return
    for row in _rows_of_names().finditer(source.text):
        found = list(_WORD.finditer(row[0]))
        gaps = [row[0][one.end() : other.start()] for one, other in pairwise(found)]
        usual = max(set(gaps), key=gaps.count)
        letters = [_LETTERS[one[0].lower()] for one in found]
        signs = ("" if gap == usual else " " for gap in [*gaps, usual])
        yield _Row(row.span(), [letter + sign for letter, sign in zip(letters, signs, strict=True)])


def _words(source: Source) -> Iterator[_Row]:
    """Words that are in base64 each by itself, as one text."""
    octets = source.octets
    if not _is_padded(octets):
        return
    digits = np.append(mapped(octets, BASE64.table), np.full(4, OTHER, np.uint8))
    starts, ends = bounds(digits < BASE64.base)
    ends = ends + _padding(octets, ends)
    first, last = bounds(_are_linked(octets, starts, ends, _say_something(digits, starts, ends)))
    for begin, end in zip(first.tolist(), last.tolist(), strict=True):
        yield from _said(source, starts[begin : end + 1].tolist(), ends[begin : end + 1].tolist())


def _is_padded(octets: Octets) -> bool:
    """Whether a group of digits is filled up where a word ends."""
    places = np.flatnonzero((octets[2:-1] == ord("=")) & (mapped(octets[3:], _ENDS_WORD) > 0)) + 2
    places = np.where(octets[places - 1] == ord("="), places - 1, places)
    return bool((mapped(octets[places - 1], BASE64.table) < BASE64.base).any())


def _padding(octets: Octets, ends: Indexes) -> Indexes:
    """How many signs fill up the last group of each row of digits."""
    behind = np.append(octets, np.zeros(2, np.uint8)) == ord("=")
    padding: Indexes = behind[ends] * (1 + behind[ends + 1].astype(np.intp))
    return padding


def _say_something(digits: Octets, starts: Indexes, ends: Indexes) -> Mask:
    """Which rows are whole groups of which the first is text."""
    are_good: Mask = (ends - starts) % 4 == 0
    chosen = np.flatnonzero(are_good)
    group = np.stack([digits[starts[chosen] + index] for index in range(4)])
    are_told = group[1:] < BASE64.base
    group = np.where(group < BASE64.base, group, 0).astype(np.uint8)
    octets = group[:3] << np.array([[2], [4], [6]], np.uint8) | group[1:] >> np.array([[4], [2], [0]], np.uint8)
    is_sign = (octets >= 0x20) & (octets != 0x7F)
    are_good[chosen] = is_sign[0] & ((is_sign[1] & follows(octets[0], octets[1])) | ~are_told[1])
    are_good[chosen] &= (is_sign[2] & follows(octets[1], octets[2])) | ~are_told[2]
    return are_good


def _are_linked(octets: Octets, starts: Indexes, ends: Indexes, are_good: Mask) -> Mask:
    """Between which of them and the next is nothing but a short gap."""
    distance = starts[1:] - ends[:-1]
    are_linked: Mask = are_good[:-1] & are_good[1:] & (distance > 0) & (distance <= _LONGEST_GAP)
    for index in range(_LONGEST_GAP):
        chosen = np.flatnonzero(are_linked & (distance > index))
        are_linked[chosen] = mapped(octets[ends[chosen] + index], _IS_GAP) > 0
    return are_linked


def _said(source: Source, starts: Sequence[int], ends: Sequence[int]) -> Iterator[_Row]:
    """The rows of words that decode. A word of a language is hardly ever one of them."""
    spans = [*zip(starts, ends, strict=True)]
    words = ((span, _decoded(source.data[slice(*span)])) for span in spans)
    for is_decoded, some in groupby(words, lambda word: bool(word[1])):
        found = list(some) if is_decoded else []
        if sum(len(word) for _, word in found) >= _SHORTEST:
            yield _Row(source.characters((found[0][0][0], found[-1][0][1])), [word for _, word in found])


def _decoded(word: bytes) -> str:
    try:
        decoded = a2b_base64(word).decode()
    except (Error, UnicodeDecodeError):
        return ""
    return decoded if decoded.isprintable() else ""
