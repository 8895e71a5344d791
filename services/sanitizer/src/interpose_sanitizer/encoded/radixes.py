"""The encodings by digits that are known: their alphabets, and how groups of digits become octets."""

import re
import string
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.radix import OTHER, Planes, Radix, spelled
from interpose_sanitizer.encoded.readings import by_signs, by_words, unmarked
from interpose_sanitizer.encoded.rows import Alphabets
from interpose_sanitizer.encoded.source import Octets, Source, octets_of

_LETTERS = string.ascii_uppercase + string.ascii_lowercase
_WHITE = b" \t\r\n\x01"
_WRAPPING = _WHITE + b"\"'>\\,"


def _table(*alphabets: str) -> bytes:
    """Each octet's digit; several alphabets may share the same digits."""
    table = bytearray([OTHER]) * 256
    for alphabet in alphabets:
        for digit, sign in enumerate(alphabet):
            table[ord(sign)] = digit
    return bytes(table)


def _by_bits(bits: int, octets: int) -> Planes:
    def planes(digits: Octets, places: int) -> list[Octets]:
        return [_octet(digits, places, bits, index) for index in range(octets)]

    return planes


def _octet(digits: Octets, places: int, bits: int, index: int) -> Octets:
    """One octet of the group at each place: the digits that have bits in it, shifted to where these belong."""
    octet = np.zeros(places, np.uint8)
    for place in range(index * 8 // bits, (index * 8 + 7) // bits + 1):
        shift = 8 * (index + 1) - bits * (place + 1)
        digit = digits[place : place + places]
        octet |= digit << shift if shift >= 0 else digit >> -shift
    return octet


def _by_85(digits: Octets, places: int) -> list[Octets]:
    value = np.zeros(places, np.uint32)
    for place in range(5):
        value *= 85
        value += digits[place : place + places]
    return [(value >> shift).astype(np.uint8) for shift in (24, 16, 8, 0)]


def _bits(name: str, bits: int, table: bytes, skipped: bytes, shape: tuple[int, int, int]) -> Radix:
    digits, octets, shortest = shape
    needs = tuple(-(-8 * (index + 1) // bits) for index in range(octets))
    planes, reading = _by_bits(bits, octets), by_words if bits == 6 else unmarked
    is_reversed = bits in (4, 6)
    return Radix(
        name, 1 << bits, digits, octets, table, skipped, planes, needs, shortest, reading, is_also_reversed=is_reversed
    )


def _by_1000(digits: Octets, places: int) -> list[Octets]:
    """Three decimal digits; what is no octet becomes one that is in no text."""
    value = np.zeros(places, np.uint16)
    for place in range(3):
        value *= 10
        value += digits[place : place + places]
    return [np.minimum(value, 0xFF).astype(np.uint8)]


def _85(name: str, alphabet: str) -> Radix:
    return Radix(name, 85, 5, 4, _table(alphabet), b"\r\n\x01", _by_85, (2, 3, 4, 5), 5, by_signs)


BASE64 = _bits(
    "base64",
    6,
    _table(_LETTERS + string.digits + "+/", _LETTERS + string.digits + "-_"),
    _WRAPPING,
    (4, 3, 4),
)
_TURNED = _LETTERS[13:26] + _LETTERS[:13] + _LETTERS[39:] + _LETTERS[26:39]
BASE64_TURNED = _bits("rot13/base64", 6, _table(_TURNED + string.digits + "+/"), _WRAPPING, (4, 3, 4))
HEXADECIMAL = _bits(
    "hexadecimal",
    4,
    _table("0123456789abcdef", "0123456789ABCDEF"),
    _WRAPPING + b"xX%#&;:-|{}[]()<+",
    (2, 1, 12),
)
BASE32 = _bits("base32", 5, _table(string.ascii_uppercase + "234567"), _WRAPPING + b"-", (8, 5, 3))
BASE32_HEX = _bits("base32hex", 5, _table(string.digits + string.ascii_uppercase[:22]), _WRAPPING, (8, 5, 3))
BASE32_LOWER = _bits("base32", 5, _table(string.ascii_lowercase + "234567"), b"\r\n\x01", (8, 5, 3))
BINARY = _bits("binary", 1, _table("01"), _WRAPPING + b"_-|;.bB", (8, 1, 12))
ASCII85 = _85("ascii85", "".join(map(chr, range(33, 118))))
_B85 = string.digits + _LETTERS + "!#$%&()*+-;<=>?@^_`{|}~"
BASE85 = _85("base85", _B85)
_Z85 = string.digits + string.ascii_lowercase + string.ascii_uppercase + ".-:+=^!/*?&<>()[]{}@%$#"
Z85 = _85("z85", _Z85)

DECIMAL = Radix("decimal", 10, 3, 1, _table(string.digits), b"\r\n\x01", _by_1000, (3,), 12, unmarked)


def _finder(*radixes: Radix) -> Callable[[Source, Budget], Iterator[Batch]]:
    """A search for several encodings, no more than eight for one reading of a source."""
    readings = {reading: [radix for radix in radixes if radix.reading is reading] for reading in _readings(radixes)}
    alphabets = {
        reading: Alphabets([(_written(radix), radix.shortest * radix.digits) for radix in some])
        for reading, some in readings.items()
    }

    def find_all(source: Source, _: Budget) -> Iterator[Batch]:
        found = {
            id(radix): stretches
            for reading, some in readings.items()
            for radix, stretches in zip(some, alphabets[reading].stretches(octets_of(reading(source))), strict=True)
        }
        for radix in radixes:
            if len(found[id(radix)].begins):
                yield from spelled(source, radix, found[id(radix)])

    return find_all


def _readings(radixes: Sequence[Radix]) -> set[Callable[[Source], bytes]]:
    return {radix.reading for radix in radixes}


def _written(radix: Radix) -> bytes:
    """What may stand in a row of digits."""
    return bytes(octet for octet in range(256) if radix.table[octet] < radix.base) + radix.skipped


find = _finder(BASE64, HEXADECIMAL, BASE32, BASE32_LOWER, BINARY, ASCII85, BASE85, Z85, BASE32_HEX, DECIMAL)
_SAYS_ROT13 = re.compile(r"(?i)\brot ?-?13\b")
_find_turned = _finder(BASE64_TURNED)


def find_turned(source: Source, budget: Budget) -> Iterator[Batch]:
    """Digits of base64 of which each letter was turned, where a text says how: else nobody reads them."""
    if _SAYS_ROT13.search(source.text):
        yield from _find_turned(source, budget)
