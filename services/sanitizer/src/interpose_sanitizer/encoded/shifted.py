"""Lines below words that tell how far their letters were moved on: "shift every letter back by seven".

Other ciphers give themselves away by words of attacks (`ciphers`). Here the text itself says how it is
read, so that none is needed.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from operator import itemgetter

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.ciphers import alphabet, deciphered
from interpose_sanitizer.encoded.cues import Cipher
from interpose_sanitizer.encoded.leading import patterns
from interpose_sanitizer.encoded.likeness import likelihoods
from interpose_sanitizer.encoded.source import Source
from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import points_of

BESIDE, BEHIND, LONGEST = 100, 200, 2_000
"""How far a sentence is looked at on both sides of its word for letters, how far behind it the lines begin, and how
long they are together, in characters."""
MOST = 1_000
"""Numbers of one text that are tried: who reads as many keys follows none."""
_ENDS = re.compile(r"[.!?\n]")
_BEGINS = re.compile(r"(?::[ \t]|\n)\s{0,8}+")
_PIECES = re.compile(r"[^\n]{1,200}+\n?|\n")
"""Lines, and parts of long ones: what is no cipher is told by its first few words."""
_BLANK_LINE = re.compile(r"\n[ \t\r]{0,80}+\n")


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """The lines below each such word, where they are likelier to be language so than as they are written."""
    found: dict[int, list[Span]] = defaultdict(list)
    looked = [0] * 26
    for number, behind in islice(_told(source.text), MOST):
        span = _below(source.text, behind)
        if span is None or span[0] < looked[number]:
            continue
        looked[number] = span[0] + 1
        # Whether the reader or the writer moves the letters back is said in too many ways.
        for shift in {number, 26 - number}:
            end = _until(source.text, span, alphabet(Cipher.SHIFTED, shift))
            if end > span[0]:
                found[shift].append((span[0], end))
                looked[number] = max(looked[number], end)
    for shift, spans in found.items():
        yield deciphered(source, Cipher.SHIFTED.value, alphabet(Cipher.SHIFTED, shift), sorted(spans))


def _told(text: str) -> Iterator[tuple[int, int]]:
    """By how many letters, and where the words end that say so: numbers in sentences about letters that are moved."""
    last = 0
    for match in _letters().finditer(text):
        if match.start() < last:
            continue
        begin = max(last, match.start() - BESIDE)
        begin = max(begin, *(text.rfind(sign, begin, match.start()) for sign in ".!?\n"))
        end = _ENDS.search(text, match.end(), match.end() + BESIDE)
        last = end.start() if end else match.end() + BESIDE
        if _moves().search(text[begin:last]):
            yield from _numbers(text, begin, last)


def _numbers(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _counts().finditer(text, begin, end):
        number = int(match[0]) if match.lastindex is None else match.lastindex
        if 0 < number < 26:
            yield number, match.end()


@cache
def _letters() -> "re2._Regexp":
    return re2.compile(f"(?i){'|'.join((*patterns('letters'), *patterns('named')))}")


@cache
def _moves() -> "re2._Regexp":
    return re2.compile(f"(?i){'|'.join((*patterns('moves'), *patterns('named')))}")


@cache
def _counts() -> "re.Pattern[str]":
    """A number in digits, or as a word; the group of that tells which one it is."""
    words = "|".join(f"({word})" for word in patterns("numbers"))
    return re.compile(rf"(?<!\d)\d{{1,2}}(?!\d)|\b(?:{words})\b", re.IGNORECASE)


def _below(text: str, behind: int) -> Span | None:
    """What stands behind the colon, or below the line, up to a blank one."""
    begins = _BEGINS.search(text, behind - 1, behind + BEHIND)
    if begins is None:
        return None
    begin = begins.end()
    last = _BLANK_LINE.search(text, begin, begin + LONGEST)
    return begin, last.start() if last else min(begin + LONGEST, len(text))


def _until(text: str, span: Span, table: Mapping[int, str]) -> int:
    """Where the lines end that are likelier to be words with other letters."""
    end = begin = span[0]
    for line in map(itemgetter(0), _PIECES.finditer(text, *span)):
        if likelihoods(points_of(line.translate(table)))[-1] <= likelihoods(points_of(line))[-1]:
            break
        end = begin + len(line.rstrip())
        begin += len(line)
    return end
