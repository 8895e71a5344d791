"""Where a text could be enciphered: a few words, recognised in any shift of the alphabet, mirrored or backwards.

The distances between a word's letters are the same in every shift. So one table of the distances between the first
five letters of each word knows all of its shifts, and one look at each word of a text tells which could be one.
"""

import re
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from interpose_sanitizer.encoded.source import Indexes, Octets, mapped

_LETTERS = 26
_LENGTH = 5
"""How many letters of a word are looked at."""
NONE = 0xFF
_LONG = re.compile(rf"[a-z]{{{_LENGTH},}}+")


class Cipher(StrEnum):
    """How a word was hidden."""

    SHIFTED = "caesar"
    MIRRORED = "atbash"
    BACKWARDS = "reversed"


@cache
def words(kind: str) -> tuple[str, ...]:
    """The lines of `cues.toml` of that kind."""
    read = tomllib.loads((files(__package__) / "cues.toml").read_text("utf-8"))
    return tuple(read[kind])


@cache
def _latin() -> frozenset[str]:
    return frozenset(words("latin"))


def held(text: str) -> frozenset[str]:
    """The words of attacks that a text holds, of those in Latin letters."""
    return _latin().intersection(_LONG.findall(text.lower()))


def _letter(octet: int) -> int:
    sign = chr(octet).lower()
    return ord(sign) - ord("a") if "a" <= sign <= "z" else NONE


NUMBERS = bytes(map(_letter, range(256)))


def cues(octets: Octets, *, plain: bool = False) -> Iterator[tuple[Cipher, int, Indexes]]:
    """The places of words in one cipher, for each cipher and shift in which there are any; also of `plain` ones."""
    starts, letters = _starts(mapped(octets, NUMBERS))
    if len(starts) == 0:
        return
    keys = _keys(letters)
    for cipher in Cipher:
        first = _table(cipher)[keys]
        shifts = (letters[0] + _LETTERS - first) % _LETTERS
        wanted = (first != NONE) & (plain | _is_meant(cipher, shifts))
        if not wanted.any():
            continue
        wanted[wanted] = ~np.isin(keys[wanted] * _LETTERS + letters[0][wanted], _everyday())
        for shift in np.unique(shifts[wanted]).tolist():
            yield cipher, shift, starts[wanted & (shifts == shift)]


def _is_meant(cipher: Cipher, shifts: Octets) -> NDArray[np.bool_]:
    """A word that was not moved is no cipher; one that was mirrored or turned round may be."""
    return shifts != 0 if cipher is Cipher.SHIFTED else np.ones(len(shifts), np.bool_)


def _starts(numbers: Octets) -> tuple[Indexes, list[Octets]]:
    """Where words of five letters and more begin, and those letters."""
    length = len(numbers) - _LENGTH + 1
    if length <= 0:
        return np.zeros(0, np.intp), []
    mask = np.ones(length, np.bool_)
    mask[1:] = numbers[: length - 1] == NONE
    for index in range(_LENGTH):
        mask &= numbers[index : index + length] != NONE
    starts = np.flatnonzero(mask)
    return starts, [numbers[starts + index] for index in range(_LENGTH)]


def _keys(letters: list[Octets]) -> NDArray[np.int32]:
    """The distances of the letters as one number."""
    keys = np.zeros(len(letters[0]), np.int32)
    for before, after in pairwise(letters):
        keys *= _LETTERS
        keys += (after + _LETTERS - before) % _LETTERS
    return keys


@cache
def _everyday() -> NDArray[np.int32]:
    """Words of every other text that are one of these words in some shift, as their distances and the first letter."""
    every = [_hidden(word, Cipher.SHIFTED) for word in words("everyday")]
    letters = [np.array(numbers, np.uint8) for numbers in zip(*every, strict=True)]
    return _keys(letters) * _LETTERS + letters[0]


@cache
def _table(cipher: Cipher) -> Octets:
    """For each key the first letter of the word that has it, unshifted."""
    table = np.full(_LETTERS ** (_LENGTH - 1), NONE, np.uint8)
    for word in words("latin"):
        if len(word) >= _LENGTH:
            numbers = [np.array([number], np.uint8) for number in _hidden(word, cipher)]
            table[_keys(numbers)] = numbers[0]
    return table


def _hidden(word: str, cipher: Cipher) -> list[int]:
    """The numbers of the five letters with which a word begins in this cipher."""
    numbers = [ord(letter) - ord("a") for letter in word]
    if cipher is Cipher.BACKWARDS:
        numbers.reverse()
    elif cipher is Cipher.MIRRORED:
        numbers = [_LETTERS - 1 - number for number in numbers]
    return numbers[:_LENGTH]


@cache
def pairs() -> NDArray[np.int64]:
    """How often one letter stands before another in English: 0 to 9, by their numbers from 1 on, 0 for no letter."""
    return np.array([[int(digit) for digit in row] for row in words("pairs")], np.int64)
