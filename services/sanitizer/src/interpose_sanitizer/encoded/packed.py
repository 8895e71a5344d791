"""Compressed text in base64 or hexadecimal digits, and UTF-16: known by how it begins, or tried."""

from binascii import a2b_base64, a2b_hex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.packing import HEAD, SHORTEST, WAYS, Unpack, ways
from interpose_sanitizer.encoded.radix import Radix, without_words
from interpose_sanitizer.encoded.radixes import BASE64, HEXADECIMAL
from interpose_sanitizer.encoded.rows import Mask, eroded
from interpose_sanitizer.encoded.source import Indexes, Octets, Source, mapped, octets_of
from interpose_sanitizer.findings import Span

TRIED, TRIED_EACH = 500, 100
"""Payloads of one kind that are unpacked: so many, and one more for so many octets. What is left is refused."""

_MOST_PADDING = 2


@dataclass(frozen=True, slots=True)
class _Wrapping:
    """Digits round what is compressed."""

    name: str
    radix: Radix
    decode: Callable[[bytes], bytes]


def _from_base64(digits: bytes) -> bytes:
    whole = len(digits) - (len(digits) % 4 == 1)
    return a2b_base64(digits[:whole].translate(bytes.maketrans(b"-_", b"+/")) + b"==")


def _from_hexadecimal(digits: bytes) -> bytes:
    return a2b_hex(digits[: len(digits) // 2 * 2])


_WRAPPINGS = (
    _Wrapping("base64", BASE64, _from_base64),
    _Wrapping("hexadecimal", HEXADECIMAL, _from_hexadecimal),
)


def find(source: Source, budget: Budget) -> Iterator[Batch]:
    """What is unpacked is bounded by what may be decoded."""
    left = budget.decoding
    for wrapping in _WRAPPINGS:
        parts: list[tuple[Span, str]] = []
        cut = set[int]()
        for span, text, is_cut in _unpacked(source, wrapping, left):
            left = max(left - len(text), 0)
            cut |= {len(parts)} if is_cut else set()
            parts.append((source.characters(span), text))
        if parts:
            yield Batch.of_payloads(f"{wrapping.name}-packed", parts, cut)


def _unpacked(source: Source, wrapping: _Wrapping, left: int) -> Iterator[tuple[Span, str, bool]]:
    """Each payload with its text, and whether there is more of it than may be unpacked."""
    radix = wrapping.radix
    data = radix.reading(source)
    starts, kinds = _worth(data, radix)
    breaks = np.append(_breaks(data, radix), len(data)) if len(starts) else starts
    ends = breaks[np.searchsorted(breaks, starts)].tolist()
    last, most = 0, TRIED + len(data) // TRIED_EACH
    for tried, (start, end, kind) in enumerate(zip(starts.tolist(), ends, kinds.tolist(), strict=True)):
        if tried == most:
            yield (start, ends[-1]), "", True
            return
        if start >= last:
            text, is_cut = _text(data, (start, end), wrapping, WAYS[kind], left)
            if text or is_cut:
                left, last = max(left - len(text), 0), end
                yield _padded(source.data, without_words(source.data, start, end)), text, is_cut


def _padded(data: bytes, span: Span) -> Span:
    """With the signs that fill up the last group."""
    start, end = span
    behind = data[end : end + _MOST_PADDING]
    return start, end + len(behind) - len(behind.lstrip(b"="))


def _text(data: bytes, span: Span, wrapping: _Wrapping, unpack: Unpack, most: int) -> tuple[str, bool]:
    """What a payload says. Its beginning is tried first: only where that says something the rest is looked at."""
    start, end = span
    told = "", False
    for stop in (min(start + 2 * HEAD, end), end):
        try:
            octets = wrapping.decode(data[start:stop].translate(None, wrapping.radix.skipped))
        except ValueError:
            break
        more = unpack(octets, max(most, HEAD))
        if not any(more):
            break
        told = more
    return told


def _worth(data: bytes, radix: Radix) -> tuple[Indexes, Octets]:
    """Where rows of digits begin that are worth unpacking, and in which way."""
    digits = mapped(octets_of(data), radix.table)
    starts = _starts(digits < radix.base)
    if len(starts) == 0:
        return starts, digits[:0]
    head = np.stack([digits[starts + index] for index in range(SHORTEST)], 1)
    planes = radix.planes(np.append(head.ravel(), np.zeros(radix.digits, np.uint8)), head.size)
    kinds = ways(np.stack([plane[:: radix.digits] for plane in planes], 1).reshape(len(starts), -1))
    return starts[kinds > 0], kinds[kinds > 0]


def _starts(are_digits: Mask) -> Indexes:
    rows = eroded(are_digits, SHORTEST, 1)
    if not rows.any():
        return np.zeros(0, np.intp)
    begins = rows.copy()
    begins[1:] &= ~are_digits[: len(rows) - 1]
    return np.flatnonzero(begins)


def _breaks(data: bytes, radix: Radix) -> Indexes:
    return np.flatnonzero(mapped(octets_of(data), _breaking(radix.table, radix.base, radix.skipped)).view(np.bool_))


@cache
def _breaking(table: bytes, base: int, skipped: bytes) -> bytes:
    return bytes(table[octet] >= base and octet not in skipped for octet in range(256))
