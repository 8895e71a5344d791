"""Attacks of which each word stands in a string of its own, as what reads pictures or takes texts apart gives them.

Short strings that follow each other are read as one text: those in the same field of objects in a list, those of one
list, and those of one object. Only what takes several of them is found here, and then they go whole. So do those in
which the sentence of a string that is an attack by itself goes on.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from interpose_sanitizer import spelling
from interpose_sanitizer.blocks import is_binary
from interpose_sanitizer.classifier import company
from interpose_sanitizer.classifier.named import LEARNED
from interpose_sanitizer.findings import ATTACKS, Family
from interpose_sanitizer.looking import Eyes
from interpose_sanitizer.strings import TOGETHER, strings_of
from interpose_sanitizer.text import Sanitized

LONGEST = 48
"""Characters of a string that may be a piece of an attack."""
FEWEST = 3
"""Strings that an attack stands in."""
MOST_CONTINUED = 6
"""Strings in which a sentence goes on."""
MOST_ALONE = 20
"""Sentences of several strings that are judged once more by themselves: of more each counts."""
FEWEST_KEYS = 2
"""Different words of attacks in what is read at all."""
_END = "\n\n\u241e\n\n"
"""What no phrase reaches across, in place of a longer string."""

_WORD = re.compile("[a-z]+")
_ENDED = re.compile(r"[.!?\u2026\u3002\uff01\uff1f]\W{0,4}\Z")
_GOES_ON = re.compile(r"(?=[^\W\d_])[^A-Z\u00c0-\u00de\u0391-\u03a9\u0410-\u042f]\S*+(?: \S++){2}")
"""Three words, of which the first has no capital."""

Place = tuple[Any, ...]
What = tuple[Family, str]
Pieces = dict[int, What]
"""Of which family and by which rule a string is a piece of an attack, by its number among all strings of the value."""


@dataclass(slots=True)
class _Strings:
    """The strings of a value, numbered in its order, by what makes them one text."""

    rows: dict[Place, list[tuple[int, str]]]
    count: int = 0

    def take(self, value: Any, row: Place, column: Place) -> None:
        """Number every string in `value`, which stands in this object or list, and in this field of such."""
        if isinstance(value, str):
            for place in {row, column}:
                self.rows.setdefault(place, []).append((self.count, value))
            self.count += 1
        elif isinstance(value, dict):
            for name, item in value.items():
                if not is_binary(value, name):
                    self.take(item, (id(value),), (*column, name))
        elif isinstance(value, list):
            for item in value:
                self.take(item, (*column, 0), (*column, 0))


def pieces(value: Any, eyes: Eyes, attacks: Mapping[str, Sanitized]) -> Pieces:
    """The strings of a JSON value that are pieces of attacks; those that are `attacks` by themselves are none."""
    if not (attacks or _has_keys(strings_of(value))):
        return {}
    strings = _Strings({})
    strings.take(value, (), ())
    found = {number: what for row in strings.rows.values() for number, what in _continued(row, attacks)}
    rows = (row for row in strings.rows.values() if len(row) >= FEWEST and _has_keys(text for _, text in row))
    told = ([(number, "" if text in attacks else text) for number, text in row] for row in rows)
    return found | {number: what for parts in _together(told) for number, what in _pieces(parts, eyes)}


def _continued(row: Sequence[tuple[int, str]], attacks: Mapping[str, Sanitized]) -> Iterator[tuple[int, What]]:
    """The strings of a row in which the sentence of an attack goes on, until it ends. In a list of which others begin
    with a small letter nothing tells."""
    going: What | None = None
    count = 0
    for number, text in row:
        if text in attacks:
            going, count = _cut_off(text, attacks[text]), 0
        elif going is None and _GOES_ON.match(text):
            return
        elif going is not None and count < MOST_CONTINUED and _GOES_ON.match(text):
            yield number, going
            going, count = (None if _ENDED.search(text) else going), count + 1
        else:
            going = None


def _cut_off(text: str, attack: Sanitized) -> What | None:
    """What goes on in the next string, where an attack ends with its own, and no sentence does."""
    last = attack.findings[-1]
    is_cut = last.family in ATTACKS and last.span[1] == len(text) and _ENDED.search(text) is None
    return (last.family, company.RULE_ID) if is_cut else None


def _together(rows: Iterable[list[tuple[int, str]]]) -> Iterator[list[tuple[int, str]]]:
    """Many rows in one go, with something between each two; each string that is too long for a piece is that, too."""
    parts: list[tuple[int, str]] = []
    size = 0
    for row in rows:
        parts += [*((number, text if 0 < len(text) <= LONGEST else _END) for number, text in row), (-1, _END)]
        size += sum(len(text) for _, text in row)
        if size > TOGETHER:
            yield parts
            parts, size = [], 0
    if parts:
        yield parts


def _has_keys(texts: Iterable[str]) -> bool:
    short = " ".join(text for text in texts if len(text) <= LONGEST)
    return len(spelling.plain().intersection(_WORD.findall(short.lower()))) >= FEWEST_KEYS


def _pieces(parts: list[tuple[int, str]], eyes: Eyes) -> Iterator[tuple[int, What]]:
    begins = [*accumulate((len(text) + 1 for _, text in parts), initial=0)]
    seen = eyes.look(" ".join(text for _, text in parts))
    learned = 0
    for (start, end), family, rule in seen.attacks:
        # Where there were more than are listed, all of it counts as one.
        first = 0 if seen.is_flooded else bisect_right(begins, start) - 1
        last = len(parts) if seen.is_flooded else bisect_left(begins, end)
        inside = [(number, text) for number, text in parts[first:last] if text is not _END]
        learned += rule in LEARNED
        is_doubtful = rule in LEARNED and learned <= MOST_ALONE and not seen.is_flooded
        if len(inside) >= FEWEST and not (is_doubtful and _is_nothing_alone(inside, eyes)):
            yield from ((number, (family, rule)) for number, _ in inside)


def _is_nothing_alone(inside: list[tuple[int, str]], eyes: Eyes) -> bool:
    """Whether a sentence is no attack by itself: the strings around it are nothing that it stands among."""
    return not eyes.look(" ".join(text for _, text in inside)).attacks
