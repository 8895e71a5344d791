"""Text in pieces, each in a line of its own that looks like the one before, or all in one: strings that a program
joins, payments of a cent, parts of a log, words in a column or a list.

They are put together as they stand, or as they are numbered. Only what says words of attacks then is judged at all.
"""

import re
from binascii import Error, a2b_base64
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

import numpy as np

from interpose_sanitizer.encoded import columns, cues
from interpose_sanitizer.encoded.batch import Batch, Place
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.columns import Run
from interpose_sanitizer.encoded.pieces import Kind
from interpose_sanitizer.encoded.rows import spread
from interpose_sanitizer.encoded.source import Indexes, Source
from interpose_sanitizer.findings import Span

CUT, WORDS, PACKED = "pieces", "columns", "base64-in-pieces"
"""Pieces of words; whole words, as lists have them; and pieces of base64."""
FEWEST_KEYS = 2
"""Different words of attacks in what is judged at all, as words of the pieces or across their borders."""
FEWEST_TOUCHED, MOST_WHOLE = 3, 40
"""Pieces that an attack stands in: fewer are for others to find. Of so many at most all go with it."""
MOST_WORDS, FEWEST_SMALL = 2.5, 3
"""Of whole words so many at most in each piece, and small ones: no sentence does without these, and lists have few."""
_SMALL = frozenset(
    word
    for row in (
        "a an the and or to of in on at for from with by as is are be it",
        "its this that all any your you my me not do if so",
    )
    for word in row.split()
)
_NUMBER, _DIGITS, _BEFORE = re.compile(rb"\d++"), 9, 120
"""Octets before a piece in which its number stands, if it has one."""
_NUMBERED = re.compile(rb"\s*+\d{1,4}+[.):]?+ ")
_BASE64, _FEWEST_PACKED = re.compile(r"[A-Za-z0-9+/_-]++={0,2}+"), 24


class Told(NamedTuple):
    """What some pieces say together, and where they stand, in the order in which they are read."""

    encoding: str
    kind: Kind
    said: Sequence[str]
    spans: Sequence[Span]

    @property
    def text(self) -> str:
        """What all of them say."""
        return self.gap.join(self.said)

    @property
    def gap(self) -> str:
        """What stands between two of them."""
        return "" if self.encoding == CUT else " "


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """All three."""
    told = (one for run in columns.runs(source) for one in _told(source, run))
    for encoding, group in groupby(sorted(told, key=lambda one: one.encoding), lambda one: one.encoding):
        every = list(group)
        yield Batch(encoding, [one.text for one in every], _places(source, every), is_plain=encoding == WORDS)


def _told(source: Source, run: Run) -> Iterator[Told]:
    """What a run says, if that could be an attack."""
    starts, ends = _in_order(source.data, run)
    words = _joined(source, starts, ends, 1)
    # Words that go on in the next line are read by others, who know what stands around them (`readings`).
    cut = "" if run.kind is Kind.LINE else _joined(source, starts, ends, 0)
    in_words = cues.held(words)
    is_cut, unpacked = len(cues.held(cut) - in_words) >= FEWEST_KEYS, _unpacked(cut)
    spans = [*zip(starts.tolist(), ends.tolist(), strict=True)]
    if unpacked:
        yield Told(PACKED, run.kind, [unpacked], [(min(starts.tolist()), max(ends.tolist()))])
    elif is_cut or (len(in_words) >= FEWEST_KEYS and _is_sentence(words, len(spans))):
        said = [source.data[slice(*span)].decode("utf-8", "replace") for span in spans]
        yield Told(CUT if is_cut else WORDS, run.kind, said, spans)


def _is_sentence(words: str, pieces: int) -> bool:
    """Whether some words, of so many pieces, could be one: lists have more in each, and titles no small words."""
    said = words.lower().split()
    return len(said) <= MOST_WORDS * pieces and len(_SMALL.intersection(said)) >= FEWEST_SMALL


def _unpacked(text: str) -> str:
    """What it says, if it is base64 of text."""
    if len(text) < _FEWEST_PACKED or _BASE64.fullmatch(text) is None:
        return ""
    try:
        return a2b_base64(text.replace("-", "+").replace("_", "/") + "==").decode()
    except (Error, UnicodeDecodeError):
        return ""


def _joined(source: Source, starts: Indexes, ends: Indexes, gap: int) -> str:
    """The pieces with nothing or a space between, as far as words of attacks are concerned."""
    sizes = ends - starts + gap
    octets = source.octets[np.minimum(spread(starts, sizes, 1), source.octets.size - 1)]
    if gap:
        octets[np.cumsum(sizes) - 1] = ord(" ")
    return octets.tobytes().decode("latin-1")


def _in_order(data: bytes, run: Run) -> tuple[Indexes, Indexes]:
    """Where the pieces begin and end as they are read, without numbers of their own. A log of commits begins with the
    last."""
    if run.kind is Kind.COMMIT:
        return run.starts[::-1], run.ends[::-1]
    if _NUMBER.search(data, int(run.lines[0]), int(run.ends[0])) is None:
        return run.starts, run.ends
    spans = [*zip(run.starts.tolist(), run.ends.tolist(), strict=True)]
    numbered = [_NUMBERED.match(data, *span) for span in spans]
    starts = [one.end() if one else start for one, (start, _) in zip(numbered, spans, strict=True)]
    before = [data[max(line, start - _BEFORE) : start] for line, start in zip(run.lines.tolist(), starts, strict=True)]
    order = np.arange(len(spans))
    # Numbers of which each piece has another, none left out: they say in which order these are read.
    for column in zip(*map(_NUMBER.findall, before), strict=False):
        values = [int(number[-_DIGITS:]) for number in column]
        if len(set(values)) == len(spans) == max(values) - min(values) + 1:
            order = np.argsort(values)
            break
    return np.array(starts, np.intp)[order], run.ends[order]


def _places(source: Source, every: Sequence[Told]) -> Place:
    """Where the pieces stand that an attack is in, or all of them."""

    def place(index: int, span: Span) -> Span | None:
        told = every[index]
        begins = accumulate((len(said) + len(told.gap) for said in told.said), initial=0)
        touched = [
            where
            for where, said, begin in zip(told.spans, told.said, begins, strict=False)
            if begin < span[1] and span[0] < begin + len(said)
        ]
        if len(touched) < min(FEWEST_TOUCHED, len(told.spans)):
            return None
        # Who cuts words means all of it; whole words need not belong to those around them.
        is_whole = len(told.spans) <= MOST_WHOLE and told.encoding != WORDS
        gone = told.spans if is_whole else touched
        return source.characters((min(begin for begin, _ in gone), max(end for _, end in gone)))

    return place
