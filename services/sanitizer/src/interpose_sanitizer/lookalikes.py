"""Characters that look like letters of ASCII and are not: the second reading of a text that mixes them in.

The pairs are Unicode's own (UTS 39, confusables.txt) as the package confusable-homoglyphs carries them, and what the
names of characters tell: small capitals, letters in circles and squares, letters with strokes. Honest Russian or Greek
is read plainly as well, so that its own rules see it; a text is only read again where it holds such a character.
"""

import json
import re
import string
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.folding import table
from interpose_sanitizer.hidden.tables import COMBINING, PICTURE, tables
from interpose_sanitizer.points import EVERY, Mask, Places, Points, following, preceding

_SPACE, _NOTHING, _ASCII = 0x20, 0x2060, 0x7F

_NAMED = re.compile(
    r"(?:LATIN (?:SMALL|CAPITAL) LETTER|LATIN LETTER SMALL CAPITAL|REGIONAL INDICATOR SYMBOL LETTER"
    r"|(?:NEGATIVE )?(?:CIRCLED|SQUARED) LATIN CAPITAL LETTER)"
    r" (?:OPEN |REVERSED |DOTLESS |LONG |TURNED )?(?P<letter>[A-Z])(?P<added> WITH .{1,60})?"
)
_PLACES_OF_NAMES = (
    (0xC0, 0x250),
    (0x250, 0x2B0),
    (0x1D00, 0x1E00),
    (0x2C60, 0x2C80),
    (0xA720, 0xA800),
    (0x1F100, 0x1F200),
)
_HEADS = {0x250: "a", 0x254: "c", 0x1DD: "e", 0x25F: "f", 0x183: "g", 0x265: "h", 0x1D09: "i", 0x27E: "j", 0x29E: "k"}
_HEADS |= {0x26F: "m", 0x279: "r", 0x287: "t", 0x28C: "v", 0x28D: "w", 0x28E: "y"}
SHORTEST = 2
"""Letters of a word that could be disguised."""
BESIDE = 200
"""Characters between a word in letters of Cyrillic and one that only looks so."""
_CYRILLIC_BLOCK = (0x0400, 0x04FF)
MANY = 8
"""Of so many letters one is strange in a text of which most words need no look."""
_LETTERS, _GENERAL_PUNCTUATION = 26, (0x2000, 0x206F)
_ROW = 5
"""Ideographs in a row that all look like letters: fewer are a word of Chinese."""
HEADS = "".join(map(chr, _HEADS))
"""Letters that stand on their heads."""
_OVERTURNED = {chr(one): other for one, other in _HEADS.items()} | dict(
    zip("nupdbqMW69<>", "undpqbWM96><", strict=True)
)
_COMMA, _APOSTROPHE = 0x2C, 0x27
_PARENTHESISED = (0x249C, 0x1F110)
"""Where the small letters in brackets begin, and the capitals."""
_CHEROKEE, _CHEROKEES = (0x13A0, 0xAB70), 80
_CYRILLIC = {"a": 0x430, "e": 0x435, "o": 0x43E, "p": 0x440, "c": 0x441, "y": 0x443, "x": 0x445, "k": 0x43A}
_UKRAINIAN = {"i": 0x456, "s": 0x455, "j": 0x458}
_CAPITALS = {"B": 0x432, "H": 0x43D, "M": 0x43C, "T": 0x442}
"""Letters of which only the capitals look like those of Cyrillic."""


@cache
def latin() -> npt.NDArray[np.uint8]:
    """For each code point the letter of ASCII that it looks like; 0 for none, and for ASCII itself."""
    letters = np.zeros(EVERY, np.uint8)
    named = dict(_named())
    known = json.loads((files("confusable_homoglyphs") / "confusables.json").read_text("utf-8"))
    alike = {
        ord(pair["c"]): letter
        for letter in string.ascii_uppercase + string.ascii_lowercase
        for pair in known.get(letter, ())
        if len(pair["c"]) == 1 and not pair["c"].isascii()
    }
    # A letter with a stroke or a hook is that letter, whatever it looks like.
    struck = {point: letter for point, (letter, is_struck) in named.items() if is_struck}
    also = {ord(one): letter for letter, those in _from_afar("letters").items() for one in those}
    for point, letter in ({point: one for point, (one, _) in named.items()} | alike | struck | also).items():
        letters[point] = ord(letter)
    # The small letters of Cherokee are its capitals, drawn smaller.
    letters[_CHEROKEE[1] : _CHEROKEE[1] + _CHEROKEES] = letters[_CHEROKEE[0] : _CHEROKEE[0] + _CHEROKEES]
    for start in _PARENTHESISED:
        letters[start : start + _LETTERS] = np.arange(_LETTERS) + ord("a")
    return letters


def _named() -> Iterator[tuple[int, tuple[str, bool]]]:
    """Letters by their names, and whether something is added to them."""
    for start, end in _PLACES_OF_NAMES:
        for point in range(start, end):
            named = _NAMED.fullmatch(unicodedata.name(chr(point), ""))
            if named and unicodedata.normalize("NFKD", chr(point)) == chr(point):
                yield point, (named["letter"].lower(), named["added"] is not None)


@cache
def _from_afar(kind: str) -> dict[str, str]:
    """For each letter what is like it only from afar."""
    read = tomllib.loads((files(__package__) / "lookalikes.toml").read_text("utf-8"))
    return {str(letter): str(those) for letter, those in read[kind].items()}


@cache
def _ideographs() -> npt.NDArray[np.uint8]:
    """For each code point the letter that it looks like in a row of such."""
    letters = np.zeros(EVERY, np.uint8)
    for letter, those in _from_afar("ideographs").items():
        letters[[ord(one) for one in those]] = ord(letter)
    return letters


def as_latin(points: Points) -> Points | None:
    """The text with every such character as the letter that it looks like, and pictures as the spaces that they stand
    for between words; None where there is neither."""
    # Nothing of ASCII is any of this.
    is_beyond = points > _ASCII
    few_are = MANY * int(np.count_nonzero(is_beyond)) < points.size
    beyond = np.flatnonzero(is_beyond) if few_are else slice(None)
    few = points[beyond]
    letters, rows, combining, pictures = (np.zeros(points.size, np.uint8) for _ in range(4))
    letters[beyond], rows[beyond], traits = latin().take(few), _ideographs().take(few), tables().traits.take(few)
    alike = _in_rows(rows)
    if alike is not None:
        letters = np.where(letters, letters, alike)
    combining[beyond] = traits & COMBINING != 0
    pictures[beyond] = (traits & PICTURE != 0) & (letters[beyond] == 0) & (table().first.take(few) == few)
    marks = _misplaced_marks(points, letters, combining != 0)
    if not (bool(letters.any()) or bool(pictures.any()) or bool(marks.any())):
        return None
    read = np.where(letters, letters, np.where(pictures, _SPACE, points)).astype(np.uint32)
    read[marks] = _NOTHING
    return read


def _in_rows(letters: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8] | None:
    """Those of them that stand in a long enough row of such; None where there is none."""
    row = begins = letters != 0
    if not bool(row.any()):
        return None
    for distance in range(1, _ROW):
        begins = begins & following(row, distance)
    if not bool(begins.any()):
        return None
    inside = begins
    for distance in range(1, _ROW):
        inside = inside | preceding(begins, distance)
    return np.where(inside, letters, np.uint8(0))


def _misplaced_marks(points: Points, letters: npt.NDArray[np.uint8], marks: Mask) -> Mask:
    """Vowel points and tones of other scripts on letters of ASCII, or on what looks like one."""
    if not bool(marks.any()):
        return marks
    base = np.maximum.accumulate(np.where(marks, -1, np.arange(points.size)))
    under = points.take(np.maximum(base, 0))
    is_latin = (under | _SPACE) - ord("a") < _LETTERS
    misplaced: Mask = marks & (base >= 0) & (is_latin | (letters.take(np.maximum(base, 0)) != 0))
    return misplaced


def are_overturned(points: Points, fewest: int) -> bool:
    """Whether so many letters stand on their heads."""
    return int(np.count_nonzero(np.isin(points, list(_HEADS)))) >= fewest


def overturned(points: Points) -> Points:
    """A text upside down, to be read from its end. A comma and an apostrophe are each other's, unless a table leaves
    them: one between letters is an apostrophe, and any other a comma."""
    read = _turned().take(points)
    letters = read > ord("@")
    within = preceding(letters) & following(letters)
    marks = (points == _COMMA) | (points == _APOSTROPHE)
    return np.where(marks, np.where(within, np.uint32(_APOSTROPHE), np.uint32(_COMMA)), read)


@cache
def _turned() -> npt.NDArray[np.uint32]:
    table = np.arange(EVERY, dtype=np.uint32)
    also = {one: letter for letter, those in _from_afar("turned").items() for one in those}
    for one, other in (_OVERTURNED | also).items():
        table[ord(one)] = ord(other)
    return table


@cache
def _cyrillic() -> npt.NDArray[np.uint32]:
    table = np.arange(0x80, dtype=np.uint32)
    small = _CYRILLIC | _UKRAINIAN
    for letter, point in (small | {one.upper(): other for one, other in small.items()} | _CAPITALS).items():
        table[ord(letter)] = point
    return table


def as_cyrillic(points: Points) -> Points | None:
    """The text with Latin letters that look Cyrillic as those; None where no word mixes both."""
    ascii_letters = (points | 0x20 >= ord("a")) & (points | 0x20 <= ord("z"))
    others = _is_cyrillic(points)
    if not bool((ascii_letters[1:] & others[:-1]).any() or (ascii_letters[:-1] & others[1:]).any()):
        return None
    return np.where(ascii_letters, _cyrillic().take(points, mode="clip"), points)


def beside_cyrillic(points: Points, read: Points, marks: Places) -> Places:
    """The marks but for Latin letters that were read as Cyrillic far from any: such words are what they seem."""
    others = np.flatnonzero(_is_cyrillic(points))
    first, behind = np.searchsorted(others, marks - BESIDE), np.searchsorted(others, marks + BESIDE)
    found: Places = marks[(first < behind) | ~_is_cyrillic(read.take(marks))]
    return found


def _is_cyrillic(points: Points) -> Mask:
    found: Mask = (points >= _CYRILLIC_BLOCK[0]) & (points <= _CYRILLIC_BLOCK[1])
    return found


def words(points: Points, read: Points) -> Places:
    """Where a text was read otherwise in a word that is wholly of one script then, or between words."""
    beyond = (read > 0xBF) & ~((read >= _GENERAL_PUNCTUATION[0]) & (read <= _GENERAL_PUNCTUATION[1]))
    ascii_letters = (read | 0x20) - ord("a") < _LETTERS
    letters, native = beyond | ascii_letters, _is_native(points)
    edges = np.append(np.flatnonzero(np.diff(letters, prepend=False, append=False)), points.size)
    marks = np.flatnonzero((points != read) & ~_within_own(native & letters, letters & ~native, edges))
    # What became no letter stands between words.
    which = np.searchsorted(edges, marks, side="right")
    numbers, of_mark = np.unique(np.where(which & 1 == 1, which, 0), return_inverse=True)
    starts = edges.take(np.maximum(numbers - 1, 0))
    lengths = np.where(numbers, edges.take(np.minimum(numbers, edges.size - 1)) - starts, 1)
    firsts = np.cumsum(lengths) - lengths
    inside = np.repeat(starts - firsts, lengths) + np.arange(int(lengths.sum()))
    told, own = (_counts(some.take(inside, mode="clip"), firsts) for some in (ascii_letters, native))
    is_meant = (own != lengths) & (lengths >= SHORTEST) & ((told == 0) | (told == lengths))
    found: Places = marks[(is_meant | (numbers == 0))[of_mark]]
    return found


def _counts(mask: Mask, firsts: Places) -> Places:
    return np.add.reduceat(mask, firsts, dtype=np.int64) if firsts.size else firsts


def _within_own(native: Mask, others: Mask, edges: Places) -> Mask:
    """The letters in words of nothing but native ones, where most words are such: they are told at once."""
    strange = np.flatnonzero(others)
    if MANY * strange.size > native.size:
        return np.zeros(native.size, np.bool_)
    which = np.unique(np.searchsorted(edges, strange, side="right"))
    inside = np.zeros(native.size + 1, np.int8)
    inside[edges[which - 1]] += 1
    inside[edges[which]] -= 1
    found: Mask = native & (np.cumsum(inside[:-1], dtype=np.int8) == 0)
    return found


def _is_native(points: Points) -> npt.NDArray[np.bool_]:
    """The letters that Russian and Greek are written in: a word of nothing else is one of those."""
    found: npt.NDArray[np.bool_] = ((points >= 0x391) & (points <= 0x3C9)) | ((points >= 0x410) & (points <= 0x451))
    return found
