"""How octets that are no text yet become one: unpacked, or read as UTF-16 or UTF-32."""

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import Protocol

import numpy as np

from interpose_sanitizer.encoded.deflated import may_be_deflated
from interpose_sanitizer.encoded.rows import Mask
from interpose_sanitizer.encoded.source import Octets, mapped

Unpack = Callable[[bytes, int], tuple[str, bool]]
"""The text in some octets, at most so much of it, and whether there is more. An empty text where there is none."""

HEAD = 512
"""About how many octets are unpacked before all are."""
INFLATED, BZIPPED, XZ = 1, 7, 8
"""Of the numbers in WAYS those that a mark of several octets tells."""
_BZIP, _XZ = b"BZh\x001AY&SY", b"\xfd7zXZ"
_MOST_MEMORY = 96 << 20
"""What xz may take, in octets: its highest level takes 65 MB. What wants more is refused."""
_MOST_STREAMS = 64
"""One behind the other in a payload; what holds more is refused."""
_BROKEN = (zlib.error, OSError, lzma.LZMAError)
_AUTOMATIC, _RAW = 47, -15
"""What zlib calls gzip and its own format, whichever it is, and deflate without a header."""
_PIECE = 64
_HIGH = bytes(
    octet in (0, 3, 4, 5, 6, 9, 0xE, 0x20, 0x30, 0xFF) or 0x4E <= octet < 0xA0 or 0xAC <= octet < 0xD8
    for octet in range(256)
)
"""The higher octets of the characters of the scripts that are written most."""
_READABLE = 0.8
_ASCII = bytes([9, 10, 13, *range(32, 127)])
_LEAST_WIDE = 0.1
"""Where hardly an octet is anything but ASCII, two of them are no character."""
_LEAST_SIGNS = 8
"""Fewer different ones are no text."""


def marked_ways(heads: Octets) -> Octets:
    """For each beginning of some octets the number in WAYS of how they may be unpacked, where a mark of several octets
    tells it; 0 elsewhere."""
    is_bzip, is_xz = (_begin_with(heads, magic) for magic in (_BZIP, _XZ))
    return np.select([is_bzip, is_xz, _is_inflated(heads)], [BZIPPED, XZ, INFLATED]).astype(np.uint8)


def _is_inflated(heads: Octets) -> Mask:
    """Which of them begin as gzip and zlib do."""
    first, second = (heads[:, index].astype(np.intp) for index in range(2))
    is_gzip = (first == 0x1F) & (second == 0x8B) & (heads[:, 2] == 8)
    is_zlib = (first & 0xF == 8) & (first < 0x80) & ((first << 8 | second) % 31 == 0) & (second & 0x20 == 0)
    return np.asarray(is_gzip | is_zlib)


def ways(heads: Octets) -> Octets:
    """For each beginning of some octets the number in WAYS of how they may be unpacked; 0 for not at all."""
    first, second = (heads[:, index].astype(np.intp) for index in range(2))
    is_high = mapped(heads, _HIGH).reshape(heads.shape).view(np.bool_)
    is_wide = is_high[:, 1::2].all(1) | is_high[:, ::2].all(1)
    is_marked = (first ^ second == 1) & (first >= 0xFE)
    is_raw = (first & 7 >= 2) & (first & 7 <= 5)
    is_zero = heads[:, :16].reshape(len(heads), -1, 4) == 0
    is_quad = (is_zero[:, :, 2:].all((1, 2)) | is_zero[:, :, :2].all((1, 2))) & ~is_zero.all((1, 2))
    raw = np.flatnonzero(is_raw)
    is_raw[raw[~may_be_deflated(heads[raw])]] = False
    is_bzip, is_xz = (_begin_with(heads, magic) for magic in (_BZIP, _XZ))
    known = [is_bzip, is_xz, is_quad, _is_inflated(heads), is_marked, is_wide & is_raw, is_wide, is_raw]
    return np.select(known, [BZIPPED, XZ, 5, INFLATED, 2, 6, 3, 4]).astype(np.uint8)


def _begin_with(heads: Octets, magic: bytes) -> Mask:
    """Which of them begin with these octets; a zero is any."""
    begins: Mask = np.ones(len(heads), np.bool_)
    for index, octet in enumerate(magic):
        begins &= (heads[:, index] == octet) | (octet == 0)
    return begins


class _Unpacking(Protocol):
    """One stream being unpacked."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, most: int, /) -> bytes: ...


def _unpacked(begin: Callable[[], _Unpacking], data: bytes, most: int) -> tuple[bytes, bool]:
    """What the streams in some octets hold, one behind the other as those programs read them, and whether there is
    more. No more is unpacked than wanted, whatever it would become. Raises what the first of them does."""
    made, left = list[bytes](), most
    for _ in range(_MOST_STREAMS):
        unpacking = begin()
        try:
            made.append(unpacking.decompress(data, left))
        except _BROKEN:
            if not made:
                raise
            return b"".join(made), False
        data, left = unpacking.unused_data, left - len(made[-1])
        if left <= 0 or not (unpacking.eof and data):
            return b"".join(made), left <= 0 and bool(data or not unpacking.eof)
    return b"".join(made), True


def _inflated(data: bytes, most: int) -> tuple[str, bool]:
    """What breaks off still counts up to there."""
    try:
        made, is_cut = _unpacked(lambda: zlib.decompressobj(_AUTOMATIC), data, most)
    except zlib.error:
        made = _up_to_the_break(data, most)
        is_cut = len(made) >= most
    return made.replace(b"\0", b"").decode("utf-8", "ignore"), is_cut


def _up_to_the_break(data: bytes, most: int) -> bytes:
    """What is unpacked before some octets are wrong: in pieces, and of the piece that breaks one by one."""
    inflating, made, left = zlib.decompressobj(_AUTOMATIC), list[bytes](), most
    start, size = 0, _PIECE
    while start < len(data) and left > 0:
        before = inflating.copy()
        try:
            made.append(inflating.decompress(data[start : start + size], left))
        except zlib.error:
            if size == 1:
                break
            inflating, size = before, 1
        else:
            left -= len(made[-1])
            start += size
    return b"".join(made)


def _bzipped(data: bytes, most: int) -> tuple[str, bool]:
    try:
        made, is_cut = _unpacked(bz2.BZ2Decompressor, data, most)
    except OSError:
        return "", False
    return made.decode("utf-8", "ignore"), is_cut


def _xz(data: bytes, most: int) -> tuple[str, bool]:
    try:
        made, is_cut = _unpacked(lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY), data, most)
    except lzma.LZMAError as error:
        return "", "Memory" in str(error)
    return made.decode("utf-8", "ignore"), is_cut


def _raw(data: bytes, most: int) -> tuple[str, bool]:
    """Deflate without a header, where all that it makes at first is text."""
    inflating = zlib.decompressobj(_RAW)
    try:
        made = inflating.decompress(data, most)
    except zlib.error:
        return "", False
    text = made[:HEAD].decode("utf-8", "replace").rstrip("\ufffd")
    is_text = len(set(text)) >= _LEAST_SIGNS and "\ufffd" not in text
    is_text = is_text and all(sign.isprintable() or sign.isspace() for sign in text)
    return made.decode("utf-8", "ignore") if is_text else "", is_text and len(made) >= most and not inflating.eof


def _marked(data: bytes, most: int) -> tuple[str, bool]:
    return data[: 2 * most + 2].decode("utf-16", "ignore"), len(data) > 2 * most + 2


def _wide(data: bytes, most: int) -> tuple[str, bool]:
    """UTF-16 that does not say so: the higher octets are those of which there are fewer different ones."""
    if len(data[:HEAD].translate(None, _ASCII)) < _LEAST_WIDE * len(data[:HEAD]):
        return "", False
    order = "utf-16-le" if len(set(data[1:HEAD:2])) <= len(set(data[:HEAD:2])) else "utf-16-be"
    text = data[: 2 * most].decode(order, "ignore")
    is_written = sum(map(_is_written, text[:HEAD])) >= _READABLE * len(text[:HEAD])
    return text if is_written else "", is_written and len(data) > 2 * most


def _raw_and_wide(data: bytes, most: int) -> tuple[str, bool]:
    """What begins like both, as both say it: every second octet of what is deflated may be a higher one of UTF-16 by
    chance, and UTF-16 may stand behind a few octets that can be inflated."""
    told = [_raw(data, most), _wide(data, most)]
    return "\n".join(text for text, _ in told if text), any(is_cut for _, is_cut in told)


def _quad(data: bytes, most: int) -> tuple[str, bool]:
    """UTF-32: the zeros say which of them."""
    order = "utf-32-le" if data[2:4] == b"\0\0" else "utf-32-be"
    return data[: 4 * most].decode(order, "ignore").lstrip("\ufeff"), len(data) > 4 * most


def _is_written(sign: str) -> bool:
    return sign.isalpha() or sign.isspace() or "0" <= sign <= "9" or sign in ".,:;!?-()" or "\u3000" <= sign <= "\u303f"


def _nothing(_: bytes, __: int) -> tuple[str, bool]:
    return "", False


WAYS: tuple[Unpack, ...] = (_nothing, _inflated, _marked, _wide, _raw, _quad, _raw_and_wide, _bzipped, _xz)
"""By their numbers."""
