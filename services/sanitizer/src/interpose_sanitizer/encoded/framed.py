"""Payloads that say what they are: words of mail headers, uuencoded files, Braille; and base58, which does not."""

import re
from binascii import Error, a2b_base64, a2b_qp, a2b_uu
from collections.abc import Iterator
from itertools import islice

import numpy as np

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.rows import bounds, eroded
from interpose_sanitizer.encoded.source import Source, mapped
from interpose_sanitizer.findings import Span

MOST_FRAMES = 1_000
"""Of one kind in one text."""
_HEADER_WORD = re.compile(r"=\?([\w-]{1,40})\?([bBqQ])\?([^?\s]{1,1000})\?=\s{0,40}")
_UU_BEGIN = re.compile(r"begin [0-7]{3,4} [^\n]{1,200}\n")
_BRAILLE = re.compile(r"[\u2800-\u28ff][\u2800-\u28ff\s]{11}[\u2800-\u28ff\s]*")
_BRAILLE_LETTERS = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵"
_FROM_BRAILLE = {ord(sign): chr(ord("a") + index) for index, sign in enumerate(_BRAILLE_LETTERS)}
_FROM_BRAILLE |= {0x2800: " ", 0x2802: ",", 0x2832: ".", 0x2820: "", 0x283C: "", 0x2830: ""}
_FROM_BRAILLE |= {point: " " for point in range(0x2800, 0x2900) if point not in _FROM_BRAILLE}
_58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS_58 = bytes(_58.index(chr(octet)) if chr(octet) in _58 else 0xFF for octet in range(256))
_SHORTEST_58, _LONGEST_58, _MOST_58 = 32, 600, 60


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """All of them."""
    for encoding, found in (
        ("header", _headers(source.text)),
        ("uuencode", _uuencoded(source.text)),
        ("braille", _braille(source)),
        ("base58", _base58(source)),
    ):
        parts = list(islice(found, MOST_FRAMES))
        if parts:
            yield Batch.of_payloads(encoding, parts)


def _headers(text: str) -> Iterator[tuple[Span, str]]:
    """Neighbours are one text."""
    start, end, words = 0, -1, list[str]()
    if "=?" not in text:
        return
    for found in _HEADER_WORD.finditer(text):
        if found.start() != end and words:
            yield (start, end), "".join(words)
            words = []
        start, end = start if words else found.start(), found.end()
        words.append(_header_word(found[1], found[2], found[3]))
    if words:
        yield (start, end), "".join(words)


def _header_word(charset: str, encoding: str, payload: str) -> str:
    data = payload.encode("ascii", "ignore")
    try:
        octets = a2b_base64(data + b"==") if encoding in "bB" else a2b_qp(data, header=True)
        return octets.decode(charset, "ignore")
    except (Error, LookupError, UnicodeError):
        return ""


def _uuencoded(text: str) -> Iterator[tuple[Span, str]]:
    end = 0
    if "begin " not in text:
        return
    for found in _UU_BEGIN.finditer(text):
        if found.start() >= end:
            lines, end = [], found.end()
            while (line := text[end : text.find("\n", end) + 1 or len(text)][:80]) and line[0] not in "`e \n":
                try:
                    lines.append(a2b_uu(line.encode("ascii")))
                except (Error, UnicodeError):
                    break
                end += len(line)
            yield (found.start(), end), b"".join(lines).decode("utf-8", "ignore")


def _braille(source: Source) -> Iterator[tuple[Span, str]]:
    if not source.text.isascii() and ((source.octets[:-1] == 0xE2) & (source.octets[1:] & 0xFC == 0xA0)).any():
        for found in _BRAILLE.finditer(source.text):
            yield found.span(), found[0].translate(_FROM_BRAILLE)


def _base58(source: Source) -> Iterator[tuple[Span, str]]:
    """A number has no beginning that shows, so only so many are tried, and none that is in hexadecimal digits."""
    digits = mapped(source.octets, _DIGITS_58)
    if not eroded(digits != 0xFF, _SHORTEST_58, 1).any():
        return
    starts, ends = bounds(digits != 0xFF)
    lengths = ends - starts
    chosen = np.flatnonzero((lengths >= _SHORTEST_58) & (lengths <= _LONGEST_58))[:_MOST_58]
    for start, end in zip(starts[chosen].tolist(), ends[chosen].tolist(), strict=True):
        number = 0
        for digit in digits[start:end].tolist():
            number = number * 58 + digit
        octets = number.to_bytes((number.bit_length() + 7) // 8)
        try:
            yield source.characters((start, end)), octets.decode()
        except UnicodeDecodeError:
            continue
