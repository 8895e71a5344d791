"""Words of attacks, spelled otherwise than they are written, as tables: from what may stand there to what is meant.

The keys are told with any one letter wrong, as they sound, and backwards; other words only beside such. What people
leave out or add by a rule, vowels or the ends of pig Latin, is looked up among all words of the rules' own examples.
"""

import re
import string
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

from interpose_sanitizer import rules
from interpose_sanitizer.rules import Place

SHORTEST = 5
"""Letters of a key with one of them missing."""
SHORTEST_BARE = 3
"""Letters of a key without its vowels."""
MOST_REPEATED = 4
"""How often each letter of a word stands there."""
MOST_SOUNDS = 4
"""Places of a word that are written as they sound at once."""
_ALSO = ("rules", "user", "prior", "above")
"""Words that are no keys by themselves, and tell something beside one."""
_ENGLISH = "en"
_WORD = re.compile("[a-z]+")
_VOWELS = str.maketrans("", "", "aeiou")
_ROW = re.compile(r"(.)\1+")

Words = Mapping[bytes, str]
"""From what stands there to what is meant."""


class Way(StrEnum):
    """How words are written."""

    MISSPELT = "misspelt"
    VOWELLESS = "vowelless"
    PIG_LATIN = "pig latin"
    REPEATED = "repeated"
    """Every letter twice or more."""


@dataclass(frozen=True, slots=True)
class Keys:
    """What tells an attack's word by itself: `written` for each way, `mixed` by the sorted letters of a word with one
    of these `ends`, `squeezed` with one letter of each row."""

    written: Mapping[bytes, Way]
    mixed: Words
    ends: frozenset[bytes]
    squeezed: Words


@cache
def keys() -> Keys:
    """The keys in every way they are written: a tenth of a second, once."""
    words = _read()["keys"].split()
    written = {said.encode(): Way.REPEATED for word in words for said in _repeated(word)}
    written |= {said.encode(): Way.PIG_LATIN for word in words for said in _pig(word)}
    bare = (word.translate(_VOWELS) for word in words)
    written |= {word.encode(): Way.VOWELLESS for word in bare if len(word) >= SHORTEST_BARE}
    written |= dict.fromkeys(misspelt(), Way.MISSPELT)
    return Keys(
        written,
        {"".join(sorted(word)).encode(): word for word in words},
        frozenset((word[0] + word[-1]).encode() for word in words),
        {squeeze(word.encode()): word for word in words},
    )


@cache
def plain() -> frozenset[str]:
    """The keys as they are written, and misspelt."""
    return frozenset({*map(bytes.decode, misspelt()), *_read()["keys"].split(), *_ALSO})


@cache
def misspelt() -> Words:
    """The keys with a letter wrong, as they sound, and backwards."""
    read = _read()
    others = {*read["others"].split(), *read["keys"].split(), *read["beside"].split()}
    return dict(_of(read["keys"].split(), lambda word: {*_typos(word), *_as_it_sounds(word), word[::-1]}, others))


@cache
def beside() -> Words:
    """Other words, misspelt, where a key is near that is."""
    read = _read()
    others = {*read["others"].split(), *read["keys"].split(), *read["beside"].split()}
    found = dict(_of(read["beside"].split(), lambda word: {*_swapped(word), word[::-1]}, others))
    return found | {said.encode(): meant for said, meant in read["shorthand"].items()}


@cache
def without_vowels() -> Words:
    """The words of attacks without their vowels: of several, the one that most attacks hold."""
    return {word.translate(_VOWELS).encode(): word for word in reversed(_of_attacks()) if word.translate(_VOWELS)}


@cache
def in_pig_latin() -> Words:
    """The words of attacks, their first consonants moved behind them."""
    return {said.encode(): word for word in reversed(_of_attacks()) for said in _pig(word)}


@cache
def squeezed() -> Words:
    """The words of attacks, of each row of a letter only one."""
    return {squeeze(word.encode()): word for word in reversed(_of_attacks())}


def squeeze(word: bytes) -> bytes:
    """A word, of each row of a letter only one."""
    return _ROW.sub(r"\1", word.decode("latin-1")).encode("latin-1")


def _read() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "spelling.toml").read_text("utf-8"))


def _of_attacks() -> list[str]:
    """All words of the English rules' examples, those first that most of them hold."""
    english = (rule for rule in rules.shipped(Place.ENCODED) if _ENGLISH in rule.languages)
    counted = Counter(word for rule in english for text in rule.matches for word in _WORD.findall(text.lower()))
    return [word for word, _ in counted.most_common()]


def _repeated(word: str) -> Iterator[str]:
    for times in range(2, MOST_REPEATED + 1):
        yield "".join(letter * times for letter in word)


def _of(words: Iterable[str], spelled: Any, others: set[str]) -> Iterator[tuple[bytes, str]]:
    for word in words:
        yield from ((said.encode(), word) for said in spelled(word) if said not in others)


def _typos(word: str) -> Iterator[str]:
    """A word with a letter missing, wrong or too much, or two of them swapped; nothing put behind it, as in ignored."""
    yield from _swapped(word)
    for place in range(len(word)):
        before, behind = word[:place], word[place + 1 :]
        if len(word) > SHORTEST:
            yield before + behind
        yield from (before + other + behind for other in string.ascii_lowercase)
        if place:
            yield from (before + other + word[place:] for other in string.ascii_lowercase)


def _swapped(word: str) -> Iterator[str]:
    for place in range(len(word) - 1):
        yield word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        yield word[: place + 1] + word[place:]
    yield word + word[-1]


def _as_it_sounds(word: str) -> Iterator[str]:
    sounds: dict[str, list[str]] = _read()["sounds"]
    parts = re.split(f"({'|'.join(sorted(sounds, key=len, reverse=True))})", word)
    forms = [(part, *sounds.get(part, ())) for part in parts]
    for chosen in product(*forms):
        if sum(one != part for one, part in zip(chosen, parts, strict=True)) <= MOST_SOUNDS:
            yield "".join(chosen)


def _pig(word: str) -> Iterator[str]:
    first = re.match("[^aeiou]*", word)
    head = first[0] if first else ""
    yield f"{word[len(head) :]}{head}ay" if head else f"{word}way"
    if not head:
        yield from (f"{word}ay", f"{word}yay")
