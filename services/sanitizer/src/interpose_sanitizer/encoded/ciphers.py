"""Text in a cipher that children know: every letter moved on in the alphabet or mirrored in it, or all of it backwards.

Or both. Nothing is deciphered but what stands round a word that gives itself away. It is not deciphered again: two
ciphers may take each other back, and what was prose all the time would count as hidden.
"""

import string
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

import numpy as np
import re2  # type: ignore[import-untyped]

from interpose_sanitizer.encoded.batch import Batch
from interpose_sanitizer.encoded.budget import Budget
from interpose_sanitizer.encoded.cues import Cipher, cues, words
from interpose_sanitizer.encoded.extent import Extent
from interpose_sanitizer.encoded.gains import likely
from interpose_sanitizer.encoded.rows import Alphabets, bounds, spread
from interpose_sanitizer.encoded.source import Indexes, Source, mapped
from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import points_of, text_of

REACH = 400
"""How far an attack may reach from such a word, in octets."""
FEWEST_OF_BOTH = 2
"""Such words of a text that is turned round and has its letters moved as well: by chance noise holds one."""
_MOST_MATCHES = 1_000
"""Of words in other scripts. A text that holds more of them backwards is read from end to end."""
_ROT47 = {number: chr(33 + (number - 33 + 47) % 94) for number in range(33, 127)}
_OCTETS_47 = bytes(ord(_ROT47.get(number, "\0")) for number in range(256))
_ROWS_47 = Alphabets([(bytes(number for number, sign in _ROT47.items() if sign.islower()), 7)])
"""Small letters of a long word."""
_IS_LETTER = np.array([chr(octet).isalnum() for octet in range(0x80)] + [True])


def find(source: Source, _: Budget) -> Iterator[Batch]:
    """The surroundings of every word that could be in a cipher, deciphered."""
    spans: list[Span] = []
    for cipher, shift, found in cues(source.octets):
        places, is_turned = likely(source.octets, found, cipher, shift), cipher is Cipher.BACKWARDS
        if is_turned and not shift:
            spans += _windows(source, places)
        elif len(places) >= (FEWEST_OF_BOTH if is_turned else 1):
            windows = _windows(source, places)
            yield deciphered(source, cipher.value, alphabet(cipher, shift), windows, is_turned=is_turned)
    yield from _printable(source)
    spans.extend(_in_scripts(source.text))
    if spans:
        yield _backwards(source, spans)
        yield _words_backwards(source, spans)


def _printable(source: Source) -> Iterator[Batch]:
    """Rot47: what are letters there are digits, capitals and a few signs here, so that few texts have rows of them."""
    if any(_ROWS_47.present(source.octets)):
        told = cues(mapped(source.octets, _OCTETS_47), plain=True)
        places = [places for cipher, shift, places in told if cipher is Cipher.SHIFTED and not shift]
        if places:
            yield deciphered(source, "rot47", _ROT47, _windows(source, np.sort(np.concatenate(places))))


def _windows(source: Source, places: Indexes) -> list[Span]:
    """What is in reach of some places that are in order, without overlaps, in characters."""
    if len(places) == 0:
        return []
    is_apart = np.diff(places) > 2 * REACH
    starts = np.maximum(places[np.append(True, is_apart)] - REACH, 0)
    ends = np.minimum(places[np.append(is_apart, True)] + REACH, len(source.data))
    return [source.characters(span) for span in zip(starts.tolist(), ends.tolist(), strict=True)]


def _in_scripts(text: str) -> Iterator[Span]:
    """Windows round words of other scripts that are written backwards."""
    if text.isascii():
        return
    found = list(islice(_scripts().finditer(text), _MOST_MATCHES))
    if len(found) == _MOST_MATCHES:
        yield 0, len(text)
        return
    end = 0
    for match in found:
        if match.end() > end:
            start, end = max(match.start() - REACH // 2, end), min(match.end() + REACH // 2, len(text))
            yield start, end


@cache
def _scripts() -> "re2._Regexp":
    return re2.compile("(?i)" + "|".join(re2.escape(word[::-1]) for word in words("scripts")))


@cache
def alphabet(cipher: Cipher, shift: int) -> Mapping[int, str]:
    """What each letter becomes. `shift` is how far the letters had been moved on, after they were mirrored."""
    table = {}
    for letters in (string.ascii_lowercase, string.ascii_uppercase):
        for index, letter in enumerate(letters):
            moved = (index - shift) % 26
            table[ord(letter)] = letters[25 - moved if cipher is Cipher.MIRRORED else moved]
    return table


def deciphered(
    source: Source, encoding: str, table: Mapping[int, str], spans: Sequence[Span], *, is_turned: bool = False
) -> Batch:
    """Some spans of a text with each letter as the one that it stands for, and turned round if they are."""
    written = [source.text[start:end][:: -1 if is_turned else 1] for start, end in spans]
    parts = [text.translate(table) for text in written]
    extents = [Extent(part, text) for part, text in zip(parts, written, strict=True)]

    def place(index: int, span: Span) -> Span:
        first, last = extents[index].widened(span)
        start, end = spans[index]
        return (end - last, end - first) if is_turned else (start + first, start + last)

    return Batch(encoding, parts, place, is_prose=True, is_final=True)


def _backwards(source: Source, spans: Sequence[Span]) -> Batch:
    parts = [source.text[start:end][::-1] for start, end in spans]
    extents = [Extent(part, None, is_turned=True) for part in parts]

    def place(index: int, span: Span) -> Span:
        first, last = extents[index].widened(span)
        return spans[index][1] - last, spans[index][1] - first

    return Batch(Cipher.BACKWARDS.value, parts, place, is_prose=True, is_final=True)


def _words_backwards(source: Source, spans: Sequence[Span]) -> Batch:
    parts = [_each_backwards(source.text[start:end]) for start, end in spans]
    extents = [Extent(part, None) for part in parts]

    def place(index: int, span: Span) -> Span:
        first, last = extents[index].widened(span)
        return spans[index][0] + first, spans[index][0] + last

    return Batch("reversed-words", parts, place, is_prose=True, is_final=True)


def _each_backwards(text: str) -> str:
    """Every word from its end; what is no ASCII counts as a letter, but for the marks and gaps of all scripts."""
    points = points_of(text)
    is_letter = _IS_LETTER[np.minimum(points, 0x80)] & ((points < 0x2000) | (points >= 0x2070)) & (points >> 6 != 0xC0)
    starts, ends = bounds(is_letter)
    lengths = ends - starts
    order = np.arange(len(points))
    order[spread(starts, lengths, 1)] = np.repeat(starts + ends - 1, lengths) - spread(starts, lengths, 1)
    return text_of(points[order])
