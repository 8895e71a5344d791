"""Octets as programs dump them (xxd, hexdump, od): a place, some octets, and often what they say, line by line."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, islice

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.source import Source
from interpose_sanitizer.findings import Hit, Span

NAMES = ("dump", "dump-of-pairs")
MOST = 1_000
"""Dumps in one text."""
_LINE = re.compile(
    r"(?m)^[ \t>|+-]{0,8}+[0-9a-fA-F]{6,8}+:?+[ \t]{1,8}+(?:"
    r"((?:[0-9a-fA-F]{2}){1,2}+(?: {1,2}+(?:[0-9a-fA-F]{2}){1,2}+(?!\S))*+)|([0-7]{3}(?: {1,2}+[0-7]{3}(?!\S))*+))"
    r"(?: {2,60}+[^\n ][^\n]{0,23}+)?+[ \t\r]{0,8}+$"
)
"""A place, octets in hexadecimal one by one or in pairs, or in octal, and what they say."""
_FEWEST = 2
"""Lines of a dump."""
LONGEST_ORDER = 500
"""Characters of what was encoded to give an order, and to say nothing else: it is no file with something in it."""
_OCTETS = 16
"""Of a line, at most times."""
_OF_DIGITS = "hexadecimal/"
_UNDECODED = re.compile("[\udc80-\udcff]")


Run = Sequence[re.Match[str]]
"""The lines of a dump."""


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """Those of octets, and those of pairs of octets of which the second comes first."""
    runs = list(islice(_runs(source.text), MOST))
    as_they_stand = [_Dump(run, swapped=False) for run in runs]
    pairs = [_Dump(run, swapped=True) for run in runs if any(map(_has_pairs, run))]
    for name, dumps in zip(NAMES, (as_they_stand, pairs), strict=True):
        if dumps:
            yield Batch(name, [dump.text for dump in dumps], partial(_place, dumps), is_plain=True)


def _runs(text: str) -> Iterator[Run]:
    run: list[re.Match[str]] = []
    for line in _LINE.finditer(text):
        if run and line.start() != run[-1].end() + 1:
            yield from [run] if len(run) >= _FEWEST else []
            run = []
        run.append(line)
    yield from [run] if len(run) >= _FEWEST else []


def whole(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """The same, with lines of a dump for what was found in the digits of some."""
    in_digits = [hit for hit in hits if hit[2].startswith(_OF_DIGITS)]
    runs = list(islice(_runs(text), MOST)) if in_digits else []
    ends = [run[-1].end() for run in runs]

    def lines(span: Span) -> Span:
        number = bisect_right(ends, span[0])
        is_in = number < len(runs) and runs[number][0].start() <= span[0] and span[1] <= ends[number]
        return _lines(runs[number], span) if is_in else span

    return [(lines(hit[0]), *hit[1:]) if hit[2].startswith(_OF_DIGITS) else hit for hit in hits]


def _lines(run: Run, span: Span) -> Span:
    """Those of a dump that a place reaches over; all of them, where these are few."""
    if len(run) * _OCTETS <= LONGEST_ORDER:
        return run[0].start(), run[-1].end()
    first = bisect_right(run, span[0], key=lambda line: line.end())
    last = bisect_left(run, span[1], key=lambda line: line.start()) - 1
    return run[first].start(), run[max(first, last)].end()


def _place(dumps: Sequence["_Dump"], index: int, span: Span) -> Span:
    return dumps[index].place(span)


class _Dump:
    """What the octets of a run say, without zeros."""

    def __init__(self, run: Run, *, swapped: bool) -> None:
        octets = [_octets(line, swapped=swapped).replace(b"\0", b"") for line in run]
        self._run, self._edges = run, [0, *accumulate(map(len, octets))]
        self._said = b"".join(octets).decode("utf-8", "surrogateescape")
        self.text = _UNDECODED.sub("\ufffd", self._said)

    def place(self, span: Span) -> Span:
        """The lines that a part of the text stands in; all of them, where these are few."""
        if len(self.text) <= LONGEST_ORDER:
            return self._run[0].start(), self._run[-1].end()
        first, last = (len(self._said[:at].encode("utf-8", "surrogateescape")) for at in span)
        begins, ends = bisect_right(self._edges, first) - 1, bisect_left(self._edges, last) - 1
        return self._run[begins].start(), self._run[max(begins, ends)].end()


def _has_pairs(line: re.Match[str]) -> bool:
    return line[1] is not None and any(len(group) > 2 for group in line[1].split())


def _octets(line: re.Match[str], *, swapped: bool) -> bytes:
    if line[2] is not None:
        return bytes(int(number, 8) & 0xFF for number in line[2].split())
    groups = map(bytes.fromhex, line[1].split())
    return b"".join(group[::-1] if swapped else group for group in groups)
