"""Compressed text in digits of any kind, and UTF-16: known by how it begins, or tried."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.packing import BZIPPED, HEAD, WAYS, XZ, marked_ways, ways
from interpose_sanitizer.encoded.radix import Radix, without_words
from interpose_sanitizer.encoded.radixes import ASCII85, BASE32, BASE64, BASE85, HEXADECIMAL, Z85
from interpose_sanitizer.encoded.rows import Mask, eroded
from interpose_sanitizer.encoded.source import Indexes, Octets, Source, mapped, octets_of
from interpose_sanitizer.findings import Span

TRIED, TRIED_EACH = 500, 100
"""Payloads of one kind that are unpacked: so many, and one more for so many octets. What is left is refused."""

_MOST_PADDING = 6
"""Signs that fill up the last group: those of base32 are the most."""


_WRAPPINGS = ((BASE64, 24), (HEXADECIMAL, 24), (BASE32, 32), (ASCII85, 25), (BASE85, 25), (Z85, 25))
"""Digits round what is packed, and how many are looked at before anything is unpacked."""
_TRIED_ANY = (BASE64, HEXADECIMAL)
"""What is unpacked in any way. To the others nearly every sign is a digit, so that much begins like what has no
mark."""
_IS_QUOTE = bytes(octet in b"\"'`" for octet in range(256))
_WHOLE, TRIED_WHOLE = (BZIPPED, XZ), 100
"""What says nothing before a whole block was read, of up to 900 kB however short it is; and how many of such are
unpacked at most: what is left is refused."""


def find(source: Source, budget: Budget) -> Iterator[Batch]:
    """What is unpacked is bounded by what may be decoded."""
    left = budget.decoding
    for radix, head in _WRAPPINGS:
        parts: list[tuple[Span, str]] = []
        cut = set[int]()
        for span, text, is_cut in _unpacked(source, radix, head, left):
            left = max(left - len(text), 0)
            cut |= {len(parts)} if is_cut else set()
            parts.append((source.characters(span), text))
        if parts:
            yield Batch.of_payloads(f"{radix.name}-packed", parts, cut)


def _unpacked(source: Source, radix: Radix, head: int, left: int) -> Iterator[tuple[Span, str, bool]]:
    """Each payload with its text, and whether there is more of it than may be unpacked."""
    data = radix.reading(source)
    starts, kinds = _worth(data, radix, head)
    if not len(starts):
        return
    breaks = np.append(_breaks(data, radix), len(data))
    ends = breaks[np.searchsorted(breaks, starts)].tolist()
    last, most, whole = 0, TRIED + len(data) // TRIED_EACH, np.cumsum(np.isin(kinds, _WHOLE)).tolist()
    for tried, (start, end, kind) in enumerate(zip(starts.tolist(), ends, kinds.tolist(), strict=True)):
        if tried == most or whole[tried] > TRIED_WHOLE:
            yield (start, ends[-1]), "", True
            return
        if start >= last:
            text, is_cut = _text(data, (start, end), radix, kind, left)
            if text or is_cut:
                # Further strings of a list are no part of what was packed, if the first says all of it.
                quote = source.data.find(b'"', start + head, end)
                is_all = quote > 0 and _text(data, (start, quote), radix, kind, len(text)) == (text, is_cut)
                left, last = max(left - len(text), 0), quote if is_all else end
                where = without_words(source.data, start, last)
                yield _padded(source.data, where), text, is_cut


def _padded(data: bytes, span: Span) -> Span:
    """With the signs that fill up the last group."""
    start, end = span
    behind = data[end : end + _MOST_PADDING]
    return start, end + len(behind) - len(behind.lstrip(b"="))


def _text(data: bytes, span: Span, radix: Radix, kind: int, most: int) -> tuple[str, bool]:
    """What a payload says. Its beginning is tried first: only where that says something the rest is looked at."""
    start, end = span
    told = "", False
    for stop in dict.fromkeys((end if kind in _WHOLE else min(start + 2 * HEAD, end), end)):
        more = WAYS[kind](_decoded(data[start:stop], radix), max(most, HEAD))
        if not any(more):
            break
        told = more
    return told


def _decoded(data: bytes, radix: Radix) -> bytes:
    """The octets that some digits stand for; of a last group that is cut short, those that are whole."""
    digits = mapped(octets_of(data.translate(None, radix.skipped)), radix.table)
    count, rest = divmod(len(digits), radix.digits)
    filled = np.append(digits, np.full(2 * radix.digits, radix.base - 1, np.uint8))
    planes = radix.planes(filled, len(digits) + 1)
    octets = np.stack([plane[:: radix.digits] for plane in planes], 1).tobytes()
    return octets[: count * radix.octets + sum(need <= rest for need in radix.needs)]


def _worth(data: bytes, radix: Radix, head: int) -> tuple[Indexes, Octets]:
    """Where rows of digits begin that are worth unpacking, and in which way."""
    digits = mapped(octets_of(data), radix.table)
    starts = _starts(digits < radix.base, mapped(octets_of(data), _IS_QUOTE).view(np.bool_), head)
    if len(starts) == 0:
        return starts, digits[:0]
    heads = np.stack([digits[starts + index] for index in range(head)], 1)
    planes = radix.planes(np.append(heads.ravel(), np.zeros(radix.digits, np.uint8)), heads.size)
    tell = ways if radix in _TRIED_ANY else marked_ways
    kinds = tell(np.stack([plane[:: radix.digits] for plane in planes], 1).reshape(len(starts), -1))
    is_worth = kinds > 0
    return starts[is_worth], kinds[is_worth]


def _starts(are_digits: Mask, are_quotes: Mask, head: int) -> Indexes:
    """Where at least so many digits stand in a row, and where they do behind a quotation mark, which may be one."""
    rows = eroded(are_digits, head, 1)
    if not rows.any():
        return np.zeros(0, np.intp)
    begins = rows.copy()
    begins[1:] &= ~are_digits[: len(rows) - 1] | are_quotes[: len(rows) - 1]
    return np.flatnonzero(begins)


def _breaks(data: bytes, radix: Radix) -> Indexes:
    return np.flatnonzero(mapped(octets_of(data), _breaking(radix.table, radix.base, radix.skipped)).view(np.bool_))


@cache
def _breaking(table: bytes, base: int, skipped: bytes) -> bytes:
    return bytes(table[octet] >= base and octet not in skipped for octet in range(256))
