"""Which characters of a run without width their neighbours need. The visible text around it decides, never a list.

What stays says nothing of its own: one selector behind a picture, one joiner between two letters that take their form
from it. A run that could spell something goes.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from interpose_sanitizer.hidden import characters as of
from interpose_sanitizer.hidden import traits
from interpose_sanitizer.hidden.traits import TRAITS

LONGEST = 16
"""Honest text has no longer runs: a flag has six tags, a picture a selector and a joiner."""
MOST_MARKS = 2
_REMEMBERED = 1 << 12
"""Runs and neighbours that were decided about: most texts repeat a few, and none may choose how many are kept."""


class Run(NamedTuple):
    """Characters without width, without those of direction, and the traits of the visible neighbours."""

    characters: str
    before: int
    after: int
    hyphenates: bool
    """Whether a word could be broken here: each part of it has two letters or more."""
    is_first: bool
    """Whether the text begins with it."""

    @classmethod
    def between(cls, characters: str, text: str, start: int, end: int) -> "Run":
        """Those between two places of a text; characters of direction may stand there, too."""
        before, after = TRAITS[text[start - 1 : start]], TRAITS[text[end : end + 1]]
        outer = TRAITS[text[start - 2 : start - 1] if start > 1 else ""] & TRAITS[text[end + 1 : end + 2]]
        return cls(characters, before, after, bool(before & after & outer & traits.LETTER), start == 0)

    @property
    def is_in_a_word(self) -> bool:
        """Whether letters of scripts written from left to right stand on both sides."""
        return bool(self.before & self.after & traits.LETTER) and not (self.before | self.after) & traits.RIGHT_TO_LEFT


@lru_cache(_REMEMBERED)
def needed(run: Run) -> tuple[int, ...]:
    """The indexes in `run.characters` of what stays."""
    return tuple(_needed(run)) if len(run.characters) <= LONGEST else ()


def _needed(run: Run) -> Iterator[int]:
    if _spells_a_flag(run):
        yield from range(len(run.characters))
        return
    if not run.is_in_a_word:
        marks = [index for index, one in enumerate(run.characters) if one in of.DIRECTION_MARKS]
        yield from marks[:MOST_MARKS]
    rest = [index for index, one in enumerate(run.characters) if one not in of.DIRECTION_MARKS]
    if rest and _selects(run, run.characters[rest[0]]):
        yield rest.pop(0)
    if len(rest) == 1 and _is_needed(run, run.characters[rest[0]]):
        yield rest[0]


def _spells_a_flag(run: Run) -> bool:
    if not run.before & traits.FLAG:
        return False
    spelled = "".join(chr(ord(one) - 0xE0000) if one in of.TAGS else "?" for one in run.characters)
    return spelled.endswith("\x7f") and of.REGIONS.fullmatch(spelled[:-1]) is not None


def _selects(run: Run, one: str) -> bool:
    """Whether it chooses one of the forms that the character before it has."""
    if one in of.EMOJI_SELECTORS:
        return bool(run.before & (traits.PICTURE | traits.KEYCAP))
    if one in of.SELECTORS:
        return (
            bool(run.before & traits.ZERO) or run.before & (traits.BEYOND_ASCII | traits.PICTURE) == traits.BEYOND_ASCII
        )
    return one in of.IDEOGRAPH_SELECTORS and bool(run.before & traits.IDEOGRAPH)


def _is_needed(run: Run, one: str) -> bool:  # noqa: PLR0911  one answer for each kind of character
    both, either = run.before & run.after, run.before | run.after
    if one in of.JOINERS:
        return bool(either & traits.JOINING) or (one == of.ZWJ and bool(both & traits.PICTURE))
    if one == of.ZERO_WIDTH_SPACE:
        return bool(either & traits.WITHOUT_SPACES)
    if one == of.SOFT_HYPHEN:
        return run.hyphenates
    if one in of.WORD_JOINERS:
        return not run.is_in_a_word
    if one == of.BYTE_ORDER_MARK:
        return run.is_first
    if one == of.GRAPHEME_JOINER:
        return bool(either & (traits.COMBINING | traits.RIGHT_TO_LEFT))
    return any(kind.match(one) and either & traits.NEIGHBOUR << bit for bit, kind in enumerate(of.NEIGHBOURS))
