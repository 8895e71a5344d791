"""Octets as programs dump them (xxd, hexdump, od): a place, some octets, and often what they say, line by line."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.source import Source
from interpose_sanitizer.findings import Span

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


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """Those of octets, and those of pairs of octets of which the second comes first."""
    runs = list(islice(_runs(source.text), MOST))
    for name, swapped in (("dump", False), ("dump-of-pairs", True)):
        parts = [(_span(run), _said(run, swapped=swapped)) for run in runs]
        if parts:
            yield Batch.of_payloads(name, parts)


def _runs(text: str) -> Iterator[Sequence[re.Match[str]]]:
    """The lines of each dump."""
    run: list[re.Match[str]] = []
    for line in _LINE.finditer(text):
        if run and line.start() != run[-1].end() + 1:
            yield from [run] if len(run) >= _FEWEST else []
            run = []
        run.append(line)
    yield from [run] if len(run) >= _FEWEST else []


def _span(run: Sequence[re.Match[str]]) -> Span:
    return run[0].start(), run[-1].end()


def _said(run: Sequence[re.Match[str]], *, swapped: bool) -> str:
    return b"".join(_octets(line, swapped=swapped) for line in run).replace(b"\0", b"").decode("utf-8", "replace")


def _octets(line: re.Match[str], *, swapped: bool) -> bytes:
    if line[2] is not None:
        return bytes(int(number, 8) & 0xFF for number in line[2].split())
    groups = map(bytes.fromhex, line[1].split())
    return b"".join(group[::-1] if swapped else group for group in groups)
